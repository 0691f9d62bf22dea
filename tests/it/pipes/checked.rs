//! `bot check` names the mistakes of a program: each program here makes one.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::Value;

use super::{has, put};
use crate::support::run_in;

/// The bot's mode, the cases that fail, the most important first, and text from the first finding.
const ROWS: [(&str, &[&str], &str); 25] = [
    ("none", &[], ""),
    (
        "banner",
        &["hello"],
        "it said `Welcome to wrong.py 1.0` before",
    ),
    ("version", &["hello"], "the bot speaks version 2"),
    ("not-offered", &["answers"], "there is no verb `surrender`"),
    ("own-ruleset", &["answers"], "IndexError: list index"),
    ("span-open", &["answers"], "empty range for randrange"),
    ("old-id", &["answers"], "it said `{\"id\": 1,"),
    ("text-id", &["answers"], "it said `{\"id\": \"1\","),
    ("hangs", &["answers"], "no answer within 1 s: the bot hangs"),
    ("counts-itself", &["ids"], "with the id 7"),
    (
        "id-as-int32",
        &["ids"],
        "9007199254740991 with the id 2147483647",
    ),
    ("strict-keys", &["more keys"], "`what is `extra`?`"),
    (
        "answers-news",
        &["unknown messages"],
        "it answered `{\"id\": 1000000007,",
    ),
    ("dies-on-news", &["unknown messages"], "KeyError: 'news'"),
    ("dies-on-events", &["unasked events"], "KeyError: 'events'"),
    ("fault-exits", &["faults"], "exit code 1; the last"),
    ("after-fault", &["faults"], "no answer within 1 s"),
    ("fault-answered", &["nothing else"], "it said 1 line"),
    (
        "count-in-range",
        &["few options"],
        "OverflowError: too many",
    ),
    ("first-seat", &["next games"], "KeyError: 1"),
    ("one-game", &["next games"], "`I play one game`"),
    ("never-resumed", &["resumed game"], "`I was never away`"),
    (
        "thinks-aloud",
        &["nothing else"],
        "the first was `thinking ...`",
    ),
    ("twice", &["nothing else"], "lines that answered nothing"),
    ("ignores-end", &["bye"], "it still runs 2 s after"),
];

/// Rows that need the keeper, which only Linux has.
const KEPT: [(&str, &[&str], &str); 1] = [("leaves-child", &["bye"], "left running: sleep")];

#[test]
fn what_a_program_does_wrong_is_named() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "wrong.py", include_str!("wrong.py"));
    let mut rows = ROWS.to_vec();
    if cfg!(target_os = "linux") {
        rows.extend(KEPT);
    }
    let rows = Mutex::new(rows);
    let told = Mutex::new(BTreeSet::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some((mode, wrong, text)) = rows.lock().unwrap().pop() else {
                        return;
                    };
                    if let Err(all) = check(folder.path(), mode, wrong, text) {
                        told.lock().unwrap().insert(all);
                    }
                }
            });
        }
    });
    let told = told.into_inner().unwrap();
    assert!(told.is_empty(), "{told:#?}");
}

fn check(folder: &std::path::Path, mode: &str, wrong: &[&str], text: &str) -> Result<(), String> {
    // Where no bot should hang, a busy machine may need more time.
    let is_slow = ["hangs", "old-id", "text-id", "after-fault"].contains(&mode);
    let seconds = if is_slow { 1 } else { 20 };
    let bot = format!("cmd:python3 wrong.py {mode},timeout={seconds}");
    let words = "bot check --ruleset codelab --games 0 --format json";
    let mut args: Vec<&str> = words.split(' ').collect();
    args.push(&bot);
    let ran = run_in(folder, &args);
    let all = || format!("{mode}: {} {}{}", ran.code, ran.out, ran.err);
    let report: Value = serde_json::from_str(&ran.out).map_err(|_| all())?;
    let report = &report["files"][0];
    let found = report["findings"].as_array().ok_or_else(all)?;
    let texts = found
        .iter()
        .map(|finding| finding["text"].as_str().unwrap());
    let texts: Vec<&str> = texts.collect();
    let names: Vec<&str> = texts
        .iter()
        .filter_map(|one| one.split(':').next())
        .collect();
    let is_told = texts.first().is_none_or(|one| one.contains(text));
    let is_right = names == wrong && is_told && ran.code == i32::from(!wrong.is_empty());
    if is_right { Ok(()) } else { Err(all()) }
}

#[test]
fn programs_are_asked_in_every_ruleset() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "wrong.py", include_str!("wrong.py"));
    let words = ["bot", "check", "--games", "0"];
    let check = |mode: &str| {
        let bot = format!("cmd:python3 wrong.py {mode}");
        run_in(folder.path(), &[&words[..], &[&bot]].concat())
    };
    let ran = check("narrow");
    assert_eq!(ran.code, 1, "{}", ran.out);
    let told = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("rulesets in codelab, simplified: the bot is gone"),
        "{told}"
    );
    assert!(!told.contains("fix first"), "{told}");
}
