//! Tournaments: designs, logs that survive any interruption, and reports.

mod balances;
mod comparisons;
mod finals;
mod folders;
mod luck;
mod mistakes;
mod reports;
mod runs;
mod verifying;

use std::fs;
use std::path::Path;

use crate::support::{RunOutput, run_in, words};

/// A small tournament: three bots, quick games.
const SMALL: &str = "ruleset: codelab\nmap: grid:3x3\noptions: { max_turns: 30 }\nblocks: 12\nseed: 4\nbots: [random, outnumber, greedy]\n";

fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tournament.yaml"), text).unwrap();
    folder
}

fn tournament(folder: &Path, line: &str) -> RunOutput {
    let mut args = vec!["tournament"];
    args.extend(words(line));
    run_in(folder, &args)
}

/// Returns the files that are made from the logs.
fn out(folder: &Path) -> Vec<(String, String)> {
    let names = ["games.csv", "ranking.csv", "report.json"];
    let read = |name: &str| fs::read_to_string(folder.join("out").join(name)).unwrap();
    names.map(|name| (name.to_owned(), read(name))).to_vec()
}

/// Returns the log of a whole run.
fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("log.1-of-1.jsonl")).unwrap()
}
