//! The limits of strangers: the names of their bots, the programs that their files name, and where
//! an arena keeps to.

mod naming;
mod programs;

use crate::support::{run, run_in, words};

#[test]
fn loopback_can_not_be_forbidden_and_allowed() {
    let ran = run(&words(
        "serve --protocol hacker-risk --port 0 --forbid-loopback --allow-callback 127.0.0.0/8",
    ));
    ran.refuses(2, "serve::network");
    for word in ["--forbid-loopback", "--allow-callback", "127.0.0.0/8"] {
        assert!(ran.err.contains(word), "{}", ran.err);
    }
}

#[test]
fn no_number_follows_the_largest_one() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records");
    std::fs::create_dir(&records).unwrap();
    std::fs::write(records.join("match-18446744073709551615.jsonl"), "").unwrap();
    let line = "serve --port 0 --practice --protocol hacker-risk --players 3 --bot random --bot random \
                --records records -o max_turns=3 --seed 1";
    let ran = run_in(folder.path(), &words(line));
    ran.refuses(2, "serve::records");
}
