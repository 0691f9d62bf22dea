//! Many matches at the same time.

use std::io::Write;
use std::time::Instant;

use serde_json::{Value, json};

use super::dialling::{ConnectionEnd, DialledBot};
use super::replayed;
use crate::programs::Program;
use crate::web::{modest, reply, server};

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

/// Checks that the pages of the list have each match once, the newest first.
fn the_list_has_pages(arena: &Program, matches: usize) {
    let mut found = Vec::new();
    let mut next = "/matches?count=5".to_owned();
    loop {
        let page: Value = serde_json::from_str(&arena.get(&next).1).unwrap();
        let matches = page["matches"].as_array().unwrap();
        assert!(matches.len() == 5 || page["next"].is_null(), "{page}");
        found.extend(matches.iter().map(|one| one["match"].as_u64().unwrap()));
        match page["next"].as_str() {
            Some(address) => address.clone_into(&mut next),
            None => break,
        }
    }
    let all: Vec<u64> = (1..=matches as u64).rev().collect();
    assert_eq!(found, all);
    for wrong in [
        "count=0",
        "count=1001",
        "count=-1",
        "before=x",
        "page=2",
        "count=1&count=1",
    ] {
        assert_eq!(arena.get(&format!("/matches?{wrong}")).0, 400, "{wrong}");
    }
}

/// Plays many matches at the same time between bots that dial in, four to a match, each on a thread
/// of its own. There must be no fault, and a whole record of each match.
fn dialled_crowd(matches: usize, turns: u32) {
    let folder = tempfile::tempdir().unwrap();
    let line = format!(
        "--protocol json --ruleset hasbro --players 4 --matches {matches} --rate 100000 --timeout 60 --records records -o max_turns={turns} --seed 1"
    );
    let arena = Program::arena(folder.path(), &line);
    let began = Instant::now();
    let bots: Vec<_> = (0..matches * 4)
        .map(|number| {
            // Bots join in turn, so that none finds a full table.
            let (mut bot, _) = DialledBot::join(&arena.address, &format!("bot%20{number}"));
            bot.chance = number as u64;
            std::thread::spawn(move || (bot.play(usize::MAX), bot.faults))
        })
        .collect();
    for bot in bots {
        let over = ConnectionEnd::Closed(1000, "the match is over".to_owned());
        assert_eq!(bot.join().unwrap(), (over, Vec::new()));
    }
    let seconds = began.elapsed().as_secs_f64();
    for number in 1..=matches {
        arena.waits_for(&format!("match {number}: "));
    }
    the_list_has_pages(&arena, matches);
    let answers = arena.get("/metrics").1;
    let answers = answers
        .lines()
        .find_map(|line| line.strip_prefix("risk_answers_total "));
    let answers: f64 = answers.unwrap().parse().unwrap();
    let rate = answers / seconds;
    let told =
        format!("{matches} matches, {answers} answers in {seconds:.1} s: {rate:.0} a second\n");
    let _ = std::io::stderr().write_all(told.as_bytes());
    let faults = replayed(folder.path());
    assert_eq!((faults.len(), faults.values().sum::<usize>()), (matches, 0));
}

#[test]
fn twelve_matches_at_once_of_bots_that_dial_in() {
    dialled_crowd(12, 8);
}

#[test]
#[ignore = "800 bots on threads of their own, for minutes; run it alone, in a release build"]
fn two_hundred_matches_at_once_of_bots_that_dial_in() {
    dialled_crowd(200, 60);
}
