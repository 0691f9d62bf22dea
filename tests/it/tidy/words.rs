//! Words that comments do without: a reader stumbles over them.

use std::fs;

use super::{all_sources, check, has_word, root, sources};

/// A word, and what says it better.
const WORDS: [(&str, &str); 11] = [
    (
        "whoever",
        "name the one who acts: the caller, the player, the bot",
    ),
    ("somebody", "name who: a player, a client"),
    ("so many", "N, or the name of the number"),
    ("told", "sent, shown, reported, hears"),
    ("tells", "says, shows, reports"),
    ("is said", "say who says what"),
    ("one after the other", "in order, in turn"),
    ("taken up again", "resumed"),
    ("by hand", "manually, yourself"),
    ("lead nowhere", "say what happens"),
    ("stands behind", "follows"),
];

fn comment(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("//")
}

#[test]
fn comments_do_without_riddles() {
    let python = sources("python/src");
    let mut wrong = Vec::new();
    for (path, text) in all_sources().into_iter().chain(python) {
        for (number, line) in text.lines().enumerate() {
            let Some(comment) = comment(line).map(str::to_lowercase) else {
                continue;
            };
            let found = WORDS.iter().filter(|(word, _)| has_word(&comment, word));
            let path = path.display();
            wrong.extend(found.map(|(word, better)| {
                format!("{path}:{}: `{word}` in a comment: {better}", number + 1)
            }));
        }
    }
    check(&wrong);
    // The list itself is where a word would be found.
    let own = fs::read_to_string(root().join("tests/it/tidy/words.rs")).unwrap();
    assert!(has_word(&own, WORDS[0].0));
    assert_eq!(comment("    /// Somebody"), Some("/ Somebody"));
}
