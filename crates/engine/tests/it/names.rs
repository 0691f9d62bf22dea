//! Names with a meaning for a terminal, for a wire protocol or for people.

use risk_engine::{EngineError, names};

#[test]
fn names_that_mean_something_are_refused() {
    for name in [
        "ann",
        "Ann B",
        "Zoë",
        "玩家",
        "none of us",
        "nonesuch",
        "a'b",
        "<b>",
        "1",
    ] {
        assert_eq!(names::check(name), Ok(()), "{name}");
    }
    for name in [
        "none",
        "None",
        "NONE",
        "n one",
        "null",
        "nil",
        "undefined",
        "__proto__",
        "toString",
        "constructor",
    ] {
        let error = names::check(name).unwrap_err();
        assert!(matches!(error, EngineError::Name(_)), "{error:?}");
        assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
    }
}

#[test]
fn names_can_be_seen_and_have_30_characters_at_most() {
    let invisible = [
        "no\u{200b}ne",
        "no\u{ad}ne",
        "\u{feff}none",
        "a\u{202e}b",
        "a\u{fe0f}",
        "\u{3164}",
        "\u{e0041}x",
    ];
    let broken = [
        "",
        " ",
        " a",
        "a ",
        "a  b",
        "a\tb",
        "a\nb",
        "a\u{a0}b",
        "a\u{3000}b",
        "\u{1b}[31m",
    ];
    for name in invisible
        .into_iter()
        .chain(broken)
        .chain(["n".repeat(31).as_str()])
    {
        let text = names::check(name).unwrap_err().to_string();
        assert!(text.contains("30"), "{name:?}: {text}");
    }
}

#[test]
fn names_that_look_alike_are_one() {
    for (a, b, alike) in [
        ("ann", "ann", true),
        ("ann", "ANN", true),
        ("ann b", "Ann  B", true),
        ("annb", "ann b", true),
        ("ann", "a\u{200d}nn", true),
        ("straße", "STRASSE", true),
        ("ΣΑΣ", "σας", true),
        ("ann", "anna", false),
        ("ann", "bob", false),
    ] {
        assert_eq!(names::are_alike(a, b), alike, "{a} {b}");
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn names_are_told_apart_on_the_wire_and_at_the_table() {
    for (given, told) in [
        (&["ann", "bob"][..], &["ann", "bob"][..]),
        (&["none", "bob"], &["none (1)", "bob"]),
        (
            &["bob", "null", "bob", ""],
            &["bob", "null (2)", "bob (3)", " (4)"],
        ),
        (&["a (2)", "a", "a"], &["a (2)", "a", "a (3)"]),
        (&["none (2)", "none"], &["none (2)", "none (3)"]),
    ] {
        assert_eq!(names::on_wire(&owned(given)), owned(told));
    }
    for (given, told) in [
        (&["a", "a", "a"][..], &["a", "a 2", "a 3"][..]),
        (&["a", "a 2", "a"], &["a", "a 2", "a 3"]),
        (&["a", "b", "A"], &["a", "b", "A 2"]),
        (&["a 2", "a", "a"], &["a 2", "a", "a 3"]),
    ] {
        let mut all = owned(given);
        names::make_unique(&mut all);
        assert_eq!(all, owned(told));
    }
}
