//! Damaged or edited records: each kind of damage is named with its place.

use super::forgeries::FORGERIES;
use super::recorded;
use super::told;
use crate::support::{run_in, tiny, without_sum};
use risk_testing::edits::{Break, chained, line, numbers};

/// The change, the exit code, and the expected text; the sums stay as they were.
const DAMAGES: &[(&str, Break, i32, &str)] = &[
    ("empty", |_| String::new(), 2, "the file is empty"),
    (
        "foreign",
        |_| "hello\n".to_owned(),
        2,
        "this is not a record of risk-cli: expected a line of JSON",
    ),
    (
        "other json",
        |_| "{\"a\": 1}\n".to_owned(),
        2,
        "the first line has no \"record\": \"risk-cli\"",
    ),
    (
        "an older format",
        |text| text.replacen("\"format\":3", "\"format\":1", 1),
        2,
        "the record has format 1, which a build of before the first release wrote; this program reads format 3",
    ),
    (
        "another format",
        |text| text.replacen("\"format\":3", "\"format\":9", 1),
        2,
        "the record has format 9, and this program reads format 3",
    ),
    (
        "a key misspelled in the header",
        |text| text.replacen("\"seed\"", "\"sed\"", 1),
        2,
        "`sed` is not a key of the header: did you mean `seed`?",
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
        "key `line` of a line of a record is missing",
    ),
    (
        "another kind",
        |text| line(text, 20, |old| old.replacen("\"answer\"", "\"answr\"", 1)),
        1,
        "key `line`: expected answer, fault, turn, note, undo or end, found \"answr\"",
    ),
    (
        "a kind of a later version",
        |text| line(text, 20, |old| old.replacen("\"answer\"", "\"pause\"", 1)),
        1,
        "a line of the kind pause (the game was put aside here) is one that this version of risk-cli does not know",
    ),
    (
        "a header of a later version",
        |text| text.replacen(",\"sum\"", ",\"continues\":\"x\",\"sum\"", 1),
        2,
        "key `continues` of the header (the game goes on from another record) is one that this version of risk-cli does not know",
    ),
    (
        "a key too many",
        |text| line(text, 20, |old| old.replacen("\"n\":", "\"x\":1,\"n\":", 1)),
        1,
        "`x` is not a key of an answer line: there are n, seat, say",
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
