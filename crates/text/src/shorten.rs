//! Shortening of long texts.

/// Returns the first `most` characters of a text, followed by `more` if the text is longer.
#[must_use]
pub fn beginning(text: &str, most: usize, more: &str) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}{more}", &text[..end]),
        None => text.to_owned(),
    }
}
