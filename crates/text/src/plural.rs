//! Numbers with the word they count.

use std::fmt::Display;

/// "1 round", "2 rounds", "3 territories", "4 armies": a number and what it counts, the word given
/// in the singular.
#[must_use]
pub fn counted(count: impl Display, word: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        format!("1 {word}")
    } else {
        format!("{count} {}", plural(word))
    }
}

/// The plural of an English word, by its ending.
#[must_use]
pub fn plural(word: &str) -> String {
    let vowel = |c: char| "aeiou".contains(c);
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(vowel) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| word.ends_with(end)) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}
