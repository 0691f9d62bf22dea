//! Names with a meaning for a terminal, for a wire protocol or for people.

use crate::support::{run_in, words};

#[test]
fn refused_names_are_told_where_they_are_given() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("none.rhai"),
        "fn answer(view, ask) { ask.random() }",
    )
    .unwrap();
    for (line, code, name) in [
        ("play --bot name=none,bot=random", "bot::spec", "`none`"),
        ("play --bot ./none.rhai", "bot::spec", "`none`"),
        ("play --bot http://none/", "bot::spec", "`none`"),
        (
            "bot serve greedy --port 0 --name NULL",
            "bot::name",
            "`NULL`",
        ),
        (
            "serve --protocol hacker-risk --port 0 --bot name=None,bot=odds",
            "bot::spec",
            "`None`",
        ),
    ] {
        let ran = run_in(folder.path(), &words(line));
        ran.refuses(2, code);
        assert!(ran.err.contains(name), "{line}: {}", ran.err);
    }
    let fine = "play --quiet --bot name=some,bot=./none.rhai --option max_turns=3";
    assert_eq!(run_in(folder.path(), &words(fine)).code, 0);
}
