//! Many matches at the same time.

use std::io::Write;
use std::time::Instant;

use risk_testing::dialling::{ConnectionEnd, DialledBot};
use serde_json::Value;

use crate::server::Server;
use crate::server::replayed;

/// Checks that the pages of the list have each match once, the newest first.
fn the_list_has_pages(arena: &Server, matches: usize) {
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
    let arena = Server::arena(folder.path(), &line);
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
    let figures =
        format!("{matches} matches, {answers} answers in {seconds:.1} s: {rate:.0} a second\n");
    let _ = std::io::stderr().write_all(figures.as_bytes());
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
