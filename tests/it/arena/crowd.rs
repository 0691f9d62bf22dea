//! Many matches at the same time.

use std::io::Write;
use std::time::Instant;

use risk_testing::web::{modest, reply, server};
use serde_json::json;

use super::replayed;
use crate::programs::Program;

/// Returns the processor time of a process in hundredths of a second, and its peak memory in KiB.
#[cfg(target_os = "linux")]
fn used(id: &str) -> (u64, u64) {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let fields: Vec<u64> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    (
        fields[11] + fields[12],
        peak.split_whitespace().next().unwrap().parse().unwrap(),
    )
}

/// Plays many matches at the same time, four bots each, every bot with connections of its own.
#[cfg(target_os = "linux")]
fn crowd(matches: usize, turns: u32) {
    let folder = tempfile::tempdir().unwrap();
    let requests = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let line = format!(
        "--protocol hacker-risk --players 4 --matches {matches} --rate 100000 --records records -o max_turns={turns} --seed 1"
    );
    let arena = Program::arena(folder.path(), &line);
    let count = std::sync::Arc::clone(&requests);
    let bot = server(move |request, stream| {
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let text = if request.path.ends_with("/turn") {
            modest(&request.state()).to_string()
        } else {
            String::new()
        };
        reply(stream, &text);
    });
    let began = Instant::now();
    let before = used("self").0;
    for number in 0..matches * 4 {
        let body = json!({ "name": format!("bot {number}"), "url": format!("{bot}/{number}"), "encoding": "raw" });
        let (status, text) = arena.post("/join", &[], &body.to_string());
        assert_eq!(status, 200, "{text}");
    }
    for number in 1..=matches {
        arena.waits_for(&format!("match {number}: "));
    }
    let seconds = began.elapsed().as_secs_f64();
    let ((own, peak), bots) = (used(&arena.id().to_string()), used("self").0 - before);
    let sent = requests.load(std::sync::atomic::Ordering::Relaxed);
    let rate = sent as f64 / seconds;
    let own = own as f64 / 100.0;
    let bots = bots as f64 / 100.0;
    let told = format!(
        "{matches} matches, {sent} requests in {seconds:.1} s: {rate:.0} a second\n\
         processor: arena {own:.1} s, bots {bots:.1} s; the arena's peak is {} MiB\n",
        peak >> 10
    );
    let _ = std::io::stderr().write_all(told.as_bytes());
    let faults = replayed(folder.path());
    assert_eq!((faults.len(), faults.values().sum::<usize>()), (matches, 0));
}

#[cfg(target_os = "linux")]
#[test]
fn twelve_matches_at_once() {
    crowd(12, 8);
}

/// Measures requests a second, processor time of the arena and of the bots, and the arena's peak
/// memory, with 800 bots in 200 matches. It checks nothing that twelve matches don't. It takes
/// minutes, and other load distorts the figures, which are in docs/performance.md:
/// `cargo test --release --test it -- --ignored --nocapture two_hundred`.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "measures an arena of 800 bots for minutes; run it alone, in a release build"]
fn two_hundred_matches_at_once() {
    crowd(200, 60);
}
