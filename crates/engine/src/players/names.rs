//! Names of players: valid names, names that look alike, and distinct names for the wire.
//!
//! Other programs read the names. Some names have a meaning in these programs: for example, `none`
//! means a free territory in the protocol of the Hacker Risk arena. A player with such a name could
//! make the bots of all other players fail, so these names are reserved.

use crate::error::EngineError;
use risk_text::is_control;

/// The maximum length of a player's name, in characters.
const LONGEST: usize = 30;

/// Reserved names, regardless of case: words for no owner or no value, on the wire and in the
/// languages of bots, and the members of every JavaScript object.
const TAKEN: [&str; 10] = [
    "none",
    "null",
    "nil",
    "undefined",
    "__proto__",
    "constructor",
    "prototype",
    "tostring",
    "valueof",
    "hasownproperty",
];

/// Checks whether a player may have this name.
///
/// # Errors
/// Returns an error that states what a name must be.
pub fn check(name: &str) -> Result<(), EngineError> {
    let stray = |c: char| c != ' ' && c.is_whitespace();
    let form = (1..=LONGEST).contains(&name.chars().count())
        && name.trim() == name
        && !name.contains("  ")
        && !name.chars().any(|c| stray(c) || is_invisible(c));
    if !form {
        return Err(EngineError::Name(format!(
            "a player's name must have 1 to {LONGEST} visible characters on one line, with \
             single spaces between words"
        )));
    }
    if is_taken(name) {
        return Err(EngineError::Name(format!(
            "a player can't be named `{name}`: other programs reserve the word"
        )));
    }
    Ok(())
}

/// Reports whether a name has a meaning in programs that read it.
#[must_use]
pub fn is_taken(name: &str) -> bool {
    let key = key(name);
    TAKEN.iter().any(|taken| self::key(taken) == key)
}

/// Reports whether two names look the same to people. Case, blanks and invisible characters are
/// ignored.
#[must_use]
pub fn are_alike(a: &str, b: &str) -> bool {
    key(a) == key(b)
}

fn key(name: &str) -> String {
    let seen = name
        .chars()
        .filter(|&c| !c.is_whitespace() && !is_invisible(c));
    // Convert twice to merge letters with several lower-case forms: `ẞ` and `ß`, `Σ`, `σ` and `ς`.
    seen.flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Reports whether a character is invisible: characters that are ignored when text is displayed,
/// emoji selectors, and the blank Braille pattern.
fn is_invisible(c: char) -> bool {
    is_control(c) || matches!(c, '\u{2800}' | '\u{fe00}'..='\u{fe0f}')
}

/// Returns the names of a table as they are sent on the wire. A name gets the number of its seat if
/// it has a meaning in programs that read it, or if another player has the same name. Names may be
/// unchecked if another program has set up the game.
#[must_use]
pub fn on_wire(names: &[String]) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let fits = |name: &str| {
            !is_taken(name) && !name.is_empty() && !unique.iter().any(|other| other == name)
        };
        let numbered = |number: usize| format!("{name} ({number})");
        let seat = index + 1;
        let free = if fits(name) { Some(name.clone()) } else { None };
        // There is one more number than there are players, so at least one number is free.
        let free = free.or_else(|| {
            (seat..=seat + names.len())
                .map(numbered)
                .find(|name| fits(name))
        });
        unique.push(free.unwrap_or_else(|| numbered(seat)));
    }
    unique
}

/// Adds numbers to names that look alike.
pub fn make_unique(names: &mut [String]) {
    for index in 1..names.len() {
        let (before, rest) = names.split_at_mut(index);
        let name = &mut rest[0];
        let is_there = |name: &str| before.iter().any(|other| are_alike(other, name));
        if is_there(name) {
            let free = (2..=before.len() + 2)
                .map(|number| format!("{name} {number}"))
                .find(|name| !is_there(name));
            *name = free.unwrap_or_else(|| format!("{name} {}", index + 1));
        }
    }
}
