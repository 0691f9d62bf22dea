//! Games with people, watched games, odds and analyses.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;

use risk_engine::record;

use super::{Session, sessions};
use crate::support::{TINY, run_in, run_typed, words};

/// A session of one command that reads no files.
const fn alone<'a>(name: &'a str, commands: &'a [&'a str]) -> Session<'a> {
    Session {
        name,
        files: &[],
        commands,
        typed: "",
    }
}

/// Options that contradict each other.
const PLAYS: [Session<'_>; 14] = [
    alone("people in many games", &["play --bot human --games 3"]),
    alone(
        "people with a clock",
        &["play --bot human --clock move=1s,bank=2s"],
    ),
    alone("an undo without people", &["play --takeback"]),
    alone(
        "a level without free seats",
        &["play -r codelab --bot human --bot odds --level easy"],
    ),
    alone("pages without people", &["play --web"]),
    alone(
        "spectators of a missing seat",
        &["play --bot human --web --onlookers 9"],
    ),
    alone("a story of many games", &["play --games 3 --story full"]),
    alone("many watched games", &["play --games 3 --watch"]),
    alone("no terminal to watch on", &["play --watch"]),
    alone(
        "a missing seat",
        &[
            "play -q --seed 1 --record g.jsonl",
            "replay g.jsonl --watch --seat 9",
        ],
    ),
    alone(
        "an existing record",
        &[
            "play -q --seed 1 --record g.jsonl",
            "play -q --seed 1 --record g.jsonl",
        ],
    ),
    alone(
        "threads with a bot over HTTP",
        &["play --games 2 --jobs 2 --bot http://127.0.0.1:9"],
    ),
    alone("a watched built-in bot", &["bot check --watch greedy"]),
    Session {
        name: "a program in a file",
        files: &[(
            "t.yaml",
            "ruleset: codelab\nmap: duel\nbots: [\"cmd:true\", random]\nblocks: 1\nseed: 1\n",
        )],
        commands: &["tournament run t.yaml"],
        typed: "",
    },
];

/// A record of three turns of hasbro's rules, and one of dense fog.
const RECORD: &str = "play -q --seed 1 -o max_turns=3 --record g.jsonl";
const FOGGED: &str =
    "play -q -r warzone -m duel -o fog=dense -o max_turns=3 --seed 1 --record g.jsonl";

const ODDS: [Session<'_>; 7] = [
    alone(
        "odds from a neutral territory",
        &[RECORD, "odds --position g.jsonl@1 alaska kamchatka"],
    ),
    alone(
        "odds of a distant territory",
        &[RECORD, "odds --position g.jsonl@120 alaska brazil"],
    ),
    alone(
        "odds of an unknown territory",
        &[RECORD, "odds --position g.jsonl@120 alaska kamchakta"],
    ),
    alone(
        "odds of a territory that is like no other",
        &[RECORD, "odds --position g.jsonl@120 alaska atlantis"],
    ),
    alone(
        "odds in fog",
        &[FOGGED, "odds --position g.jsonl@11 red-bay red-keep"],
    ),
    alone("odds that a ruleset lacks", &["odds -r starwars 3 2"]),
    Session {
        name: "odds of numbers that a ruleset lacks",
        files: &[(
            "r.rhai",
            "fn ruleset() { #{ extends: \"starwars\", name: \"r\" } }\nfn chance(view, from, to) { 0.5 }\n",
        )],
        commands: &["odds -r ./r.rhai 3 2"],
        typed: "",
    },
];

const ANALYSES: [Session<'_>; 4] = [
    alone(
        "too many rollouts",
        &[RECORD, "analyse g.jsonl --rollouts 9999"],
    ),
    alone(
        "too many decisions",
        &[RECORD, "analyse g.jsonl --rollouts 9999 --decisions 9999"],
    ),
    alone(
        "rollouts by a separate program",
        &[
            RECORD,
            "analyse g.jsonl --rollouts 1 --bot http://127.0.0.1:9",
        ],
    ),
    alone(
        "no known averages",
        &[
            "play -q -r starwars --seed 1 --record g.jsonl",
            "analyse g.jsonl",
        ],
    ),
];

#[test]
fn games_and_their_options() {
    insta::assert_snapshot!(sessions(&PLAYS));
}

#[test]
fn odds_and_analyses() {
    let all = [sessions(&ODDS), sessions(&ANALYSES)];
    insta::assert_snapshot!(all.concat());
}

const GAME: &str = "play -r codelab -m tiny.yaml --bot name=ann,bot=human --bot outnumber --seed 2 --record g.jsonl";

/// Lines that play nothing.
const MISTYPED: &str = "attack a b
shoot a
place
place zz
place a b c d
place b
place b 9
place b many
undo
hint nobody
hint cmd:true
cards
orders
attacks
hint
?
players
log
\u{1b}[2J
!
shoot !
quit
";

#[test]
fn lines_of_people() {
    let files: &[(&str, &str)] = &[("tiny.yaml", TINY)];
    let long = "a".repeat(4_097);
    let all = [
        Session {
            name: "mistyped lines",
            files,
            commands: &[GAME],
            typed: MISTYPED,
        },
        Session {
            name: "an undo after dice",
            files,
            commands: &["play -m tiny.yaml --bot human -p 3 --seed 2 --record g.jsonl"],
            typed: "auto\nauto\nauto\n\nundo\nquit\n",
        },
        Session {
            name: "a long line",
            files,
            commands: &[GAME],
            typed: &long,
        },
        Session {
            name: "a bot that has changed",
            files,
            commands: &[
                "bot new mine",
                "play -r codelab -m tiny.yaml --bot human --bot ./mine.rhai --seed 2 --record g.jsonl",
                "bot new mine --style answer --force",
                "play --resume g.jsonl",
            ],
            typed: "",
        },
    ];
    insta::assert_snapshot!(sessions(&all));
}

/// Plays a game with a person in the folder `here`, and resumes it after a change.
fn resumed(
    name: &str,
    command: &str,
    typed: &str,
    change: impl FnOnce(&Path) -> Option<File>,
) -> String {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("here");
    fs::create_dir(&here).unwrap();
    fs::write(here.join("tiny.yaml"), TINY).unwrap();
    fs::write(
        folder.path().join("b.rhai"),
        "fn answer(view, ask) { ask.random() }\n",
    )
    .unwrap();
    let ran = run_typed(&here, &words(command), typed);
    assert_eq!(ran.code, 0, "{name}: {}", ran.err);
    let _locked = change(&here.join("g.jsonl"));
    let ran = run_in(&here, &["play", "--resume", "g.jsonl"]);
    let mut text = String::new();
    writeln!(
        text,
        "### {name}\n$ risk-cli play --resume g.jsonl\n{}{}exit code {}\n",
        ran.err, ran.out, ran.code
    )
    .unwrap();
    text
}

/// Replaces the digests of a record's turns, with correct sums.
fn forge(path: &Path) -> Option<File> {
    let mut last = String::new();
    let mut lines = String::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        let (body, _) = record::split_sum(line).unwrap();
        let body = match body.split_once("\"digest\":\"") {
            Some((head, tail)) if head.contains("\"line\":\"turn\"") => {
                format!("{head}\"digest\":\"{}{}", "0".repeat(16), &tail[16..])
            }
            _ => body.to_owned(),
        };
        last = record::sum(&last, &body);
        writeln!(lines, "{body},\"sum\":\"{last}\"}}").unwrap();
    }
    fs::write(path, lines).unwrap();
    None
}

/// Swaps two lines of a record.
fn swap(path: &Path) -> Option<File> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.swap(1, 2);
    fs::write(path, lines.join("\n") + "\n").unwrap();
    None
}

fn lock(path: &Path) -> Option<File> {
    let file = File::open(path).unwrap();
    file.lock().unwrap();
    Some(file)
}

#[test]
fn resumed_games() {
    let outside = GAME.replace("outnumber", "../b.rhai");
    let all = [
        resumed("a game that is over", GAME, &"auto\n".repeat(60), |_| None),
        resumed("a game that another program plays", GAME, "quit\n", lock),
        resumed("a damaged record", GAME, "auto\nauto\nquit\n", swap),
        resumed("a record that differs", GAME, "auto\nauto\nquit\n", forge),
        resumed("a bot outside of the folder", &outside, "quit\n", |_| None),
    ];
    insta::assert_snapshot!(all.concat());
}
