//! Bots outside the program: invalid specifications, and programs and servers that misbehave.

use std::fmt::Write as _;

use super::{Session, sessions};
use crate::pipes::{has, put};
use crate::support::run_in;

const SPECIFICATIONS: &[(&str, &str)] = &[
    ("no address", "http://"),
    ("an address with a user", "http://user@host/?x"),
    ("an empty command", "cmd:"),
    ("an encoding misspelled", "http://127.0.0.1:1,encoding=frm"),
    (
        "a dialect misspelled",
        "http://127.0.0.1:1,protocol=callback,dialect=sed",
    ),
    ("a protocol misspelled", "http://127.0.0.1:1,protocol=jsn"),
    (
        "a protocol of another transport",
        "cmd:bot,protocol=hacker-risk",
    ),
    (
        "a setting of another protocol",
        "http://127.0.0.1:1,dialect=snow",
    ),
    (
        "a setting without a protocol for it",
        "cmd:bot,encoding=form",
    ),
    ("a sandbox for a server", "http://127.0.0.1:1,sandbox=on"),
    ("a sandbox misspelled", "cmd:bot,sandbox=of"),
    ("a time limit of nothing", "http://127.0.0.1:1,timeout=0"),
    ("a clock without a key", "http://127.0.0.1:1,clock=2s"),
    ("a folder to read that is missing", "cmd:bot,read=none"),
    ("a quote of `env` that is open", "cmd:bot,env='A"),
    ("a file that is missing", "cmd:bot,files=none.py"),
    ("a folder in the place of a file", "cmd:bot,files=."),
    ("a quote of `files` that is open", "cmd:bot,files='bot.py"),
    ("a protocol for other rulesets", "http://127.0.0.1:1"),
    (
        "a server that is not running",
        "http://127.0.0.1:1,protocol=json",
    ),
];

#[test]
fn mistakes_in_remote_bots() {
    let commands: Vec<String> = SPECIFICATIONS
        .iter()
        .map(|(_, bot)| format!("play -q -r codelab --bot {bot} --bot random"))
        .collect();
    let commands: Vec<[&str; 1]> = commands.iter().map(|line| [line.as_str()]).collect();
    let rows = SPECIFICATIONS.iter().zip(&commands);
    let rows: Vec<_> = rows
        .map(|((name, _), commands)| Session {
            name,
            commands,
            ..Session::default()
        })
        .collect();
    insta::assert_snapshot!(sessions(&rows));
}

/// Messages to a bot served over standard input and output.
const MESSAGES: &[(&str, &str)] = &[
    ("no JSON", "nonsense"),
    ("no object", "[]"),
    ("no id", r#"{"type":"ask"}"#),
    ("a question before the game", r#"{"type":"ask","id":7}"#),
    ("no options", r#"{"type":"game"}"#),
    (
        "a seat without a player",
        r#"{"type":"game","options":{},"players":["a"],"you":1}"#,
    ),
    (
        "another type",
        r#"{"type":"game","options":[],"players":["a"],"you":1}"#,
    ),
    (
        "an unknown ruleset",
        r#"{"type":"game","options":{},"players":["a","b"],"you":0,"ruleset":"chess","map":{"name":"m","continents":[],"territories":[]}}"#,
    ),
];

#[test]
fn mistakes_in_messages_to_served_bots() {
    let lines: Vec<String> = MESSAGES
        .iter()
        .map(|(_, said)| format!("{said}\n"))
        .collect();
    let rows: Vec<_> = MESSAGES
        .iter()
        .zip(&lines)
        .map(|((name, _), typed)| Session {
            name,
            commands: &["bot serve greedy --protocol json --stdio"],
            typed,
            ..Session::default()
        })
        .collect();
    insta::assert_snapshot!(sessions(&rows));
}

/// Modes of the program `misbehaving.py` that answer the greeting badly.
const GREETINGS: &[&str] = &[
    "hello-exit",
    "hello-garbage",
    "hello-list",
    "hello-later",
    "hello-wants",
    "hello-refuses",
    "hello-refuses-nothing",
];

/// Modes that answer a question badly.
const ANSWERS: &[&str] = &[
    "null",
    "text",
    "id-text",
    "id-none",
    "do-none",
    "do-empty",
    "do-number",
    "do-verb",
    "do-few",
    "do-place",
    "do-many",
    "do-not-offered",
    "key-twice",
    "fault-told",
    "fault-kind",
    "fault-text",
    "fault-long",
];

/// Modes that exit, or write too much.
const EXITS: &[&str] = &["exit-0", "signal", "traceback", "long-line", "flood-old"];

/// Plays the program in each mode, and returns its faults without the report of the game.
fn misbehaving(modes: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        "bot.py",
        include_str!("../pipes/misbehaving.py"),
    );
    let line = "play -q -r codelab -m grid:3x3 -s 1 -o max_turns=2 --strikes 1 --seats fixed --bot";
    let usual: Vec<&str> = line.split(' ').collect();
    let mut text = String::new();
    for mode in modes {
        let bot = format!("name=bot,bot=cmd:python3 bot.py {mode},sandbox=open");
        let ran = run_in(
            folder.path(),
            &[&usual[..], &[bot.as_str(), "--bot", "random"]].concat(),
        );
        writeln!(text, "### {mode}\n{}exit code {}\n", ran.err, ran.code).unwrap();
    }
    text
}

#[test]
fn programs_that_fail_to_greet() {
    if has("python3") {
        insta::assert_snapshot!(misbehaving(GREETINGS));
    }
}

#[test]
fn programs_that_answer_badly() {
    if has("python3") {
        insta::assert_snapshot!(misbehaving(ANSWERS));
    }
}

#[test]
fn programs_that_exit() {
    if has("python3") {
        insta::assert_snapshot!(misbehaving(EXITS));
    }
}
