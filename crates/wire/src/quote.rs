//! Somebody else's words inside a message of ours: in one line, harmless, and not long.

use risk_text::{beginning, escape_control};

/// How much of an answer is quoted in a fault, in characters.
const QUOTED: usize = 300;
/// How much of one word of it is, in characters.
const WORD: usize = 60;

/// The beginning of somebody's word, for a message.
#[must_use]
pub fn brief(text: &str) -> String {
    escape_control(&beginning(text, WORD, " …")).into_owned()
}

/// The beginning of an answer, in quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    let shown = beginning(text, QUOTED, "");
    let more = if shown.len() < text.len() { " …" } else { "" };
    format!("`{}`{more}", escape_control(&shown))
}
