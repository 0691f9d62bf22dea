//! Quotes of untrusted text in messages: on one line, escaped and short.

use risk_text::{beginning, escape_control};

/// Longest quote of an answer, in characters.
const QUOTED: usize = 300;
/// Longest quote of one word, in characters.
const WORD: usize = 60;

/// Returns the beginning of an untrusted word, escaped.
#[must_use]
pub fn brief(text: &str) -> String {
    escape_control(&beginning(text, WORD, " …")).into_owned()
}

/// Returns the beginning of an answer, escaped and in quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    let shown = beginning(text, QUOTED, "");
    let more = if shown.len() < text.len() { " …" } else { "" };
    format!("`{}`{more}", escape_control(&shown))
}
