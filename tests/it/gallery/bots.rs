//! Invalid bots, and bots that make faults in a game.

use std::fmt::Write as _;

use super::{Row, check};
use crate::support::{run_in, without_sum, words};

const PLAY: &[&str] = &[
    "play",
    "--quiet",
    "--seed",
    "1",
    "--bot",
    "./b.rhai",
    "--bot",
    "outnumber",
    "--bot",
    "outnumber",
    "--record",
    "r.jsonl",
    "--option",
    "max_turns=9",
];

fn row(name: &'static str, text: &str) -> Row<'static> {
    Row {
        name,
        files: vec![("b.rhai", text.to_owned())],
        args: &["bot", "check", "./b.rhai"],
    }
}

#[test]
fn mistakes_in_bots() {
    let rows: Vec<_> = [scripts(), command_lines()].into_iter().flatten().collect();
    insta::assert_snapshot!(check(&rows));
}

/// Assignments to keys of maps: every message gives the place as written, after any number of
/// assignments, and strings that only look like assignments stay as they are.
#[test]
fn assignments_to_keys() {
    let rows: Vec<_> = [
        (
            "after several",
            "this.a = 1; this.k = `ä`; this.a += 1; nowhere(); ",
        ),
        ("the value", "this.a = 1; this.b = 1 + \"x\".to_upper().z; "),
        ("the key", "this.a = 1; this.none.b = 2; "),
        ("no map", "let n = 3; n.x = 4; "),
        ("no map in a map", "this.list = [1]; this.list.x += 4; "),
        ("a parameter", "view.round = 3; "),
        (
            "in texts",
            "let n = #{}; throw `${n.k = 1; n.k}.k = 2 ${\"n.k = 3\"} n.k = 4`; ",
        ),
        (
            "in a function",
            "[1].for_each(|| { let n = #{}; n.k = 1; throw n.nowhere(); }); ",
        ),
        (
            "in an index",
            "let n = #{ k: 0 }; let a = [1]; a[n.k] = 2; n[`x`].y = 3; throw a; ",
        ),
        (
            "over lines",
            "let n = #{};\n    n\n        .k = 5; n.k += 1; throw n.k; ",
        ),
        ("not in one piece", "this./* here */k = 1; throw this.k; "),
        (
            "valid assignments",
            "let n = #{ a: #{ b: [#{ c: 1 }] } }; n.a.b[0].c += 2; n?.d = 5; throw n; ",
        ),
    ]
    .iter()
    .map(|&(name, body)| Row {
        name,
        files: vec![(
            "b.rhai",
            format!("fn answer(view, ask) {{ {body}ask.random() }}\n"),
        )],
        args: PLAY,
    })
    .collect();
    let told = check(&rows);
    let of_places = told.lines().filter(|line| {
        let text = line.trim_start();
        text.starts_with(['#', '×', '⚠', '╭', '·']) || text.contains(" │ ")
    });
    insta::assert_snapshot!(of_places.collect::<Vec<_>>().join("\n"));
}

fn scripts() -> Vec<Row<'static>> {
    vec![
        row("nothing", ""),
        row("a syntax error", "fn answer(view, ask) { ask.random( }"),
        row("answer misspelled", "fn anser(view, ask) { ask.random() }"),
        row(
            "a phase misspelled",
            "fn answer(view, ask) { ask.random() }\nfn atack(view, ask) { ask.random() }",
        ),
        row("a parameter missing", "fn answer(view) { 1 }"),
        row(
            "a method misspelled",
            "fn answer(view, ask) { ask.randm() }",
        ),
        row(
            "a variable misspelled",
            "fn answer(view, ask) { aks.random() }",
        ),
        row(
            "too many arguments",
            "fn answer(view, ask) { view.armies(1, 2) }",
        ),
        row(
            "a method misspelled in a closure",
            "fn answer(view, ask) { [1].map(|at| at.armis()); ask.random() }",
        ),
        row(
            "a closure that looks outside",
            "fn answer(view, ask) { view.owned.map(|at| view.armis(at)); ask.random() }",
        ),
        row(
            "the clock",
            "fn answer(view, ask) { timestamp(); ask.random() }",
        ),
        row(
            "evaluation",
            "fn answer(view, ask) { eval(\"1\"); ask.random() }",
        ),
        row(
            "a change of the game",
            "fn answer(view, ask) { view.add_armies(1, 100); ask.random() }",
        ),
    ]
}

/// Bots that can't be found, and one that is rejected before a game.
fn command_lines() -> Vec<Row<'static>> {
    vec![
        Row {
            name: "a built-in's name",
            files: vec![(
                "random.rhai",
                "fn answer(view, ask) { ask.random() }".to_owned(),
            )],
            args: &["bot", "check", "./random.rhai"],
        },
        Row {
            name: "a bot misspelled",
            files: vec![],
            args: &["play", "--bot", "greedi"],
        },
        Row {
            name: "no such file",
            files: vec![],
            args: &["play", "--bot", "./mine.rhai"],
        },
        Row {
            name: "a setting misspelled",
            files: vec![],
            args: &["play", "--bot", "nme=a,bot=greedy"],
        },
        Row {
            name: "a bot that breaks before the game",
            files: vec![("b.rhai", "fn answer(view, ask) { ask.randm() }".to_owned())],
            args: PLAY,
        },
        Row {
            name: "a rating in a field that is not there",
            files: vec![],
            args: &["bot", "rate", "greedy", "--ruleset", "./mine.rhai"],
        },
        Row {
            name: "a rating in a tournament without a bot to rate",
            files: vec![(
                "cup.yaml",
                "{ ruleset: codelab, seats: 2, blocks: 1, bots: [greedy, odds] }".to_owned(),
            )],
            args: &["bot", "rate", "greedy", "--field", "./cup.yaml"],
        },
        Row {
            name: "a rating of a person",
            files: vec![],
            args: &["bot", "rate", "human"],
        },
    ]
}

/// A fault, and a bot that makes it.
const FAULTY: &[(&str, &str)] = &[
    ("it throws", "fn answer(view, ask) { throw \"no\" }"),
    ("it says nothing", "fn answer(view, ask) { }"),
    ("it says a number", "fn answer(view, ask) { 3 }"),
    (
        "it says what is not offered",
        "fn answer(view, ask) { ask.act(\"claim\", 1000) }",
    ),
    (
        "it misspells a verb",
        "fn answer(view, ask) { ask.act(\"clame\", 1) }",
    ),
    (
        "it forgets a parameter",
        "fn answer(view, ask) { ask.act(\"claim\") }",
    ),
    ("it lists numbers", "fn answer(view, ask) { [1, 2] }"),
    ("it lists nothing", "fn answer(view, ask) { [] }"),
    (
        "it lists too much",
        "fn answer(view, ask) { [ask.nth(0), ask.nth(0)] }",
    ),
    (
        "it plans nothing",
        "fn answer(view, ask) { ask.fight(0, 1) }",
    ),
    (
        "it misspells a rule of a fight",
        "fn answer(view, ask) { ask.fight(0, 1, #{ egde: 1 }) }",
    ),
    ("it never ends", "fn answer(view, ask) { loop { } }"),
    (
        "it never ends in a closure",
        "fn answer(view, ask) { let list = []; list.pad(1000, 1); list.map(|a| { let n = 0; while n < 1000 { n += 1; } n }); ask.random() }",
    ),
    (
        "it calls itself",
        "fn answer(view, ask) { again(1) }\nfn again(n) { again(n + 1) + 1 }",
    ),
    (
        "it doubles a string",
        "fn answer(view, ask) { let s = \"xx\"; loop { s += s; } }",
    ),
    (
        "it pads an array",
        "fn answer(view, ask) { let a = []; a.pad(1000000000, 1); ask.random() }",
    ),
    (
        "it nests arrays",
        "fn answer(view, ask) { let a = [1]; loop { a = [a, a]; } }",
    ),
    (
        "it fills a map",
        "fn answer(view, ask) { let m = #{}; let n = 0; loop { m[`k${n}`] = n; n += 1; } }",
    ),
    (
        "it fills a map with strings",
        "fn answer(view, ask) { let s = \"\"; s.pad(3700, 'x'); let m = #{}; let n = 0; loop { m[`k${n}`] = s + n; n += 1; } }",
    ),
    (
        "it fills a map with arrays",
        "fn answer(view, ask) { let a = []; a.pad(1700, 1); let m = #{}; let n = 0; loop { m[`k${n}`] = a; n += 1; } }",
    ),
    (
        "it divides by nothing",
        "fn answer(view, ask) { 1 / (view.me - view.me) }",
    ),
    (
        "it counts beyond the end",
        "fn answer(view, ask) { let n = 9223372036854775807; n + 1 }",
    ),
    (
        "it reads beyond an array",
        "fn answer(view, ask) { view.owned[99] }",
    ),
    (
        "it asks for an unknown territory",
        "fn answer(view, ask) { view.armies(-1) }",
    ),
    (
        "it misspells a counter",
        "fn answer(view, ask) { view.get(\"reserv\") }",
    ),
    (
        "it reads the deck",
        "fn answer(view, ask) { view.cards(\"deck\") }",
    ),
    (
        "it misspells a parameter",
        "fn answer(view, ask) { ask.nth(0).too }",
    ),
    (
        "its memory is misspelled",
        "fn answer(view, ask) { this.turn + 1 }",
    ),
    (
        "its start fails",
        "fn new_game(view) { throw \"not ready\" }\nfn answer(view, ask) { throw \"again\" }",
    ),
    (
        "it prints control characters",
        "fn answer(view, ask) { throw \"\\x1b[2J\" }",
    ),
];

/// Each bot becomes neutral after three strikes.
#[test]
fn faults_of_bots() {
    let mut text = String::new();
    for (name, bot) in FAULTY {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("b.rhai"), bot).unwrap();
        let args = words(
            "play --quiet --seed 1 --bot ./b.rhai --bot random --bot random --record r.jsonl --option max_turns=3",
        );
        let ran = run_in(folder.path(), &args);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        assert!(ran.out.contains("neutral"), "{name}: {}", ran.out);
        let record = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
        let faults: Vec<&str> = record
            .lines()
            .filter(|line| line.contains("\"fault\""))
            .collect();
        assert_eq!(faults.len(), 3, "{name}: three strikes");
        assert!(
            !ran.out.contains('\u{1b}') && !record.contains('\u{1b}'),
            "{name}"
        );
        writeln!(text, "### {name}\n{bot}\n{}\n", without_sum(faults[0])).unwrap();
    }
    insta::assert_snapshot!(text);
}
