//! `bot check` names the mistakes of a program: each program here makes one.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::Value;

use super::{has, put};
use crate::support::run_in;

/// The bot's mode, the cases that fail, the most important first, and a part of the first finding:
/// words of the bot, or a number.
const ROWS: [(&str, &[&str], &str); 25] = [
    ("none", &[], ""),
    ("banner", &["hello"], "`Welcome to wrong.py 1.0`"),
    ("version", &["hello"], " 2"),
    ("not-offered", &["answers"], "`surrender`"),
    ("own-ruleset", &["answers"], "IndexError: list index"),
    ("span-open", &["answers"], "empty range for randrange"),
    ("old-id", &["answers"], " 2, found 1"),
    ("text-id", &["answers"], " 1, found `\"1\"`"),
    ("hangs", &["answers"], " 1 s"),
    ("counts-itself", &["ids"], " 7"),
    ("id-as-int32", &["ids"], "2147483647"),
    ("strict-keys", &["more-keys"], "`what is `extra`?`"),
    (
        "answers-news",
        &["unknown-messages"],
        "`{\"id\": 1000000007,",
    ),
    ("dies-on-news", &["unknown-messages"], "KeyError: 'news'"),
    ("dies-on-events", &["unasked-events"], "KeyError: 'events'"),
    ("fault-exits", &["faults"], "`a fault`"),
    ("after-fault", &["faults"], " 1 s"),
    ("fault-answered", &["nothing-else"], "1 line"),
    (
        "count-in-range",
        &["few-options"],
        "OverflowError: too many",
    ),
    ("first-seat", &["next-games"], "KeyError: 1"),
    ("one-game", &["next-games"], "`I play one game`"),
    ("never-resumed", &["resumed-game"], "`I was never away`"),
    ("thinks-aloud", &["nothing-else"], "`thinking ...`"),
    ("twice", &["nothing-else"], "lines"),
    ("ignores-end", &["bye"], "2 s"),
];

/// Rows that need the keeper, which only Linux has.
const KEPT: [(&str, &[&str], &str); 1] = [("leaves-child", &["bye"], "sleep")];

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
    let codes = found
        .iter()
        .map(|finding| finding["code"].as_str().unwrap());
    let codes = codes.map(|code| code.trim_start_matches("conformance::"));
    let codes: Vec<&str> = codes.collect();
    let mut texts = found
        .iter()
        .map(|finding| finding["text"].as_str().unwrap());
    let is_named = texts.next().is_none_or(|one| one.contains(text));
    let is_right = codes == wrong && is_named && ran.code == i32::from(!wrong.is_empty());
    if is_right { Ok(()) } else { Err(all()) }
}

#[test]
fn programs_are_asked_in_every_ruleset() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "wrong.py", include_str!("wrong.py"));
    let bot = "cmd:python3 wrong.py narrow";
    let args = ["bot", "check", "--games", "0", "--format", "json", bot];
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let cases = report["files"][0]["cases"].as_array().unwrap();
    let failed: Vec<&Value> = cases
        .iter()
        .filter(|case| case["verdict"] != "ok")
        .collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0]["name"], "rulesets");
    assert_eq!(failed[0]["verdict"], "wrong");
    let text = failed[0]["text"].as_str().unwrap();
    assert!(text.contains("codelab, simplified"), "{text}");
}
