//! Isolation of text that is read from right to left.

use std::borrow::Cow;

/// Begins and ends text whose direction does not change the order of the text around it.
const ISOLATE: [char; 2] = ['\u{2068}', '\u{2069}'];

/// Isolates each run of letters that are read from right to left, such as Hebrew and Arabic names.
/// Without this, a display that orders text by its letters moves the numbers and arrows beside such
/// a name to its other side (Unicode Standard Annex 9).
///
/// ```
/// assert_eq!(risk_text::isolated("אבג 50 %"), "\u{2068}אבג\u{2069} 50 %");
/// ```
#[must_use]
pub fn isolated(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_right_to_left) {
        return Cow::Borrowed(text);
    }
    let mut all = String::with_capacity(text.len() + 16);
    // What follows the run: it belongs to the run if more letters of the run come.
    let mut after = String::new();
    let mut is_open = false;
    for c in text.chars() {
        if is_right_to_left(c) {
            if !is_open {
                all.push(ISOLATE[0]);
            }
            is_open = true;
            all.push_str(&std::mem::take(&mut after));
            all.push(c);
        } else if is_open && after.is_empty() && matches!(c, ' ' | '-' | '\'' | '’') {
            after.push(c);
        } else {
            if std::mem::take(&mut is_open) {
                all.push(ISOLATE[1]);
            }
            all.push_str(&std::mem::take(&mut after));
            all.push(c);
        }
    }
    if is_open {
        all.push(ISOLATE[1]);
    }
    all.push_str(&after);
    Cow::Owned(all)
}

/// Returns a text without the characters that [`isolated`] adds.
#[must_use]
pub fn without_isolates(text: &str) -> String {
    text.replace(ISOLATE, "")
}

/// Isolates runs in the texts of a page, but not in its tags.
#[must_use]
pub fn isolated_html(page: &str) -> Cow<'_, str> {
    if !page.chars().any(is_right_to_left) {
        return Cow::Borrowed(page);
    }
    let parts = page.split_inclusive('>').map(|part| match part.find('<') {
        Some(tag) => Cow::Owned(format!("{}{}", isolated(&part[..tag]), &part[tag..])),
        None => isolated(part),
    });
    Cow::Owned(parts.collect())
}

/// Reports whether a letter is in one of the blocks of scripts from right to left.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}
