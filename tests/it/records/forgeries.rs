//! Records whose editor recomputes the sums.

use super::damage::{Damage, last};
use risk_testing::edits::{find, line, numbers};

fn first_turn(text: &str) -> usize {
    find(text, "\"line\":\"turn\"")
}

fn second_turn(text: &str) -> usize {
    find(text, "\"turn\":2")
}

pub(crate) const FORGERIES: &[Damage] = &[
    (
        "other map",
        |text| {
            text.replacen("\"map_hash\":\"", "\"map_hash\":\"0", 1)
                .replacen("0\",\"options", "\",\"options", 1)
        },
        (2, "record::damaged", |_| 1),
        &["`map_hash`", "32"],
    ),
    (
        "unknown option",
        |text| text.replacen("\"rounding\"", "\"roundabout\"", 1),
        (2, "record::damaged", |_| 0),
        &["`roundabout`"],
    ),
    (
        "an option left out",
        |text| text.replacen("\"rounding\":\"ceil\",", "", 1),
        (2, "record::damaged", |_| 0),
        &["`rounding`"],
    ),
    (
        "other ruleset",
        |text| text.replacen("\"ruleset\":\"hasbro\"", "\"ruleset\":\"hasbroo\"", 1),
        (2, "load::unknown", |_| 0),
        &["`hasbroo`"],
    ),
    (
        "other dice",
        |text| text.replacen("\"seed\":\"1\"", "\"seed\":\"2\"", 1),
        (1, "record::mismatch", first_turn),
        &["`digest`"],
    ),
    (
        "blanks",
        |text| line(text, 20, |old| old.replacen("\"n\":", "\"n\": ", 1)),
        (1, "record::damaged", |_| 20),
        &["!`", "!JSON"],
    ),
    (
        "unknown verb",
        |text| line(text, 3, |old| old.replace("claim", "clam")),
        (1, "record::mismatch", |_| 3),
        &["`clam`"],
    ),
    (
        "unknown land",
        |text| {
            line(text, 2, |_| {
                "{\"line\":\"answer\",\"n\":1,\"seat\":1,\"say\":\"claim zz\"}".to_owned()
            })
        },
        (1, "record::mismatch", |_| 2),
        &["`zz`", "`at`", "`claim`"],
    ),
    (
        "not offered",
        |text| {
            line(text, 2, |_| {
                "{\"line\":\"answer\",\"n\":1,\"seat\":1,\"say\":\"done\"}".to_owned()
            })
        },
        (1, "record::mismatch", |_| 2),
        &["`done`", "claim"],
    ),
    (
        "number of an answer",
        |text| line(text, 20, |old| numbers(old, "n", "25")),
        (1, "record::mismatch", |_| 20),
        &["`n`", "25", "19"],
    ),
    (
        "number of a turn",
        |text| line(text, second_turn(text), |old| numbers(old, "turn", "7")),
        (1, "record::mismatch", second_turn),
        &["`turn`", "7", "2"],
    ),
    (
        "round",
        |text| line(text, second_turn(text), |old| numbers(old, "round", "4")),
        (1, "record::mismatch", second_turn),
        &["`round`", "4", "1"],
    ),
    (
        "seat of a turn",
        |text| line(text, second_turn(text), |old| numbers(old, "seat", "1")),
        (1, "record::mismatch", second_turn),
        &["`seat`", "1", "2"],
    ),
    (
        "digest of a turn",
        |text| {
            line(text, second_turn(text), |old| {
                numbers(old, "digest", "\"0123456789abcdef\"")
            })
        },
        (1, "record::mismatch", second_turn),
        &["`digest`", "0123456789abcdef"],
    ),
    (
        "all turn lines lost",
        |text| {
            text.lines()
                .filter(|line| !line.contains("\"line\":\"turn\""))
                .map(|line| format!("{line}\n"))
                .collect()
        },
        (1, "record::mismatch", first_turn),
        &["answer", "turn"],
    ),
    (
        "an answer added",
        |text| line(text, 20, |old| format!("{old}\n{old}")),
        (1, "record::mismatch", |_| 21),
        &["`n`", "19", "20"],
    ),
    (
        "a policy that was none",
        |text| {
            line(text, 20, |old| {
                old.replacen(",\"sum\"", ",\"by_policy\":true,\"sum\"", 1)
            })
        },
        (1, "record::mismatch", |_| 20),
        &["`by_policy`", "true"],
    ),
    (
        "reason of the end",
        |text| line(text, last(text), |old| numbers(old, "reason", "\"draw\"")),
        (1, "record::mismatch", last),
        &["`reason`", "\"draw\"", "\"conquest\""],
    ),
    (
        "winners",
        |text| {
            line(text, last(text), |old| {
                let winner = old.find("\"winners\":[").unwrap() + 11;
                let other = if &old[winner..=winner] == "1" {
                    "2"
                } else {
                    "1"
                };
                format!("{}{other}{}", &old[..winner], &old[winner + 1..])
            })
        },
        (1, "record::mismatch", last),
        &["`winners`"],
    ),
    (
        "ranking",
        |text| line(text, last(text), |old| numbers(old, "score", "99")),
        (1, "record::mismatch", last),
        &["`ranking`", "99"],
    ),
    (
        "answers of the end",
        |text| line(text, last(text), |old| numbers(old, "answers", "3")),
        (1, "record::mismatch", last),
        &["`answers`"],
    ),
    (
        "digest of the end",
        |text| {
            line(text, last(text), |old| {
                numbers(old, "digest", "\"0123456789abcdef\"")
            })
        },
        (1, "record::mismatch", last),
        &["`digest`", "0123456789abcdef"],
    ),
];
