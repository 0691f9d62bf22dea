//! Bots that are programs: their messages, their faults, and that none of their processes survive.

mod aside;
mod checked;
mod clocks;
mod conformance;
mod leftovers;
mod misbehaving;
mod resumed;
mod served_bots;
mod syncs;
mod tournaments;
#[cfg(target_os = "linux")]
mod walls;
mod warlight;

use std::path::Path;

use crate::programs::skip;
use crate::support::{RunOutput, run_in};

pub(crate) fn put(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

/// Reports whether a program is installed. Fails where `RISK_NEEDS_PROGRAMS` requires it.
pub(crate) fn has(program: &str) -> bool {
    let found = std::process::Command::new(program)
        .arg("--version")
        .output()
        .is_ok();
    if !found {
        skip(program);
    }
    found
}

/// Plays a program against `outnumber` on a small board.
pub(crate) fn play(folder: &Path, bot: &str, more: &[&str]) -> RunOutput {
    let usual = [
        "play",
        "--ruleset",
        "codelab",
        "--map",
        "grid:3x3",
        "--seed",
        "1",
        "--option",
        "max_turns=6",
        "--strikes",
        "2",
        "--bot",
        bot,
        "--bot",
        "outnumber",
    ];
    run_in(folder, &[&usual, more].concat())
}
