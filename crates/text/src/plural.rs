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

/// Formats a range of numbers, for example `2 to 6`, or `2` for a single number.
#[must_use]
pub fn range(least: usize, most: usize) -> String {
    if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    }
}

/// Units that are counted without a plural: 42 infantry.
const ALIKE: [&str; 3] = ["infantry", "cavalry", "artillery"];

/// Returns the plural of an English word, based on its ending.
#[must_use]
pub fn plural(word: &str) -> String {
    // Compounds such as heavy infantry are alike, too.
    if ALIKE.iter().any(|end| word.to_lowercase().ends_with(end)) {
        return word.to_owned();
    }
    let vowel = |c: char| "aeiou".contains(c);
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(vowel) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| word.ends_with(end)) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}
