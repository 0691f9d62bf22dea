//! Texts that may be too long, cut.

/// The beginning of a text: so many characters at most, and what tells that there was more.
#[must_use]
pub fn beginning(text: &str, most: usize, more: &str) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}{more}", &text[..end]),
        None => text.to_owned(),
    }
}
