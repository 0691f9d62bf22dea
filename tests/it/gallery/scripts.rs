//! Scripts that can't be read or that fail, files of tests, and starter files.

use super::{Session, sessions};

const POSITION: &str = include_str!("../../../docs/examples/puzzle.yaml");

const CHECK: &[&str] = &["bot check ./b.rhai --games 0"];
const SHOW: &[&str] = &["bot show ./b.rhai"];
const PLAY: &[&str] =
    &["play --quiet --seed 1 --ruleset codelab -o max_turns=1 --bot ./b.rhai --bot random"];

/// Code inside `answer`, of which only reading finds the mistake.
const READ: &[(&str, &str)] = &[
    ("a hook's parameter assigned", "view.round = 3;"),
    (
        "a function with another number of parameters",
        "[1].sort_by(|a| a);",
    ),
    ("the namespace global", "let a = global::NOBODY; a.abs();"),
    ("a namespace that is not imported", "lib::half(4);"),
    ("a chain after a constant", "let a = PLAYERS.abs();"),
    ("a sine", "let a = (2.0).sin();"),
    ("a bracket that is missing", "ask.nth(0;"),
];

/// Code inside `answer`, which fails when it runs.
const RUN: &[(&str, &str)] = &[
    ("a property of a number", "let a = 3; a.armies;"),
    ("a method on a constant", "const a = [1]; a.push(2);"),
    ("a constant changed", "const a = 1; a += 1;"),
    (
        "a condition that is a number",
        "if view.round { return ask.nth(0); }",
    ),
    ("an index into a boolean", "let a = true; ask.nth(a[0]);"),
    ("a loop over a number", "for x in view.round { }"),
    ("a key that a map does not have", "this.turn + 1;"),
    ("a sort by strings", "[2, 1].order(|x, y| \"no\");"),
    (
        "a comparison by numbers",
        "let a = [2, 1]; a.dedup(|x, y| 1);",
    ),
    (
        "a function that takes one element of two",
        "let f = |q| 1; [2, 1].order(f);",
    ),
    (
        "a function that does not exist",
        "[2, 1].order(\"absent\");",
    ),
    ("no number as an integer", "(0.0 / 0.0).to_int();"),
    ("too large a float", "(1.0e30).to_int();"),
    ("a word as an integer", "parse_int(\"x\");"),
    ("a negative root", "(-1.0).sqrt();"),
    (
        "too much memory",
        "let a = []; a.pad(1700, 1); let m = #{}; let n = 0; loop { m[`k${n}`] = a; n += 1; }",
    ),
];

/// Declarations of settings.
const SETTINGS: &[(&str, &str)] = &[
    ("settings that are a number", "7"),
    ("a setting that is a number", "#{ edge: 7 }"),
    ("a setting without a value", "#{ edge: #{ range: 0..=9 } }"),
    ("a setting without a range", "#{ edge: #{ value: 2 } }"),
    (
        "a setting out of its range",
        "#{ edge: #{ value: 2, range: 3..=9 } }",
    ),
    (
        "a setting with a huge range",
        "#{ edge: #{ value: 2, range: 0..=9999999999 } }",
    ),
    (
        "a setting with an unknown key",
        "#{ edge: #{ value: 2, range: 0..=9, abot: 1 } }",
    ),
    (
        "a setting about a number",
        "#{ edge: #{ value: 2, range: 0..=9, about: 1 } }",
    ),
    (
        "a setting in capitals",
        "#{ Edge: #{ value: 2, range: 0..=9 } }",
    ),
    (
        "a setting with the name of a constant",
        "#{ players: #{ value: 2, range: 0..=9 } }",
    ),
    ("settings without end", "{ loop {} }"),
];

/// Runs commands with a bot, one for each row of a name and a script.
fn with_bots(rows: &[(&str, String)], commands: &[&str]) -> String {
    let shown = rows.iter().map(|(name, script)| {
        sessions(&[Session {
            name,
            files: &[("b.rhai", script.as_str())],
            commands,
            ..Session::default()
        }])
    });
    shown.collect()
}

fn answering<'a>(rows: &[(&'a str, &str)]) -> Vec<(&'a str, String)> {
    let script =
        |body: &str| format!("fn answer(view, ask) {{\n    {body}\n    ask.random()\n}}\n");
    rows.iter()
        .map(|(name, body)| (*name, script(body)))
        .collect()
}

#[test]
fn mistakes_found_by_reading() {
    let mut rows = answering(READ);
    let others = [
        (
            "a function that hides a method",
            "fn odds(a, b) { a + b }\nfn answer(view, ask) { odds(1, 2); view.odds(0, 1); ask.random() }\n",
        ),
        (
            "a newer version",
            "const API = 2;\nfn answer(view, ask) { ask.random() }\n",
        ),
        (
            "code outside functions",
            "debug(1);\nfn answer(view, ask) { ask.random() }\n",
        ),
    ];
    rows.extend(others.map(|(name, text)| (name, text.to_owned())));
    insta::assert_snapshot!(with_bots(&rows, CHECK));
}

#[test]
fn mistakes_found_by_running() {
    insta::assert_snapshot!(with_bots(&answering(RUN), PLAY));
}

#[test]
fn more_mistakes_than_are_shown() {
    let calls: String = (0..101).map(|index| format!("ask.x{index}(); ")).collect();
    insta::assert_snapshot!(with_bots(
        &answering(&[("a hundred and one", calls.as_str())]),
        CHECK
    ));
}

#[test]
fn settings_of_bots() {
    let script = |declared: &str| {
        format!("fn settings() {{ {declared} }}\nfn answer(view, ask) {{ ask.nth(0) }}\n")
    };
    let rows: Vec<_> = SETTINGS
        .iter()
        .map(|(name, declared)| (*name, script(declared)))
        .collect();
    let mut text = with_bots(&rows, SHOW);
    let valid = [("set", script("#{ edge: #{ value: 2, range: 0..=9 } }"))];
    for spec in ["edge=10", "egde=1", "edge=07", "edge=1,set.edge=2"] {
        let command = format!("bot show ./b.rhai,set.{spec}");
        text.push_str(&with_bots(&valid, &[command.as_str()]));
    }
    insta::assert_snapshot!(text);
}

/// A ruleset of which the script fights, with this phase and this hook.
fn fights(phase: &str, hook: &str) -> String {
    format!(
        "fn ruleset() {{ #{{ extends: \"codelab\", name: \"mine\", options: #{{ max_turns: 4 }},
    phases: #{{ attack: {phase} }},
}} }}
fn attack_options(g, me, out) {{
    for from in g.owned(me) {{
        if g.armies(from) > 1 {{ out.offer(ATTACK, from, g.foes(me, from), 1); }}
    }}
    out.offer(DONE);
}}
fn attack_apply(g, me, said) {{
    if said.verb == DONE {{ g.done(me); return; }}
    g.add_armies(said.from, -1);
}}
{hook}
"
    )
}

#[test]
fn rulesets_without_odds() {
    let percent = fights("script().fights(\"percent\")", "");
    let wrong = fights("script()", "fn chance(view, from, to) { 1.1 }");
    let none = fights("script()", "");
    let bot =
        "fn answer(view, ask) {\n    let best = view.odds(0, 1);\n    ask.nth(best.to_int())\n}\n";
    let rules = &["ruleset check ./r.rhai --games 0"];
    insta::assert_snapshot!(sessions(&[
        Session {
            name: "fights by tables that are missing",
            files: &[("r.rhai", percent.as_str())],
            commands: rules,
            ..Session::default()
        },
        Session {
            name: "a chance of more than 1",
            files: &[("r.rhai", wrong.as_str())],
            commands: &["ruleset check ./r.rhai --games 1"],
            ..Session::default()
        },
        Session {
            name: "a bot that needs odds",
            files: &[("r.rhai", none.as_str()), ("b.rhai", bot)],
            commands: &["bot check ./b.rhai --ruleset ./r.rhai --games 0"],
            ..Session::default()
        },
    ]));
}

/// Lines of a test of a bot.
const BOT_TESTS: &[&str] = &[
    "says: done",
    "not: attack alaska northwest-territory 3",
    "says: []",
    "seed: 3",
    "says: 3",
    "sais: done",
    "says: atack x",
];
/// Lines of a test of rules.
const RULES_TESTS: &[&str] = &[
    "can: attack kamchatka japan 1",
    "cannot: done",
    "say: [attack alaska ontario 3]",
    "phase: fortify",
    "asks: blue",
    "armies: { alaska: 3 }",
    "owner: { alska: red }",
    "counters: { red: { reserve: 1 } }",
    "counters: { rde: { reserve: 1 } }",
    "winners: [red]",
];

#[test]
fn tests_that_fail() {
    let mut text = String::new();
    let run = |name: &str, head: &str, command: &str| {
        let tests = format!("{head}tests:\n  - name: it\n    from: ./puzzle.yaml\n    {name}\n");
        sessions(&[Session {
            name,
            files: &[("puzzle.yaml", POSITION), ("t.yaml", tests.as_str())],
            commands: &[command],
            ..Session::default()
        }])
    };
    for line in BOT_TESTS {
        text.push_str(&run(line, "bot: odds\n", "bot test t.yaml"));
    }
    for line in RULES_TESTS {
        text.push_str(&run(line, "", "ruleset test t.yaml"));
    }
    text.push_str(&run("can: done", "", "ruleset test t.yaml --only other"));
    text.push_str(&sessions(&[Session {
        name: "no tests",
        files: &[("t.yaml", "tests: []\n")],
        commands: &["ruleset test t.yaml"],
        ..Session::default()
    }]));
    insta::assert_snapshot!(text);
}

#[test]
fn searches_and_starter_files() {
    let base = "fn ruleset() { #{ extends: \"hasbro\", name: \"base\" } }\n";
    let lines = [
        "ruleset api amries",
        "ruleset api armies split",
        "bot new My_Bot",
        "bot new general",
        "ruleset new mine --extends other/base.rhai",
    ];
    let shown = lines.map(|line| {
        sessions(&[Session {
            name: line,
            files: &[("other/base.rhai", base)],
            commands: &[line],
            ..Session::default()
        }])
    });
    insta::assert_snapshot!(shown.concat());
}
