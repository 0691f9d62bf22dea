//! Records: written, replayed, verified; and every way in which one can be broken.

use std::path::Path;

use risk_cli::record::{Line, read};

use crate::support::{run_in, tiny};

/// Records a short game and returns its text.
fn recorded(folder: &Path, seed: &str, bots: &[&str]) -> String {
    let mut args = vec!["play", "--quiet", "--map", "./tiny.yaml", "--seed", seed, "--record", "game.jsonl"];
    for bot in bots {
        args.extend(["--bot", bot]);
    }
    let ran = run_in(folder, &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    std::fs::read_to_string(folder.join("game.jsonl")).unwrap()
}

#[test]
fn a_record_replays_to_the_last_digest() {
    let folder = tiny();
    for (seed, bots) in [("1", ["random", "outnumber", "holder"]), ("2", ["greedy", "turtle", "odds"])] {
        let text = recorded(folder.path(), seed, &bots);
        let record = read(&text).unwrap();
        assert!(record.is_whole());
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(
            ran.out.starts_with(&format!("game.jsonl replays exactly: {} decisions", record.answers())),
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_replay_tells_the_same_story() {
    let folder = tiny();
    let args = ["play", "--map", "./tiny.yaml", "--seed", "4", "--record", "game.jsonl"];
    let played = run_in(folder.path(), &args);
    let replayed = run_in(folder.path(), &["replay", "game.jsonl"]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    let tail = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(tail(&played.out), tail(&replayed.out));
    assert!(played.out.lines().count() > 30);
}

#[test]
fn a_replay_can_stop_early() {
    let folder = tiny();
    recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    let ran = run_in(folder.path(), &["replay", "game.jsonl", "--to", "108"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("After 108 decisions in round 1"), "{}", ran.out);
}

#[test]
fn faults_are_recorded_and_replayed_without_the_bot() {
    let folder = tiny();
    let bot = "fn answer(view, ask) { if view.turn < 2 { ask.random() } else { throw \"I give up\" } }";
    std::fs::write(folder.path().join("quitter.rhai"), bot).unwrap();
    for policy in ["skip", "first-option", "neutral", "forfeit"] {
        let args = [
            "play",
            "--quiet",
            "--map",
            "./tiny.yaml",
            "--seed",
            "6",
            "--record",
            "game.jsonl",
            "--bot",
            "./quitter.rhai",
            "--bot",
            "outnumber",
            "--bot",
            "random",
            "--on-fault",
            policy,
            "--option",
            "max_turns=30",
        ];
        let ran = run_in(folder.path(), &args);
        assert_eq!(ran.code, 0, "{policy}: {}", ran.err);
        let text = std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
        let record = read(&text).unwrap();
        let faults = record.lines.iter().filter(|(_, line)| matches!(line, Line::Fault { fault, text, .. } if fault == "script" && text.contains("I give up")));
        assert!(faults.count() >= 3, "{policy}");
        let by_policy = record.lines.iter().any(|(_, line)| matches!(line, Line::Say { by_policy: true, .. }));
        assert_eq!(by_policy, policy == "first-option");
        std::fs::rename(folder.path().join("quitter.rhai"), folder.path().join("away")).unwrap();
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{policy}");
        std::fs::rename(folder.path().join("away"), folder.path().join("quitter.rhai")).unwrap();
    }
}

type Break = fn(&str) -> String;

/// The text with its n-th line (from 1) changed.
fn line(text: &str, number: usize, change: impl Fn(&str) -> String) -> String {
    text.lines()
        .enumerate()
        .map(|(index, line)| if index + 1 == number { change(line) } else { line.to_owned() } + "\n")
        .collect()
}

/// What is changed, the exit code, and what is said.
const DAMAGES: &[(&str, Break, i32, &str)] = &[
    ("empty", |_| String::new(), 2, "the file is empty"),
    ("foreign", |_| "hello\n".to_owned(), 2, "this is no record of risk-cli: the first line is not JSON"),
    ("other json", |_| "{\"a\": 1}\n".to_owned(), 2, "the first line has no \"record\": \"risk-cli\""),
    (
        "other format",
        |text| text.replacen("\"format\":1", "\"format\":9", 1),
        2,
        "the record has format 9, and this program reads format 1",
    ),
    ("unknown key", |text| text.replacen("\"seed\"", "\"sed\"", 1), 2, "the header is damaged: unknown field `sed`"),
    (
        "no players",
        |text| {
            line(text, 1, |head| {
                let start = head.find("\"players\"").unwrap();
                let end = head[start..].find(']').unwrap() + start;
                format!("{}\"players\":[]{}", &head[..start], &head[end + 1..])
            })
        },
        2,
        "its players are not seated from 1 on",
    ),
    (
        "other map",
        |text| text.replacen("\"map_hash\":\"", "\"map_hash\":\"0", 1),
        2,
        "is not the one that game.jsonl was recorded with",
    ),
    (
        "other rules",
        |text| text.replacen("\"ruleset_hash\":\"", "\"ruleset_hash\":\"0", 1),
        2,
        "the ruleset hasbro is not the one",
    ),
    ("unknown option", |text| text.replacen("\"rounding\"", "\"roundness\"", 1), 2, "no option `roundness`"),
    (
        "other ruleset",
        |text| text.replacen("\"ruleset\":\"hasbro\"", "\"ruleset\":\"hasbroo\"", 1),
        2,
        "there is no ruleset named `hasbroo`",
    ),
    ("cut in a line", |text| text[..text.len() - 30].to_owned(), 1, "the record is cut off in the middle of a line"),
    (
        "cut after a line",
        |text| text.lines().take(50).map(|line| format!("{line}\n")).collect(),
        1,
        "the record ends before the game does",
    ),
    ("garbage", |text| line(text, 20, |_| "garbage".to_owned()), 1, "the line is no line of a record"),
    ("unknown seat", |text| line(text, 20, |old| old.replacen("\"seat\":", "\"seat\":1", 1)), 1, "there is no seat 1"),
    ("more after the end", |text| format!("{text}{text}"), 1, "there is more after the end of the game"),
    ("unknown verb", |text| line(text, 3, |old| old.replace("claim", "clam")), 1, "there is no verb `clam`"),
    (
        "unknown land",
        |text| line(text, 2, |_| "{\"n\":1,\"seat\":1,\"say\":\"claim zz\"}".to_owned()),
        1,
        "`zz` is no territory for `at` of `claim`",
    ),
    (
        "not offered",
        |text| line(text, 2, |_| "{\"n\":1,\"seat\":1,\"say\":\"done\"}".to_owned()),
        1,
        "`done` is not offered here; offered: claim",
    ),
    ("other dice", |text| text.replacen("\"seed\":1", "\"seed\":2", 1), 1, ""),
    (
        "other digest",
        |text| {
            let number = text.lines().position(|line| line.contains("\"turn\":2")).unwrap() + 1;
            line(text, number, |old| old.replacen("\"digest\":\"", "\"digest\":\"0", 1))
        },
        1,
        "at turn 2 the record has the digest 0",
    ),
    (
        "other end",
        |text| line(text, text.lines().count(), |old| old.replacen("\"digest\":\"", "\"digest\":\"0", 1)),
        1,
        "at the end the record has the digest 0",
    ),
];

#[test]
fn every_kind_of_damage_is_named_with_its_place() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    for (name, damage, code, expected) in DAMAGES {
        std::fs::write(folder.path().join("game.jsonl"), damage(&text)).unwrap();
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        let told = ran.err.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(told.contains(expected), "{name}: {}", ran.err);
        assert_eq!(ran.code, *code, "{name}: {}", ran.err);
        assert!(!ran.err.is_empty(), "{name}");
    }
}

#[test]
fn what_is_whole_of_a_damaged_record_is_told() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    std::fs::write(folder.path().join("game.jsonl"), &text[..text.len() * 9 / 10]).unwrap();
    let ran = run_in(folder.path(), &["replay", "game.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("Round 1"), "{}", ran.out);
    assert!(ran.err.contains("decisions before it can be read"), "{}", ran.err);
}
