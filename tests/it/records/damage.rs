//! Damaged or edited records: each kind of damage is named with its place.

use super::forgeries::FORGERIES;
use super::{message, recorded};
use crate::support::{RunOutput, run_in, tiny, without_sum};
use risk_testing::edits::{TextEdit, chained, line, numbers};

/// A change to a record, and the finding about it: the exit code, the code, the line in the record
/// as it was (0 for none), and what the message must contain or, after a `!`, must not.
pub(crate) type Damage = (
    &'static str,
    TextEdit,
    (i32, &'static str, fn(&str) -> usize),
    &'static [&'static str],
);

/// The sums stay as they were.
pub(crate) const DAMAGES: &[Damage] = &[
    (
        "empty",
        |_| String::new(),
        (2, "record::damaged", |_| 0),
        &[],
    ),
    (
        "foreign",
        |_| "hello\n".to_owned(),
        (2, "record::damaged", |_| 1),
        &["JSON", "column 1"],
    ),
    (
        "other json",
        |_| "{\"a\": 1}\n".to_owned(),
        (2, "record::damaged", |_| 1),
        &["\"risk-cli\""],
    ),
    (
        "an older format",
        |text| text.replacen("\"format\":3", "\"format\":1", 1),
        (2, "record::damaged", |_| 1),
        &["format 1", "format 3"],
    ),
    (
        "another format",
        |text| text.replacen("\"format\":3", "\"format\":9", 1),
        (2, "record::damaged", |_| 1),
        &["format 9", "format 3"],
    ),
    (
        "a key misspelled in the header",
        |text| text.replacen("\"seed\"", "\"sed\"", 1),
        (2, "record::damaged", |_| 1),
        &["`sed`", "`seed`"],
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
        (2, "record::damaged", |_| 1),
        &["`players`", "1 to 32"],
    ),
    (
        "header changed",
        |text| text.replacen("\"name\":\"random\"", "\"name\":\"alice\"", 1),
        (2, "record::damaged", |_| 1),
        &["`sum`"],
    ),
    (
        "cut in a line",
        |text| text[..text.len() - 30].to_owned(),
        (1, "record::damaged", last),
        &["!JSON"],
    ),
    (
        "cut after a line",
        |text| {
            text.lines()
                .take(50)
                .map(|line| format!("{line}\n"))
                .collect()
        },
        (1, "record::damaged", |_| 51),
        &["`end`"],
    ),
    (
        "garbage",
        |text| line(text, 20, |_| "garbage".to_owned()),
        (1, "record::damaged", |_| 20),
        &["JSON", "column 1"],
    ),
    (
        "a list",
        |text| line(text, 20, |_| "[]".to_owned()),
        (1, "record::damaged", |_| 20),
        &["[]"],
    ),
    (
        "no kind",
        |text| line(text, 20, |_| "{\"n\":19}".to_owned()),
        (1, "record::damaged", |_| 20),
        &["`line`"],
    ),
    (
        "another kind",
        |text| line(text, 20, |old| old.replacen("\"answer\"", "\"answr\"", 1)),
        (1, "record::damaged", |_| 20),
        &["`line`", "\"answr\""],
    ),
    (
        "a kind of a later version",
        |text| line(text, 20, |old| old.replacen("\"answer\"", "\"pause\"", 1)),
        (1, "record::damaged", |_| 20),
        &["pause", "!fault"],
    ),
    (
        "a header of a later version",
        |text| text.replacen(",\"sum\"", ",\"continues\":\"x\",\"sum\"", 1),
        (2, "record::damaged", |_| 1),
        &["`continues`", "!seed"],
    ),
    (
        "a key too many",
        |text| line(text, 20, |old| old.replacen("\"n\":", "\"x\":1,\"n\":", 1)),
        (1, "record::damaged", |_| 20),
        &["`x`", "n, seat, say"],
    ),
    (
        "a text for a number",
        |text| line(text, 20, |old| numbers(old, "n", "\"x\"")),
        (1, "record::damaged", |_| 20),
        &["`n`", "\"x\""],
    ),
    (
        "unknown seat",
        |text| line(text, 20, |old| numbers(old, "seat", "4")),
        (1, "record::damaged", |_| 20),
        &["`seat`", "1 to 3", "4"],
    ),
    (
        "no sum",
        |text| line(text, 20, |old| format!("{}}}", without_sum(old))),
        (1, "record::damaged", |_| 20),
        &["`sum`"],
    ),
    (
        "a line changed",
        |text| line(text, 20, |old| numbers(old, "n", "18")),
        (1, "record::damaged", |_| 20),
        &["`sum`"],
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
        (1, "record::damaged", |_| 20),
        &["`sum`"],
    ),
    (
        "more after the end",
        |text| format!("{text}{text}"),
        (1, "record::damaged", |text| last(text) + 1),
        &["`end`"],
    ),
];

pub(super) fn last(text: &str) -> usize {
    text.lines().count()
}

/// Checks the line of the finding; a line that is too long to be quoted is named in the message.
fn is_at(ran: &RunOutput, line: usize) -> bool {
    let place = format!("game.jsonl:{line}:1");
    match ran.places()[..] {
        [found] => found == place,
        _ if line == 0 => !ran.err.contains("game.jsonl:"),
        _ => message(&ran.err).ends_with(&format!("({place})")),
    }
}

#[test]
fn every_kind_of_damage_is_named_with_its_place() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    let forged = FORGERIES.iter().map(|row| (row, chained(&row.1(&text))));
    let damaged = DAMAGES.iter().map(|row| (row, row.1(&text)));
    for ((name, _, (exit, code, line), facts), damage) in damaged.chain(forged) {
        assert_ne!(damage, text, "{name} changes something");
        std::fs::write(folder.path().join("game.jsonl"), damage).unwrap();
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        ran.refuses(*exit, code);
        assert!(is_at(&ran, line(&text)), "{name}: {}", ran.err);
        let message = message(&ran.err);
        for fact in *facts {
            let holds = match fact.strip_prefix('!') {
                Some(absent) => !message.contains(absent),
                None => message.contains(fact),
            };
            assert!(holds, "{name}: {fact}: {}", ran.err);
        }
    }
}

#[test]
fn a_replay_says_where_the_record_does_not_fit_the_game() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    let forged = chained(&line(&text, 3, |old| old.replace("claim", "clam")));
    std::fs::write(folder.path().join("game.jsonl"), forged).unwrap();
    let ran = run_in(folder.path(), &["replay", "game.jsonl"]);
    ran.refuses(1, "record::mismatch");
    assert_eq!(ran.places(), ["game.jsonl:3:1"]);
}
