//! Excerpts of untrusted text for messages. They are short, escaped and on a single line.

use risk_text::{beginning, escape_control};

/// The maximum length of a quoted answer, in characters.
const QUOTED: usize = 300;
/// The maximum length of a quoted word, in characters.
const WORD: usize = 60;

/// Returns the beginning of an untrusted word with special characters escaped.
#[must_use]
pub fn brief(text: &str) -> String {
    escape_control(&beginning(text, WORD, " …")).into_owned()
}

/// Returns the beginning of an answer in quotes, with special characters escaped.
#[must_use]
pub fn quoted(text: &str) -> String {
    let shown = beginning(text, QUOTED, "");
    let more = if shown.len() < text.len() { " …" } else { "" };
    format!("`{}`{more}", escape_control(&shown))
}
