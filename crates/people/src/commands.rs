//! The words that are commands at a terminal, apart from answers.

use super::offered::Offered;

/// The commands that take no other words.
pub(super) const PLAIN: [&str; 14] = [
    "?", "help", "rules", "map", "land", "bonuses", "players", "cards", "orders", "attacks",
    "undo", "resign", "quit", "exit",
];
/// The commands that messages suggest for similar words.
pub(super) const COMMANDS: [&str; 18] = [
    "help", "rules", "map", "land", "bonuses", "players", "cards", "orders", "attacks", "log",
    "undo", "resign", "quit", "exit", "look", "odds", "hint", "auto",
];
/// Returns the command that a word of at least three letters begins, or the word itself. What ends
/// or changes the game must be typed in full.
pub(super) fn command(word: &str) -> &str {
    let all = PLAIN.iter().chain(&["look", "odds", "hint"]);
    let mut like = all.filter(|name| word.len() >= 3 && name.starts_with(word));
    match (like.next(), like.next()) {
        (Some(&only), None) if !matches!(only, "undo" | "resign" | "quit" | "exit") => only,
        _ => word,
    }
}

/// Reports whether a word may be the beginning of this command. Words that begin an action are not
/// a command, even if they are not an action yet.
pub(super) fn is_free(command: &str, word: &str, rest: &str, reading: &Offered<'_>) -> bool {
    let takes_words = !PLAIN.contains(&command);
    let mut verbs = reading.next_words(&[]).into_iter();
    command != word && (rest.is_empty() || takes_words) && !verbs.any(|verb| verb.starts_with(word))
}
