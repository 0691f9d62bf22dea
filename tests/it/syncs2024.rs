//! The game of SYNCS Bot Battle 2024: its rules, and the client and the referee that test its
//! protocol.

use std::path::Path;
use std::process::Command;

use crate::pipes::has;
use crate::support::{run_in, words};

#[test]
fn the_rules_are_those_of_the_contest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/syncs2024");
    let ran = run_in(&folder, &words("ruleset test rules.tests.yaml"));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn the_referee_finds_each_error_in_the_logs_of_clients() {
    if !has("python3") {
        return;
    }
    let arena = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/pipes/syncs/arena.py");
    let games = if std::env::var("RISK_EVERY_CASE").is_ok() {
        "16"
    } else {
        "2"
    };
    let mut command = Command::new("python3");
    let ran = command.arg("-B").arg(arena).arg(games).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let output = text(&ran.stdout) + text(&ran.stderr).as_str();
    assert!(ran.status.success(), "{output}");
}
