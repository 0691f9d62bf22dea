//! Built-in bots that other programs ask in line-JSON play as they do in this process.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;

use super::{has, put};
use crate::support::{run, run_in, without_sum};

/// Games whose bots need no random numbers. One bot remembers events, one chooses among plans, some
/// see through fog.
const GAMES: [&str; 8] = [
    "codelab greedy 12",
    "codelab grudge 8",
    "codelab planner 12",
    "hasbro holder 12",
    "simplified outnumber 12",
    "warzone neutral 12",
    "warlight2 ./plans.rhai 12",
    "starwars ./plans.rhai 12",
];

const PLANS: &str = "fn answer(view, ask) { let all = ask.plans(); if all.len > 0 { return all[view.round % all.len]; } ask.nth(0) }\n";

/// Returns the answers of a game, and the number of faults.
fn answers(folder: &std::path::Path, ruleset: &str, turns: &str, bot: &str) -> Vec<String> {
    let game = [
        "play", "-q", "-s", "5", "-r", ruleset, "-o", turns, "--force",
    ];
    let with = ["--record", "game.jsonl", "--bot", bot];
    let ran = run_in(folder, &[&game[..], &with].concat());
    assert_eq!(ran.code, 0, "{ruleset}: {}", ran.err);
    let record = std::fs::read_to_string(folder.join("game.jsonl")).unwrap();
    let lines = record.lines().skip(1).map(without_sum);
    lines.map(str::to_owned).collect()
}

#[test]
fn a_served_bot_plays_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "plans.rhai", PLANS);
    for row in GAMES {
        let [ruleset, bot, turns] = row.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let turns = format!("max_turns={turns}");
        let here = answers(folder.path(), ruleset, &turns, &format!("name=x,bot={bot}"));
        assert!(here.len() > 10, "{row}");
        let program = cargo_bin!("risk-cli").display();
        let served = format!(
            "name=x,bot=\"cmd:{program} bot serve {bot} --protocol json --stdio\",timeout=60"
        );
        assert_eq!(
            answers(folder.path(), ruleset, &turns, &served),
            here,
            "{row}"
        );
    }
}

#[test]
fn a_bot_is_served_over_http_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = answers(folder.path(), "codelab", "max_turns=8", "name=x,bot=grudge");
    let mut server = Command::new(cargo_bin!("risk-cli"))
        .args([
            "bot",
            "serve",
            "grudge",
            "--protocol",
            "json",
            "--port",
            "0",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let out = server.stdout.take().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    let place = line
        .split_whitespace()
        .find(|word| word.starts_with("http"));
    let place = place.unwrap().trim_end_matches(';');
    let bot = format!("name=x,bot={place},protocol=json,timeout=60");
    let there = answers(folder.path(), "codelab", "max_turns=8", &bot);
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(there, here);
}

/// Messages to a served bot, and a part of its answer or error.
const WRONG: [(&str, &str); 8] = [
    ("nonsense", "JSON"),
    ("[]", "object"),
    (
        r#"{"type":"ask","id":7}"#,
        r#"{"id":7,"fault":{"code":"connection","#,
    ),
    (r#"{"type":"ask"}"#, "`id`"),
    (r#"{"type":"game"}"#, "`options`"),
    (
        r#"{"type":"game","options":{},"players":["a"],"you":1}"#,
        "player 1",
    ),
    (
        r#"{"type":"game","options":{},"players":["a","b"],"you":0,"ruleset":"chess","map":{"name":"m","continents":[],"territories":[]}}"#,
        "`chess`",
    ),
    (r#"{"type":"later","news":1}"#, ""),
];

#[test]
fn a_served_bot_says_what_it_does_not_understand() {
    for (said, told) in WRONG {
        let served = assert_cmd::Command::new(cargo_bin!("risk-cli"))
            .args(["bot", "serve", "greedy", "--protocol", "json", "--stdio"])
            .write_stdin(format!("{said}\n"))
            .output()
            .unwrap();
        let all = [served.stdout, served.stderr].concat();
        let all = String::from_utf8(all).unwrap();
        assert!(served.status.success(), "{said}: {all}");
        assert!(
            all.contains(told) && all.is_empty() == told.is_empty(),
            "{said}: {all}"
        );
    }
    let json = ["--protocol", "json"];
    for (more, codes, part) in [
        (&["--stdio"][..], &["bot::stdio"][..], "--protocol json"),
        (
            &[&json[..], &["--stdio", "-m", "ring"]].concat(),
            &["bot::serve"],
            "--map",
        ),
        (
            &[&json[..], &["--stdio", "--port", "0"]].concat(),
            &[],
            "--port",
        ),
    ] {
        let refused = run(&[&["bot", "serve", "greedy"], more].concat());
        assert_eq!(
            (refused.code, &refused.codes()[..]),
            (2, codes),
            "{}",
            refused.err
        );
        assert!(refused.err.contains(part), "{}", refused.err);
    }
}

/// A bot that logs its messages, and sometimes answers nonsense.
const WRONG_AT_TIMES: &str = r#"
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] in ("ask", "fault"): open("heard", "a").write(f"{m['type']} {m['id']}\n")
    if m["type"] == "hello": print(json.dumps({"protocol": 1}), flush=True)
    if m["type"] == "ask":
        o = m["options"][0]
        do = [o["verb"]] + [d[0] if isinstance(d, list) else d["min"] for d in o["parameters"]]
        print(json.dumps({"id": m["id"], "do": ["nonsense"] if m["id"] % 5 == 3 else do}), flush=True)
"#;

/// The fault message carries the number of the faulty answer's question.
#[test]
fn a_fault_is_told_before_the_bot_is_asked_again() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "wrong.py", WRONG_AT_TIMES);
    let more = ["--strikes", "1000"];
    let usual = [
        "play",
        "-q",
        "-r",
        "codelab",
        "-m",
        "grid:3x3",
        "-s",
        "1",
        "-o",
        "max_turns=6",
    ];
    let bots = [
        "--bot",
        "cmd:python3 wrong.py,sandbox=open",
        "--bot",
        "outnumber",
    ];
    let ran = run_in(folder.path(), &[&usual[..], &more, &bots].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let heard = std::fs::read_to_string(folder.path().join("heard")).unwrap();
    let mut expected = String::new();
    let asks = heard.lines().filter(|line| line.starts_with("ask"));
    for ask in asks {
        let id: u64 = ask.trim_start_matches("ask ").parse().unwrap();
        expected += &format!("ask {id}\n");
        if id % 5 == 3 {
            expected += &format!("fault {id}\n");
        }
    }
    assert!(expected.contains("fault 8\n"));
    assert_eq!(heard, expected);
}

/// A bot that writes down its first game and its first question, and stops.
const LISTENER: &str = r#"
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello": print(json.dumps({"protocol": 1}), flush=True)
    if m["type"] in ("game", "ask"): open(m["type"], "w").write(line)
    if m["type"] == "ask": sys.exit(0)
"#;

/// The value forged in a question, and a part of the expected error.
const FORGED: [(&str, &str, &str); 6] = [
    ("/state/units", r#"{"army":[-1]}"#, "`army`"),
    ("/state/units/army/0", "-1", "`units`"),
    ("/state/units/army/0", "2000000000", "`units`"),
    (
        "/state/units/army/1",
        "9223372036854775807",
        "`9223372036854775807`",
    ),
    ("/options/0/parameters/0", "[99]", "`place`"),
    ("/options/0/parameters/0", "[-1]", "`place`"),
];

#[test]
fn forged_numbers_are_refused() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "listener.py", LISTENER);
    super::play(folder.path(), "cmd:python3 listener.py,sandbox=open", &[]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (game, ask) = (read("game"), read("ask"));
    for (place, value, told) in FORGED {
        let mut forged: serde_json::Value = serde_json::from_str(&ask).unwrap();
        let slot = forged
            .pointer_mut(place)
            .unwrap_or_else(|| panic!("{place}: {ask}"));
        *slot = serde_json::from_str(value).unwrap();
        let served = assert_cmd::Command::new(cargo_bin!("risk-cli"))
            .args(["bot", "serve", "odds", "--protocol", "json", "--stdio"])
            .write_stdin(format!("{game}{forged}\n{ask}"))
            .output()
            .unwrap();
        let out = String::from_utf8(served.stdout).unwrap();
        let answers: Vec<&str> = out.lines().collect();
        assert!(
            answers.len() == 2 && answers[0].contains(told),
            "{place}: {out}"
        );
        assert!(answers[1].contains("\"do\""), "{place}: {out}");
    }
}
