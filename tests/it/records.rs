//! Records: written, replayed, verified; and every way in which one can be broken.

use std::path::Path;

use risk_cli::kernel::Stop;
use risk_cli::kernel::rng::{Purpose, Stream};
use risk_cli::matches::Worker;
use risk_cli::record::{Line, Recorder, header, map_hash, read, verify};

use crate::support::{run_in, tiny, without_sum, words};

/// Records a short game and returns its text.
fn recorded(folder: &Path, seed: &str, bots: &[&str]) -> String {
    let mut args = vec![
        "play",
        "--quiet",
        "--force",
        "--map",
        "./tiny.yaml",
        "--seed",
        seed,
        "--record",
        "game.jsonl",
    ];
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
    for (seed, bots) in [
        ("1", ["random", "outnumber", "holder"]),
        ("2", ["greedy", "turtle", "odds"]),
    ] {
        let text = recorded(folder.path(), seed, &bots);
        let record = read(&text).unwrap();
        assert!(record.is_whole());
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let (lines, answers) = (text.lines().count(), record.answers());
        let told = format!("game.jsonl replays exactly: {lines} lines, {answers} decisions");
        assert!(
            ran.out.starts_with(&told) && ran.out.contains(&record.last_sum),
            "{}",
            ran.out
        );
        // The sums are as docs/records.md says.
        assert_eq!(chained(&text), text);
    }
}

#[test]
fn a_replay_tells_the_same_story() {
    let folder = tiny();
    let args = [
        "play",
        "--map",
        "./tiny.yaml",
        "--seed",
        "4",
        "--record",
        "game.jsonl",
    ];
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
    assert!(
        ran.out.contains("After 108 decisions in round 1"),
        "{}",
        ran.out
    );
}

#[test]
fn faults_are_recorded_and_replayed_without_the_bot() {
    let folder = tiny();
    let bot =
        "fn answer(view, ask) { if view.turn < 2 { ask.random() } else { throw \"I give up\" } }";
    std::fs::write(folder.path().join("quitter.rhai"), bot).unwrap();
    for policy in ["skip", "first-option", "neutral", "forfeit"] {
        let args = [
            "play",
            "--quiet",
            "--force",
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
        let faults = record.lines.iter().filter(|(_, line)| matches!(line, Line::Fault { kind, text, .. } if kind == "script" && text.contains("I give up")));
        assert!(faults.count() >= 3, "{policy}");
        let by_policy = record.lines.iter().any(|(_, line)| {
            matches!(
                line,
                Line::Answer {
                    by_policy: true,
                    ..
                }
            )
        });
        assert_eq!(by_policy, policy == "first-option");
        std::fs::rename(
            folder.path().join("quitter.rhai"),
            folder.path().join("away"),
        )
        .unwrap();
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{policy}");
        std::fs::rename(
            folder.path().join("away"),
            folder.path().join("quitter.rhai"),
        )
        .unwrap();
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

/// The number of the first line in which this stands.
fn find(text: &str, part: &str) -> usize {
    text.lines().position(|line| line.contains(part)).unwrap() + 1
}

/// The same lines with the sums that they must have: what somebody does who edits a record.
pub(crate) fn chained(text: &str) -> String {
    let (mut before, mut all) = (String::new(), String::new());
    for line in text.lines() {
        let body = without_sum(line).trim_end_matches('}');
        let body = if line.contains(",\"sum\":\"") {
            without_sum(line)
        } else {
            body
        };
        let sum = blake3::hash(format!("{before}{body}").as_bytes()).to_hex()[..16].to_owned();
        all.push_str(&format!("{body},\"sum\":\"{sum}\"}}\n"));
        before = sum;
    }
    all
}

fn numbers(line: &str, key: &str, now: &str) -> String {
    let start = line.find(&format!("\"{key}\":")).unwrap() + key.len() + 3;
    let len = line[start..].find([',', '}']).unwrap();
    format!("{}{now}{}", &line[..start], &line[start + len..])
}

/// What is changed, the exit code, and what is said; the sums stay as they were.
const DAMAGES: &[(&str, Break, i32, &str)] = &[
    ("empty", |_| String::new(), 2, "the file is empty"),
    (
        "foreign",
        |_| "hello\n".to_owned(),
        2,
        "this is no record of risk-cli: expected a line of JSON",
    ),
    (
        "other json",
        |_| "{\"a\": 1}\n".to_owned(),
        2,
        "the first line has no \"record\": \"risk-cli\"",
    ),
    (
        "an older format",
        |text| text.replacen("\"format\":2", "\"format\":1", 1),
        2,
        "the record has format 1, which risk-cli 0.1.0 of before November 2026 wrote and reads; this program reads format 2",
    ),
    (
        "another format",
        |text| text.replacen("\"format\":2", "\"format\":9", 1),
        2,
        "the record has format 9, and this program reads format 2",
    ),
    (
        "a key misspelled in the header",
        |text| text.replacen("\"seed\"", "\"sed\"", 1),
        2,
        "key `seed` of the header is missing: expected a whole number from 0 on",
    ),
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
        "key `players` of the header: expected 1 to 32 players, found 0",
    ),
    (
        "header changed",
        |text| text.replacen("\"name\":\"random\"", "\"name\":\"alice\"", 1),
        2,
        "key `sum`: expected",
    ),
    (
        "cut in a line",
        |text| text[..text.len() - 30].to_owned(),
        1,
        "the record is cut off in the middle of a line",
    ),
    (
        "cut after a line",
        |text| {
            text.lines()
                .take(50)
                .map(|line| format!("{line}\n"))
                .collect()
        },
        1,
        "the record ends before the game does",
    ),
    (
        "garbage",
        |text| line(text, 20, |_| "garbage".to_owned()),
        1,
        "expected a line of JSON: expected value at column 1",
    ),
    (
        "a list",
        |text| line(text, 20, |_| "[]".to_owned()),
        1,
        "expected a line of a record, an object, found []",
    ),
    (
        "no kind",
        |text| line(text, 20, |_| "{\"n\":19}".to_owned()),
        1,
        "key `line` of a line of a record is missing: expected a text",
    ),
    (
        "another kind",
        |text| line(text, 20, |old| old.replacen("\"answer\"", "\"answr\"", 1)),
        1,
        "key `line`: expected answer, fault, turn, note or end, found \"answr\"",
    ),
    (
        "a kind of a later version",
        |text| line(text, 20, |old| old.replacen("\"answer\"", "\"undo\"", 1)),
        1,
        "a line of the kind undo (decisions were taken back) is one that this version of risk-cli does not know",
    ),
    (
        "a header of a later version",
        |text| text.replacen(",\"sum\"", ",\"position\":\"x\",\"sum\"", 1),
        2,
        "key `position` of the header (the game begins from a position) is one that this version of risk-cli does not know",
    ),
    (
        "a key too many",
        |text| line(text, 20, |old| old.replacen("\"n\":", "\"x\":1,\"n\":", 1)),
        1,
        "`x` is no key of an answer line, which has line, n, seat, say, by_policy, sum",
    ),
    (
        "a text for a number",
        |text| line(text, 20, |old| numbers(old, "n", "\"x\"")),
        1,
        "key `n` of an answer line: expected a whole number from 1 on, found \"x\"",
    ),
    (
        "unknown seat",
        |text| line(text, 20, |old| numbers(old, "seat", "4")),
        1,
        "key `seat` of an answer line: expected a whole number from 1 to 3, found 4",
    ),
    (
        "no sum",
        |text| line(text, 20, |old| format!("{}}}", without_sum(old))),
        1,
        "key `sum` of an answer line is missing",
    ),
    (
        "a line changed",
        |text| line(text, 20, |old| numbers(old, "n", "18")),
        1,
        "this line was changed, or a line before it was lost, added or moved",
    ),
    (
        "a line lost",
        |text| {
            text.lines()
                .enumerate()
                .filter(|(index, _)| *index != 19)
                .map(|(_, line)| format!("{line}\n"))
                .collect()
        },
        1,
        "this line was changed, or a line before it was lost, added or moved",
    ),
    (
        "more after the end",
        |text| format!("{text}{text}"),
        1,
        "there is more after the end of the game",
    ),
];

/// What is changed by somebody who sums up anew, the exit code, and what is said.
const FORGERIES: &[(&str, Break, i32, &str)] = &[
    (
        "other map",
        |text| {
            text.replacen("\"map_hash\":\"", "\"map_hash\":\"0", 1)
                .replacen("0\",\"options", "\",\"options", 1)
        },
        2,
        "",
    ),
    (
        "unknown option",
        |text| text.replacen("\"rounding\"", "\"roundabout\"", 1),
        2,
        "no option `roundabout`",
    ),
    (
        "an option left out",
        |text| text.replacen("\"rounding\":\"ceil\",", "", 1),
        2,
        "the header says nothing of the option `rounding`",
    ),
    (
        "other ruleset",
        |text| text.replacen("\"ruleset\":\"hasbro\"", "\"ruleset\":\"hasbroo\"", 1),
        2,
        "there is no ruleset named `hasbroo`",
    ),
    (
        "other dice",
        |text| text.replacen("\"seed\":1", "\"seed\":2", 1),
        1,
        "",
    ),
    (
        "blanks",
        |text| line(text, 20, |old| old.replacen("\"n\":", "\"n\": ", 1)),
        1,
        "the line is not written as lines of records are",
    ),
    (
        "unknown verb",
        |text| line(text, 3, |old| old.replace("claim", "clam")),
        1,
        "there is no verb `clam`",
    ),
    (
        "unknown land",
        |text| {
            line(text, 2, |_| {
                "{\"line\":\"answer\",\"n\":1,\"seat\":1,\"say\":\"claim zz\"}".to_owned()
            })
        },
        1,
        "`zz` is no territory for `at` of `claim`",
    ),
    (
        "not offered",
        |text| {
            line(text, 2, |_| {
                "{\"line\":\"answer\",\"n\":1,\"seat\":1,\"say\":\"done\"}".to_owned()
            })
        },
        1,
        "`done` is not offered here; offered: claim",
    ),
    (
        "number of an answer",
        |text| line(text, 20, |old| numbers(old, "n", "25")),
        1,
        "`n` is 25 in the record, and 19 in the game played again",
    ),
    (
        "number of a turn",
        |text| {
            line(text, find(text, "\"turn\":2"), |old| {
                numbers(old, "turn", "7")
            })
        },
        1,
        "`turn` is 7 in the record, and 2 in the game played again",
    ),
    (
        "round",
        |text| {
            line(text, find(text, "\"turn\":2"), |old| {
                numbers(old, "round", "4")
            })
        },
        1,
        "`round` is 4 in the record, and 1 in the game played again",
    ),
    (
        "seat of a turn",
        |text| {
            line(text, find(text, "\"turn\":2"), |old| {
                numbers(old, "seat", "1")
            })
        },
        1,
        "`seat` is 1 in the record, and 2 in the game played again",
    ),
    (
        "digest of a turn",
        |text| {
            line(text, find(text, "\"turn\":2"), |old| {
                numbers(old, "digest", "\"0123456789abcdef\"")
            })
        },
        1,
        "`digest` is \"0123456789abcdef\" in the record",
    ),
    (
        "all turn lines lost",
        |text| {
            text.lines()
                .filter(|line| !line.contains("\"line\":\"turn\""))
                .map(|line| format!("{line}\n"))
                .collect()
        },
        1,
        "the record has an answer line, and the game played again a turn line",
    ),
    (
        "an answer added",
        |text| line(text, 20, |old| format!("{old}\n{old}")),
        1,
        "",
    ),
    (
        "a policy that was none",
        |text| {
            line(text, 20, |old| {
                old.replacen(",\"sum\"", ",\"by_policy\":true,\"sum\"", 1)
            })
        },
        1,
        "",
    ),
    (
        "reason of the end",
        |text| {
            line(text, text.lines().count(), |old| {
                numbers(old, "reason", "\"draw\"")
            })
        },
        1,
        "`reason` is \"draw\" in the record, and \"conquest\" in the game played again",
    ),
    (
        "winners",
        |text| {
            line(text, text.lines().count(), |old| {
                let winner = old.find("\"winners\":[").unwrap() + 11;
                let other = if &old[winner..=winner] == "1" {
                    "2"
                } else {
                    "1"
                };
                format!("{}{other}{}", &old[..winner], &old[winner + 1..])
            })
        },
        1,
        "`winners` is",
    ),
    (
        "ranking",
        |text| {
            line(text, text.lines().count(), |old| {
                numbers(old, "score", "99")
            })
        },
        1,
        "`ranking` is",
    ),
    (
        "answers of the end",
        |text| {
            line(text, text.lines().count(), |old| {
                numbers(old, "answers", "3")
            })
        },
        1,
        "`answers` is 3 in the record",
    ),
    (
        "digest of the end",
        |text| {
            line(text, text.lines().count(), |old| {
                numbers(old, "digest", "\"0123456789abcdef\"")
            })
        },
        1,
        "`digest` is \"0123456789abcdef\" in the record",
    ),
];

fn told(err: &str) -> String {
    err.split_whitespace()
        .filter(|word| *word != "│")
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn every_kind_of_damage_is_named_with_its_place() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    let forged = FORGERIES
        .iter()
        .map(|(name, damage, code, expected)| (*name, chained(&damage(&text)), code, *expected));
    let damaged = DAMAGES
        .iter()
        .map(|(name, damage, code, expected)| (*name, damage(&text), code, *expected));
    for (name, damage, code, expected) in damaged.chain(forged) {
        assert_ne!(damage, text, "{name} changes something");
        std::fs::write(folder.path().join("game.jsonl"), damage).unwrap();
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        assert!(told(&ran.err).contains(expected), "{name}: {}", ran.err);
        assert_eq!(ran.code, *code, "{name}: {}", ran.err);
        assert!(!ran.err.is_empty(), "{name}");
    }
}

/// Without --verify too: what the game does not allow is not passed over.
#[test]
fn a_replay_says_where_the_record_does_not_fit_the_game() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    let forged = chained(&line(&text, 3, |old| old.replace("claim", "clam")));
    std::fs::write(folder.path().join("game.jsonl"), forged).unwrap();
    let ran = run_in(folder.path(), &["replay", "game.jsonl"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        told(&ran.err).contains("there is no verb `clam`"),
        "{}",
        ran.err
    );
}

/// Names and texts of faults can't be known: the sums alone tell, and the last of them is what one
/// publishes.
#[test]
fn what_no_replay_can_know_changes_the_last_sum() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    let forged = chained(&text.replacen("\"name\":\"random\"", "\"name\":\"alice\"", 1));
    std::fs::write(folder.path().join("game.jsonl"), &forged).unwrap();
    let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("by the sums alone names, bots, versions"),
        "{}",
        ran.out
    );
    assert_ne!(
        read(&text).unwrap().last_sum,
        read(&forged).unwrap().last_sum
    );
}

#[test]
fn notes_are_made_again() {
    let folder = tiny();
    let args = "play --quiet --ruleset starwars --seed 3 --option max_turns=80 --record game.jsonl";
    assert_eq!(run_in(folder.path(), &words(args)).code, 0);
    let text = std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
    let note = find(&text, "\"line\":\"note\"");
    let forged = chained(&line(&text, note, |old| {
        format!(
            "{}\"text\":\"a lie\"}}",
            old.split("\"text\"").next().unwrap()
        )
    }));
    std::fs::write(folder.path().join("game.jsonl"), forged).unwrap();
    let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        told(&ran.err).contains("`text` is \"a lie\" in the record, and"),
        "{}",
        ran.err
    );
}

/// What a game is played with: the script, those it extends, and the files that they import.
#[test]
fn a_changed_import_is_another_ruleset() {
    let folder = tiny();
    let rules = "import \"more\" as more;\nfn ruleset() { #{ extends: \"hasbro\", name: \"mine\", options: #{ max_turns: 6 } } }\n\
                 fn on_conquest(g, me, at) { more::nothing(); }\n";
    let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).unwrap();
    write("mine.rhai", rules);
    write("more.rhai", "fn nothing() { 1 }\n");
    write("other.rhai", "fn nobody_imports_this() { 1 }\n");
    let play = "play --quiet --ruleset ./mine.rhai --map ./tiny.yaml --seed 1 --record game.jsonl";
    let ran = run_in(folder.path(), &words(play));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let verified = || run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
    assert_eq!(verified().code, 0);
    write("other.rhai", "fn nobody_imports_this() { 2 }\n");
    assert_eq!(verified().code, 0, "{}", verified().err);
    write("more.rhai", "fn nothing() { 2 }\n");
    let ran = verified();
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(
        told(&ran.err).contains("the ruleset ./mine.rhai is not the one"),
        "{}",
        ran.err
    );
}

/// Anything that a board says of its land makes it another one, and so does nothing else.
#[test]
fn hashes_are_of_content() {
    let hash = |text: &str| {
        let file = risk_cli::load::diag::TextFile::new("map", text);
        let board = risk_cli::load::map::check(&file, &risk_cli::load::lint::Levels::default())
            .board
            .unwrap();
        map_hash(&board)
    };
    let text = "name: m\ncontinents:\n  - { id: w, bonus: 2 }\nterritories:\n  - { id: a, continent: w, borders: [b], card: horse, at: [1, 2] }\n  \
                - { id: b, continent: w, borders: [c] }\n  - { id: c, continent: w }\n";
    let same = ["# a comment\n", ""]
        .map(|comment| hash(&format!("{comment}{}", text.replace("name: m", "name: n"))));
    assert_eq!(
        same,
        [hash(text), hash(text)],
        "a comment and the map's own name are no part of the board"
    );
    let mut all = vec![hash(text)];
    for (from, to) in [
        ("bonus: 2", "bonus: 3"),
        ("id: w, ", "id: w, name: W2, "),
        ("id: a, ", "id: a, name: A2, "),
        ("card: horse", "card: foot"),
        ("card: horse", "cards: horse"),
        ("card: horse", "card: [horse]"),
        ("at: [1, 2]", "at: [2, 1]"),
        (", at: [1, 2]", ""),
        ("borders: [c]", "borders: [c, a]"),
        ("id: w, ", "id: w, colour: \"#102030\", "),
    ] {
        all.push(hash(&text.replacen(from, to, 1)));
    }
    let count = all.len();
    all.sort();
    all.dedup();
    // A border that is listed at both ends is the same border.
    assert_eq!(all.len(), count - 1, "{all:?}");
}

/// A record has a limit, and the game that reaches it is stopped.
#[test]
fn records_are_limited() {
    let setup = crate::support::setup("hasbro", None, &["random"; 3], 1, &[]);
    let mut worker = Worker::new(&setup).unwrap();
    let header = header(&setup, ("hasbro", "hacker-risk"), worker.decl().strikes, 0);
    let mut recorder = Recorder::new(Vec::new(), &header).with_most(20_000);
    let finished = worker.play(0, &mut recorder);
    assert!(matches!(finished.outcome, Err(Stop::Halted)) && recorder.is_full());
    let text = String::from_utf8(recorder.finish(None, &finished.game).unwrap()).unwrap();
    assert!((20_000..21_000).contains(&text.len()), "{}", text.len());
    let record = read(&text).unwrap();
    assert!(verify(&record, &mut worker).is_ok_and(|verified| !verified.whole));
}

/// One rule for everything that writes a file: what is there stays, without --force.
#[test]
fn nothing_is_written_over_without_force() {
    let folder = tiny();
    assert_eq!(
        run_in(
            folder.path(),
            &words("play --quiet --seed 1 --map ./tiny.yaml --record g.jsonl")
        )
        .code,
        0
    );
    for (line, file) in [
        (
            "play --quiet --seed 2 --map ./tiny.yaml --record g2.jsonl",
            "g2.jsonl",
        ),
        ("map render tiny.yaml -o t.svg", "t.svg"),
        ("map import tiny.yaml -o t.map --to domination", "t.map"),
        ("replay g.jsonl --to 5 --render then.svg", "then.svg"),
        ("bot new my-bot", "my-bot.rhai"),
        ("ruleset new mine", "mine.rhai"),
        ("map new own", "own.yaml"),
        ("ruleset api --definitions defs", "defs/rules.d.rhai"),
        ("man --dir pages", "pages/risk-cli"),
    ] {
        let ran = run_in(folder.path(), &words(line));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        let path = folder.path().join(file);
        let before = std::fs::read(&path).ok();
        let ran = run_in(folder.path(), &words(line));
        assert_eq!(ran.code, 2, "{line}: {}", ran.out);
        let said = told(&ran.err);
        assert!(
            said.contains(file) && said.contains("is there already"),
            "{line}: {said}"
        );
        assert!(
            said.contains("give another name, or write over it with --force: nothing was changed"),
            "{line}: {said}"
        );
        assert_eq!(std::fs::read(&path).ok(), before, "{line}");
        let ran = run_in(folder.path(), &words(&format!("{line} --force")));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    }
}

#[test]
fn what_is_whole_of_a_damaged_record_is_told() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    std::fs::write(
        folder.path().join("game.jsonl"),
        &text[..text.len() * 9 / 10],
    )
    .unwrap();
    let ran = run_in(folder.path(), &["replay", "game.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("Round 1"), "{}", ran.out);
    assert!(
        ran.err.contains("decisions before it can be read"),
        "{}",
        ran.err
    );
}

/// Whatever a record says: no panic, an end, and nothing forged is believed.
#[test]
fn random_records_do_no_harm() {
    let mut stream = Stream::new(78, 0, Purpose::Setup);
    let mut believed = 0;
    for round in 0..160 {
        let mut data: Vec<u8> = (0..17).map(|_| stream.below(256) as u8).collect();
        // Most of them are a real record with one change.
        data[0] = if round % 8 == 0 { 0 } else { 255 };
        data.truncate(if round % 3 == 0 { 9 } else { 5 });
        believed += u32::from(crate::random_records::play(&data));
    }
    assert!(
        crate::random_records::play(&[255]),
        "the record itself is believed"
    );
    assert!(believed < 60, "{believed}");
}

/// A record that was cut off anywhere holds as far as it goes: in the middle of a pass in which
/// everybody answers, and behind faults that nothing followed.
#[test]
fn a_record_that_ends_anywhere_holds_as_far_as_it_goes() {
    let folder = tiny();
    let bot =
        "fn answer(view, ask) { if view.round % 2 == 1 { ask.random() } else { throw \"no\" } }";
    std::fs::write(folder.path().join("half.rhai"), bot).unwrap();
    let args = "play --quiet --ruleset warzone --map ./tiny.yaml --seed 6 --option max_turns=12 --strikes 2 --on-fault \
                first-option --record game.jsonl --bot ./half.rhai --bot random --bot ./half.rhai";
    let ran = run_in(folder.path(), &words(args));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
    let record = read(&text).unwrap();
    assert!(text.contains("\"line\":\"fault\""));
    let ruleset = risk_cli::load::ruleset("warzone").unwrap();
    let board = crate::support::board(folder.path().join("tiny.yaml").to_str().unwrap());
    let setup = record.header.setup(ruleset, board).unwrap();
    let mut worker = Worker::new(&setup).unwrap();
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    for (lines, &end) in ends.iter().enumerate().map(|(index, end)| (index + 1, end)) {
        let cut = read(&text[..end]).unwrap();
        let verified = verify(&cut, &mut worker)
            .unwrap_or_else(|refuted| panic!("after line {lines}: {refuted:?}"));
        assert_eq!((verified.lines, verified.whole), (lines, end == text.len()));
    }
}
