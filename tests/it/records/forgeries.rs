//! Records whose editor recomputes the sums.

use risk_testing::edits::{Break, find, line, numbers};

/// The change, the exit code, and the expected text.
pub(super) const FORGERIES: &[(&str, Break, i32, &str)] = &[
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
        |text| text.replacen("\"seed\":\"1\"", "\"seed\":\"2\"", 1),
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
        "`zz` is not a territory for `at` of `claim`",
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
