//! Runs: the same for any number of threads, kills and cuts.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{SMALL, folder, log, out, tournament};

#[test]
fn a_run_is_the_same_on_any_number_of_threads() {
    let one = folder(SMALL);
    let four = folder(SMALL);
    let ran = tournament(one.path(), "run . -j 1");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("12 of 12 blocks, 36 games"), "{}", ran.out);
    assert_eq!(tournament(four.path(), "run . -j 4").out, ran.out);
    assert_eq!(log(one.path()), log(four.path()));
    assert_eq!(out(one.path()), out(four.path()));
    // Completed blocks are not played again.
    let again = tournament(one.path(), "run .");
    assert!(again.err.contains("  0 blocks "), "{}", again.err);
    assert!(again.err.contains("12 of 12"), "{}", again.err);
    assert_eq!(again.out, ran.out);
}

/// A kill or a full disk may cut the last line anywhere.
#[test]
fn a_log_that_was_cut_is_played_to_the_same_end() {
    let whole = folder(SMALL);
    tournament(whole.path(), "run . -j 1");
    let text = log(whole.path());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let last = text.len() - lines[11].len();
    for cut in [
        text.len() - 1,
        text.len() - 17,
        last + 1,
        last,
        last - 1,
        5,
        0,
    ] {
        let again = folder(SMALL);
        fs::write(again.path().join("log.1-of-1.jsonl"), &text[..cut]).unwrap();
        let ran = tournament(again.path(), "run . -j 2");
        assert_eq!(ran.code, 0, "cut at {cut}: {}", ran.err);
        assert!(log(again.path()) == text, "cut at {cut}");
        assert_eq!(out(again.path()), out(whole.path()), "cut at {cut}");
    }
}

/// After kills at several moments, with records on, no completed block is lost, and the result
/// equals an uninterrupted run.
#[test]
fn a_run_that_is_killed_goes_on() {
    let text = format!(
        "{}records: true\n",
        SMALL.replace("blocks: 12", "blocks: 150")
    );
    let whole = folder(&text);
    assert_eq!(tournament(whole.path(), "run . -j 1").code, 0);
    let killed = folder(&text);
    let mut before = 0;
    for wait in [30, 60, 90, 120, 45] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("risk-cli"))
            .args(["tournament", "run", ".", "-j", "2"])
            .current_dir(killed.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let path = killed.path().join("log.1-of-1.jsonl");
        let held = fs::read_to_string(path).unwrap_or_default();
        let lines = held.matches('\n').count();
        assert!(lines >= before, "a block was lost");
        before = lines;
    }
    assert_eq!(tournament(killed.path(), "run . -j 2").code, 0);
    assert!(log(killed.path()) == log(whole.path()));
    assert_eq!(out(killed.path()), out(whole.path()));
    let records = |folder: &std::path::Path| {
        let mut all: Vec<_> = fs::read_dir(folder.join("records"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
            .map(|path| {
                (
                    path.file_name().unwrap().to_owned(),
                    fs::read(&path).unwrap(),
                )
            })
            .collect();
        all.sort();
        all
    };
    let all = records(whole.path());
    assert_eq!(all.len(), 450);
    assert!(records(killed.path()) == all);
    let replayed = crate::support::run_in(
        killed.path(),
        &["replay", "records/000149-3.jsonl", "--verify"],
    );
    assert_eq!(replayed.code, 0, "{}", replayed.err);
}

#[test]
fn a_second_writer_is_refused() {
    let held = folder(SMALL);
    tournament(held.path(), "run . -q");
    let path = held.path().join("log.1-of-1.jsonl");
    let before = fs::read(&path).unwrap();
    let file = fs::File::open(&path).unwrap();
    file.lock().unwrap();
    let ran = tournament(held.path(), "run .");
    ran.refuses(6, "tournament::busy");
    tournament(held.path(), "merge .").refuses(6, "tournament::busy");
    assert!(ran.err.contains("--shard 1/2"), "{}", ran.err);
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// A limit on file size simulates a full disk: the run ends with its own exit code, and completes
/// when there is space again.
#[cfg(unix)]
#[test]
fn a_full_disk_has_a_code_and_loses_nothing() {
    let whole = folder(SMALL);
    tournament(whole.path(), "run . -q");
    let held = folder(SMALL);
    let program = assert_cmd::cargo::cargo_bin!("risk-cli");
    let shell = format!(
        "trap '' XFSZ; ulimit -f 8; exec '{}' tournament run . -j 1",
        program.display()
    );
    let ran = Command::new("sh")
        .args(["-c", &shell])
        .current_dir(held.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(7), "{said}");
    assert!(said.contains("tournament::full"), "{said}");
    let half = log(held.path());
    assert!(!half.is_empty() && log(whole.path()).starts_with(&half));
    let ran = tournament(held.path(), "run . -j 2");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(log(held.path()), log(whole.path()));
    assert_eq!(out(held.path()), out(whole.path()));
}

/// Two names for one bot: games are the same except for the names, so each wins exactly its share.
#[test]
fn twins_win_alike() {
    let twins = folder(
        "ruleset: codelab\nmap: grid:3x3\nblocks: 10\nbots: [outnumber, 'name=b,bot=outnumber', 'name=c,bot=outnumber']\n",
    );
    let ran = tournament(twins.path(), "run .");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ranking = &out(twins.path())[1].1;
    for line in ranking.lines().skip(1) {
        assert_eq!(line.split(',').nth(5), Some("0.333333"), "{line}");
    }
    assert!(ran.out.contains("the same in every block"), "{}", ran.out);
}
