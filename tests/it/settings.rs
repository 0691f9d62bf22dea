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
    for (spec, code, facts) in [
        (
            "./planted.rhai,set.wit=10",
            "bot::setting",
            ["`wit`", "10", "0", "9"],
        ),
        (
            "./planted.rhai,set.wit=-1",
            "bot::setting",
            ["`wit`", "-1", "0", "9"],
        ),
        (
            "./planted.rhai,set.wits=1",
            "bot::setting",
            ["`wits`", "`wit`", "", ""],
        ),
        (
            "./planted.rhai,set.wit=07",
            "bot::spec",
            ["`set.wit`", "`07`", "", ""],
        ),
        (
            "./planted.rhai,set.wit=2,set.wit=3",
            "bot::spec",
            ["`set.wit`", "", "", ""],
        ),
        (
            "greedy,set.edge=1",
            "bot::setting",
            ["greedy", "`edge`", "", ""],
        ),
        (
            "outnumber,set.edge=1",
            "bot::spec",
            ["`set.edge`", "outnumber", "", ""],
        ),
        (
            "http://127.0.0.1:1,set.edge=1",
            "bot::spec",
            ["`set.edge`", "http://127.0.0.1:1", "", ""],
        ),
    ] {
        let ran = run_in(folder.path(), &["bot", "show", spec]);
        ran.refuses(2, code);
        for fact in facts {
            assert!(ran.err.contains(fact), "{spec}: {fact}: {}", ran.err);
        }
    }
}

/// A declaration of settings, the code of the error, and names that the error mentions.
const DECLARED: [(&str, &str, [&str; 2]); 11] = [
    ("7", "bot::settings", ["`settings()`", ""]),
    (
        "#{ edge: 7 }",
        "bot::settings",
        ["setting `edge`", "`value`"],
    ),
    (
        "#{ edge: #{ range: 0..=9 } }",
        "bot::settings",
        ["`value` of `edge`", ""],
    ),
    (
        "#{ edge: #{ value: 2 } }",
        "bot::settings",
        ["`range` of `edge`", "0..=9"],
    ),
    (
        "#{ edge: #{ value: 2, range: 3..=9 } }",
        "bot::settings",
        ["`value` of `edge`", "range"],
    ),
    (
        "#{ edge: #{ value: 2, range: 0..=9999999999 } }",
        "bot::settings",
        ["`range` of `edge`", "1,000,000,000"],
    ),
    (
        "#{ edge: #{ value: 2, range: 0..=9, abot: 1 } }",
        "bot::settings",
        ["`abot`", "`about`"],
    ),
    (
        "#{ edge: #{ value: 2, range: 0..=9, about: 1 } }",
        "bot::settings",
        ["`about` of `edge`", ""],
    ),
    (
        "#{ Edge: #{ value: 2, range: 0..=9 } }",
        "bot::settings",
        ["`Edge`", "32"],
    ),
    (
        "#{ players: #{ value: 2, range: 0..=9 } }",
        "bot::settings",
        ["`players`", ""],
    ),
    ("{ loop {} }", "script::budget", ["50000", "`settings`"]),
];

#[test]
fn what_can_not_be_declared_is_refused() {
    let folder = folder();
    for (declared, code, facts) in DECLARED {
        let text =
            format!("fn settings() {{ {declared} }}\nfn answer(view, ask) {{ ask.nth(0) }}\n");
        std::fs::write(folder.path().join("wrong.rhai"), text).unwrap();
        let ran = run_in(folder.path(), &["bot", "show", "./wrong.rhai"]);
        ran.refuses(2, code);
        assert_eq!(ran.places(), ["./wrong.rhai:1:4"], "{declared}");
        let text = words(&ran.err).join(" ").replace(" │", "");
        for fact in facts {
            assert!(text.contains(fact), "{declared}: {fact}: {}", ran.err);
        }
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
    none.refuses(2, "tune::settings");
}
