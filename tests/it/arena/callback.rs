//! The arena of the callback protocol: its secret, and whole matches in both dialects.

use crate::support::{run_in, words};

/// Invalid command lines, the code of the error, and a word in its text.
const NO_ARENAS: &[(&str, &str, &str)] = &[
    ("--protocol callback", "serve::no-secret", "callback"),
    (
        "--protocol callback --secret-file empty",
        "serve::secret",
        "empty",
    ),
    (
        "--protocol callback --secret-file short",
        "serve::secret",
        "short",
    ),
    (
        "--protocol callback --secret-file missing",
        "load::file",
        "missing",
    ),
    (
        "--protocol callback --secret-file secret --ruleset hasbro --players 4",
        "serve::protocol",
        "hasbro",
    ),
    (
        "--protocol callback --secret-file secret --players 1",
        "serve::players",
        "2 to 32",
    ),
    (
        "--protocol hacker-risk --players 3 --bot odds --bot odds --bot odds",
        "serve::players",
        "3 players",
    ),
    (
        "--protocol hacker-risk --allow-callback everywhere",
        "serve::network",
        "`everywhere`",
    ),
    (
        "--protocol hacker-risk --bot nobody",
        "load::unknown",
        "`nobody`",
    ),
];

#[test]
fn arenas_that_can_not_be_are_told_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse\n").unwrap();
    std::fs::write(folder.path().join("empty"), " \n").unwrap();
    std::fs::write(folder.path().join("short"), " bananas\n").unwrap();
    for (line, code, word) in NO_ARENAS {
        let ran = run_in(folder.path(), &words(&format!("serve --port 0 {line}")));
        ran.refuses(2, code);
        assert!(ran.err.contains(word), "{line}: {}", ran.err);
    }
}
