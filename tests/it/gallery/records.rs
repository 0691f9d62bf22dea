//! Damaged records, and commands that read or play games.

use std::fmt::Write as _;

use super::{Session, sessions};
use crate::records::damage::DAMAGES;
use crate::records::forgeries::FORGERIES;
use crate::records::{message, recorded};
use crate::support::{TINY, run_in, tiny};
use risk_testing::edits::chained;

/// More edits of a record with new sums: the text to replace, and its replacement.
const EDITS: &[(&str, &str)] = &[
    ("\"map\":\"./tiny.yaml\"", "\"map\":\"../tiny.yaml\""),
    ("\"format\":3", "\"format\":\"3\""),
    ("\"seed\":\"1\"", "\"seed\":\"-1\""),
    ("\"seed\":\"1\"", "\"seed\":\"1\",\"salt\":\"8\""),
    ("\"options\":{", "\"options\":[],\"x\":{"),
    ("\"rounding\":\"ceil\"", "\"rounding\":1"),
    ("\"per\":\"game\"", "\"per\":\"week\""),
    ("\"then\":\"neutral\"", "\"then\":\"jump\""),
    ("\"seat\":2,\"name\"", "\"seat\":1,\"name\""),
    ("\"strikes\":{", "\"timed\":true,\"strikes\":{"),
    ("\"bot\":\"random\"", "\"bot\":\"random\",\"needs\":1"),
    ("\"hash\":\"", "\"hash\":\"g"),
    ("\"n\":1,", "\"n\":0,"),
    ("\"say\":\"claim a\"", "\"say\":1"),
    (
        "\"say\":\"claim a\"",
        "\"say\":\"claim a\",\"by_policy\":false",
    ),
    ("\"turn\":1", "\"turn\":\"x\""),
    ("\"turn\":1,", ""),
    ("\"line\":\"turn\"", "\"line\":\"note\""),
    ("\"winners\":[", "\"winners\":[9,"),
    ("\"answers\":", "\"answers\":-"),
    (
        "{\"line\":\"answer\",\"n\":1,",
        "{\"line\":\"undo\",\"n\":1,",
    ),
    (
        "{\"line\":\"answer\",\"n\":1,\"seat\":1,\"say\":\"claim a\"",
        "{\"line\":\"undo\",\"n\":0",
    ),
    (
        "{\"line\":\"answer\",\"n\":2,\"seat\":2,\"say\":\"claim d\"",
        "{\"line\":\"undo\",\"n\":5",
    ),
];

/// Replaces sums and digests, which change with each ruleset.
fn without_sums(text: &str) -> String {
    let is_hex = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    let mut masked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_hex) {
        let (before, tail) = rest.split_at(at);
        let len = tail.find(|c| !is_hex(c)).unwrap_or(tail.len());
        masked.push_str(before);
        masked.push_str(if len >= 16 { "[sum]" } else { &tail[..len] });
        rest = &tail[len..];
    }
    masked + rest
}

#[test]
fn damaged_records() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    let damaged = DAMAGES.iter().map(|row| (row.0.to_owned(), row.1(&text)));
    let forged = FORGERIES
        .iter()
        .map(|row| (row.0.to_owned(), chained(&row.1(&text))));
    let edited = EDITS.iter().map(|(from, to)| {
        assert!(text.contains(from), "{from}");
        let edited = chained(&text.replacen(from, to, 1));
        (format!("{from} becomes {to}"), edited)
    });
    let mut messages = String::new();
    for (name, record) in damaged.chain(forged).chain(edited) {
        std::fs::write(folder.path().join("game.jsonl"), record).unwrap();
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        let codes = ran.codes().join(" ");
        let found = without_sums(&message(&ran.err));
        writeln!(
            messages,
            "### {name}\n{codes}, exit code {}\n{found}\n",
            ran.code
        )
        .unwrap();
    }
    insta::assert_snapshot!(messages);
}

/// Returns a session with a map, another one, and a bot whose answer is illegal.
const fn line<'a>(name: &'a str, commands: &'a [&'a str]) -> Session<'a> {
    const OTHER: &str = "name: other\nterritories:\n  - { id: a, borders: [b] }\n  - { id: b }\n";
    Session {
        name,
        files: &[
            ("tiny.yaml", TINY),
            ("other.yaml", OTHER),
            ("b.rhai", "fn answer(view, ask) { ask.act(\"done\") }\n"),
        ],
        commands,
        typed: "",
    }
}

const RECORD: &str = "play -q -m ./tiny.yaml --seed 1 --record g.jsonl";
const LARGE: &str = "play -q -r codelab -m grid:64x64 -o max_turns=1 --seed 1 --bot outnumber \
                     --bot outnumber --record g.jsonl";

#[test]
fn replays() {
    let all = [
        line("no record", &["replay tiny.yaml"]),
        line("a decision too far", &[RECORD, "replay g.jsonl --at 9999"]),
        line("another map", &[RECORD, "replay g.jsonl --map other.yaml"]),
        line(
            "another ruleset",
            &[RECORD, "replay g.jsonl --ruleset codelab"],
        ),
        line(
            "an illegal answer",
            &[RECORD, "replay g.jsonl --at 1 --bot ./b.rhai"],
        ),
        line(
            "a person asked again",
            &[RECORD, "replay g.jsonl --at 1 --bot human"],
        ),
        line(
            "an animation in another format",
            &[RECORD, "replay g.jsonl --animation game.png"],
        ),
        line(
            "an animation too large",
            &[LARGE, "replay g.jsonl --animation a.gif"],
        ),
        line(
            "a page with a wrong address",
            &[
                RECORD,
                "replay g.jsonl --html g.html --url example.org/g.html",
            ],
        ),
        line(
            "a page with the name of its picture",
            &[
                RECORD,
                "replay g.jsonl --html g.png --url https://example.org/",
            ],
        ),
        line("a record that exists", &[RECORD, RECORD]),
    ];
    insta::assert_snapshot!(sessions(&all));
}

#[test]
fn matches() {
    let all = [
        line("no fault hook", &["play -q --on-fault hook"]),
        line(
            "too many bots",
            &["play -p 2 --bot odds --bot odds --bot odds"],
        ),
        line("too many players", &["play -p 40"]),
        line("an unknown key of a clock", &["play -q --clock speed=1s"]),
        line(
            "a duplicate key of a clock",
            &["play -q --clock move=1s,move=2s"],
        ),
        line("a clock without time", &["play -q --clock move=0s"]),
        line("a bank too small", &["play -q --clock move=3s,bank=1s"]),
        line("an invalid time", &["play -q --clock move=2h"]),
        line("a reserved name", &["play --bot name=null,bot=odds"]),
        line(
            "a name with two blanks",
            &["play --bot name=a\u{a0}\u{a0}b,bot=odds"],
        ),
        line("a person in many games", &["balance --bot human"]),
        line(
            "a bot to ask again",
            &["play -q --seed 1 -o max_turns=3 --bot ./b.rhai --bot odds --bot odds"],
        ),
    ];
    insta::assert_snapshot!(sessions(&all));
}
