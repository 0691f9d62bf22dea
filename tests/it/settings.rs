//! Settings that a bot declares: shown, set, recorded, and tuned.

use crate::support::{run_in, words};

/// A bot that fights best where its setting `wit` is 7.
const PLANTED: &str = r#"
// Fights where it has its wits.
fn settings() { #{ wit: #{ value: 2, range: 0..=9, about: "seven is best" } } }
fn attack(view, ask) {
    if view.random(10) < (WIT - 7).abs() * 4 { return ask.act("done"); }
    ask.fights(#{ edge: 1 }).then(ask.act("done"))
}
fn deploy(view, ask) { ask.act_most("place", view.most_threatened(view.fronts)) }
fn answer(view, ask) { ask.nth(0) }
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("planted.rhai"), PLANTED).unwrap();
    folder
}

#[test]
fn settings_are_shown_and_set() {
    let folder = folder();
    let run = |line: &str| run_in(folder.path(), &words(line));
    let shown = run("bot show ./planted.rhai");
    assert_eq!((shown.code, shown.err.as_str()), (0, ""));
    assert!(
        shown.out.contains("set.wit=2, of 0 to 9  seven is best"),
        "{}",
        shown.out
    );
    let shown = run("bot show ./planted.rhai,set.wit=7");
    assert!(shown.out.contains("set.wit=7, of 0 to 9"), "{}", shown.out);
    let game = "play -r codelab --seed 3 --option max_turns=20 --bot random --quiet --bot";
    let plain = run(&format!("{game} ./planted.rhai --record a.jsonl"));
    let same = run(&format!("{game} ./planted.rhai,set.wit=2"));
    let other = run(&format!("{game} ./planted.rhai,set.wit=7 --record b.jsonl"));
    assert_eq!(
        (plain.code, same.code, other.code),
        (0, 0, 0),
        "{}",
        other.err
    );
    assert_eq!(plain.out, same.out);
    assert_ne!(plain.out, other.out);
    let record = std::fs::read_to_string(folder.path().join("b.jsonl")).unwrap();
    assert!(
        record
            .lines()
            .next()
            .unwrap()
            .contains("./planted.rhai,set.wit=7"),
        "{record}"
    );
    let again = run("replay b.jsonl --verify");
    assert_eq!(again.code, 0, "{}", again.err);
}

#[test]
fn what_can_not_be_set_is_refused() {
    let folder = folder();
    for (spec, wanted) in [
        ("./planted.rhai,set.wit=10", "can't be 10"),
        ("./planted.rhai,set.wit=-1", "it is a number from 0 to 9"),
        ("./planted.rhai,set.wits=1", "did you mean `wit`?"),
        (
            "./planted.rhai,set.wit=07",
            "`set.wit` must be a whole number, and `07` is not",
        ),
        ("./planted.rhai,set.wit=2,set.wit=3", "is given twice"),
        ("greedy,set.edge=1", "it has none at all"),
        (
            "outnumber,set.edge=1",
            "a setting of scripts that declare it",
        ),
        (
            "http://127.0.0.1:1,set.edge=1",
            "a setting of scripts that declare it",
        ),
    ] {
        let ran = run_in(folder.path(), &["bot", "show", spec]);
        assert_eq!(ran.code, 2, "{spec}: {}", ran.err);
        assert!(ran.err.contains(wanted), "{spec}: {}", ran.err);
    }
    for (declared, wanted) in [
        ("7", "settings() returns a map"),
        ("#{ edge: 7 }", "`edge` is set by a map"),
        (
            "#{ edge: #{ range: 0..=9 } }",
            "`value` of `edge` must be a whole number",
        ),
        (
            "#{ edge: #{ value: 2 } }",
            "`range` of `edge` must be a range",
        ),
        (
            "#{ edge: #{ value: 2, range: 3..=9 } }",
            "is not in its range",
        ),
        (
            "#{ edge: #{ value: 2, range: 0..=9999999999 } }",
            "beyond a billion",
        ),
        (
            "#{ edge: #{ value: 2, range: 0..=9, abot: 1 } }",
            "did you mean `about`?",
        ),
        (
            "#{ edge: #{ value: 2, range: 0..=9, about: 1 } }",
            "`about` of `edge` must be a text",
        ),
        (
            "#{ Edge: #{ value: 2, range: 0..=9 } }",
            "`Edge` is not a valid name of a setting",
        ),
        (
            "#{ players: #{ value: 2, range: 0..=9 } }",
            "something that every bot has",
        ),
        ("{ loop {} }", "50000 operations"),
    ] {
        let text =
            format!("fn settings() {{ {declared} }}\nfn answer(view, ask) {{ ask.nth(0) }}\n");
        std::fs::write(folder.path().join("wrong.rhai"), text).unwrap();
        let ran = run_in(folder.path(), &["bot", "show", "./wrong.rhai"]);
        assert_eq!(ran.code, 2, "{declared}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(wanted), "{declared}: {}", ran.err);
    }
}

/// The best of ten values is found, and also wins in new games, which the search didn't play.
#[test]
fn a_planted_optimum_is_found() {
    let folder = folder();
    let line = "tune ./planted.rhai -r codelab -m grid:4x4 --option max_turns=40 --filler outnumber \
                --candidates 10 --games 10 --seed 1 --confirm 60";
    let ran = run_in(folder.path(), &words(line));
    assert!(
        ran.out.contains("the best is bot=./planted.rhai,set.wit=7"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert!(
        ran.out.contains("tuned is better than as-it-is"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert_eq!(ran.code, 0);
    let again = run_in(
        folder.path(),
        &words(&line.replace("--confirm 60", "--confirm 0")),
    );
    assert!(ran.out.starts_with(&again.out), "{}", again.out);
    let none = run_in(folder.path(), &words("tune greedy"));
    assert_eq!(none.code, 2);
    assert!(none.err.contains("declares no settings"), "{}", none.err);
}
