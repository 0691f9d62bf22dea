//! Facts in messages: the names and numbers that a message must state, in any wording.

/// Reports whether a message has all of these words, which are separated by blanks.
pub fn has_words(message: &str, words: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-".contains(c);
    let found: Vec<&str> = message.split(|c| !is_part(c)).collect();
    words.split_whitespace().all(|word| found.contains(&word))
}

/// Reports whether a line of a game's log has an illegal action whose refusal has all of these
/// words.
pub fn refuses(log: &str, words: &str) -> bool {
    let mut refusals = log
        .lines()
        .filter_map(|line| line.split_once(", illegal: "));
    refusals.any(|(_, text)| has_words(text, words))
}
