//! Connections that are cut at random moments.

use std::io::Write;
use std::net::Shutdown;

use risk_testing::dialling::{ConnectionEnd, DialledBot, frame};
use serde_json::json;

use crate::server::Server;
use crate::server::replayed;
use crate::sockets::RULESETS;

/// A linear congruential generator.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Sends an answer, or cuts the connection before, within or after it; returns whether it was cut.
fn answer(bot: &mut DialledBot, lot: &mut Lcg, one_in: u64) -> bool {
    // The same question always gets the same answer.
    bot.chance = bot.asked["id"].as_u64().unwrap().wrapping_mul(977);
    let answer = bot.choose();
    if one_in == 0 || lot.below(one_in) > 0 {
        bot.say(&answer);
        return false;
    }
    let bytes = frame(0x81, answer.to_string().as_bytes());
    let said = lot.below(bytes.len() as u64 + 1) as usize;
    let stream = bot.socket.get_mut();
    stream.write_all(&bytes[..said]).unwrap();
    stream.shutdown(Shutdown::Both).unwrap();
    true
}

/// Reconnects a bot; `None` once the match is over.
fn back(arena: &Server, token: &str) -> Option<DialledBot> {
    match DialledBot::open(&arena.address, &format!("/bot?token={token}")) {
        Ok(bot) => Some(bot),
        Err((410, _)) => None,
        Err(refused) => panic!("{refused:?}"),
    }
}

/// Returns the record of a match with one answer in `one_in` cut (0: none), and how many were cut.
fn played(ruleset: &str, options: &str, (one_in, seed): (u64, u64)) -> (String, usize) {
    let folder = tempfile::tempdir().unwrap();
    let two = ["starwars", "warlight1", "warlight2"].contains(&ruleset);
    let (players, house) = match ruleset {
        "teams" => (4, "--bot random --bot random"),
        "syncs2024" => (5, "--bot random --bot random --bot random"),
        _ if two => (2, ""),
        _ => (3, "--bot random"),
    };
    let line = format!(
        "--protocol json --ruleset {ruleset} --players {players} --bot random {house} --seed 11 --seats fixed --records records --rate 10000 {options}"
    );
    let arena = Server::arena(folder.path(), &line);
    let (mut bot, token) = DialledBot::join(&arena.address, "ann");
    let mut lot = Lcg(seed);
    let mut cuts = 0;
    loop {
        let was_cut = match bot.hear() {
            Ok(message) if message["type"] == "hello" => {
                bot.say(&json!({ "protocol": 1 }));
                false
            }
            Ok(message) if message["type"] == "ask" => {
                bot.asked = message;
                answer(&mut bot, &mut lot, one_in)
            }
            Ok(_) => false,
            Err(ConnectionEnd::Closed(1000, why)) if why == "the match is over" => break,
            Err(_) => true,
        };
        if was_cut {
            cuts += 1;
            match back(&arena, &token) {
                Some(again) => bot = again,
                None => break,
            }
        }
    }
    arena.waits_for("match 1: ");
    assert_eq!(replayed(folder.path())["match-00001.jsonl"], 0, "{ruleset}");
    let record = std::fs::read_to_string(folder.path().join("records/match-00001.jsonl"));
    (record.unwrap(), cuts)
}

/// Runs two rulesets with one seed each; with RISK_EVERY_CASE, all rulesets with four seeds.
#[test]
fn connections_that_are_cut_at_random_moments_change_no_record() {
    let all = std::env::var_os("RISK_EVERY_CASE").is_some();
    for (index, (ruleset, options)) in RULESETS.iter().enumerate() {
        if !all && !["codelab", "simplified"].contains(ruleset) {
            continue;
        }
        let (whole, none) = played(ruleset, options, (0, 0));
        assert_eq!(none, 0);
        for seed in 0..if all { 4 } else { 1 } {
            let seed = 31 * index as u64 + seed;
            let (record, cuts) = played(ruleset, options, (4, seed));
            assert!(cuts > 0, "{ruleset}: nothing was cut");
            assert!(
                record == whole,
                "{ruleset}: cut {cuts} times under seed {seed}"
            );
        }
    }
}
