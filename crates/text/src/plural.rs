//! Numbers with their nouns.

use std::fmt::Display;

/// Returns a number with its noun, such as "1 round" or "3 territories". `word` is singular.
#[must_use]
pub fn counted(count: impl Display, word: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        format!("1 {word}")
    } else {
        format!("{count} {}", plural(word))
    }
}

/// Returns the plural of an English word, based on its ending.
#[must_use]
pub fn plural(word: &str) -> String {
    let vowel = |c: char| "aeiou".contains(c);
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(vowel) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| word.ends_with(end)) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}
