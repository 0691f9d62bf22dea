//! Names with a meaning for a terminal, for a wire protocol or for people.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use risk_engine::{EngineError, Worker, names};
use risk_kernel::NullSink;
use serde_json::json;

use super::modest_bot;
use crate::programs::Program;
use crate::support::{run_in, setup, words};
use crate::web::{code, modest, reply, server};

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
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --bot name=House,bot=odds",
    );
    let ann = modest_bot();
    let other = modest_bot();
    let join = |name: &str, url: &str| {
        arena.post(
            "/join",
            &[],
            &json!({ "name": name, "url": url }).to_string(),
        )
    };
    assert_eq!(join("ann", &ann).0, 200);
    for (name, status, reason, by) in [
        ("none", 400, "arena::name", "`none`"),
        ("ANN", 409, "arena::name-taken", "ann"),
        ("an n", 409, "arena::name-taken", "ann"),
        ("ann", 409, "arena::name-taken", "ann"),
        ("house", 409, "arena::name-taken", "House"),
    ] {
        let (told, said) = join(name, &other);
        assert_eq!(
            (told, code(&said).as_str()),
            (status, reason),
            "{name}: {said}"
        );
        assert!(said.contains(name) && said.contains(by), "{name}: {said}");
    }
}

/// A game that another program set up, with a player named like free land: on the wire the player's
/// territories are not free.
#[test]
fn free_land_and_players_are_told_apart_on_the_wire() {
    let owners: Arc<Mutex<BTreeSet<(String, bool)>>> = Arc::default();
    let keep = Arc::clone(&owners);
    let address = server(move |request, stream| {
        if request.path != "/turn" {
            return reply(stream, "");
        }
        let state = request.state();
        for land in state["game"]["countries"].as_object().unwrap().values() {
            let owner = land["owner"].as_str().unwrap().to_owned();
            keep.lock().unwrap().insert((owner, land["troops"] == 0));
        }
        reply(stream, &modest(&state).to_string());
    });
    let mut setup = setup(
        "hasbro",
        None,
        &["random", "random", &address],
        3,
        &[("max_turns", "6")],
    );
    for (spec, name) in setup.bots.iter_mut().zip(["none", "ann", "me"]) {
        spec.name = name.to_owned();
    }
    let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
    assert!(finished.outcome.is_ok());
    let seen = owners.lock().unwrap().clone();
    let wanted = [
        ("ann", false),
        ("me", false),
        ("none", true),
        ("none (1)", false),
    ];
    assert_eq!(
        seen,
        wanted
            .into_iter()
            .map(|(name, free)| (name.to_owned(), free))
            .collect()
    );
}
