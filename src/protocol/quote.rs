//! Somebody else's words inside a message of ours: in one line, harmless, and not long.

use crate::text::escape_control;

/// How much of an answer is quoted in a fault, in characters.
const QUOTED: usize = 300;
/// How much of one word of it is, in characters.
const WORD: usize = 60;

/// The beginning of somebody's word, for a message.
#[must_use]
pub fn brief(text: &str) -> String {
    let begun: String = text.chars().take(WORD).collect();
    let more = if begun.len() < text.len() { " …" } else { "" };
    format!("{}{more}", escape_control(&begun))
}

/// The beginning of an answer, in quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    let begun: String = text.chars().take(QUOTED).collect();
    let more = if begun.len() < text.len() { " …" } else { "" };
    format!("`{}`{more}", escape_control(&begun))
}
