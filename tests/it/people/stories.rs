//! What people read about their own actions, held against the events of the record.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{folder, session};
use crate::support::run_in;

/// A fight: the seat of the attacker, the seat of the defender, and the losses of both.
type Fight = (Option<u64>, Option<u64>, String);

/// Returns the fights in the events of a record.
fn fights(events: &str) -> Vec<Fight> {
    let mut owners: BTreeMap<String, Option<u64>> = BTreeMap::new();
    let mut all = Vec::new();
    for line in events.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let word = |key: &str| event[key].as_str().unwrap().to_owned();
        match event["kind"].as_str().unwrap() {
            "owner" => {
                owners.insert(word("at"), event["to"].as_u64());
            }
            "captured" => {
                owners.insert(word("to"), event["player"].as_u64());
            }
            "fought" => {
                let [from, to] = ["from", "to"].map(|key| owners.get(&word(key)).copied());
                let losses = format!("−{} −{}", event["attacker_lost"], event["defender_lost"]);
                all.push((from.flatten(), to.flatten(), losses));
            }
            _ => {}
        }
    }
    all
}

/// Returns the losses in the lines about a player's fights.
fn rows(story: &str, name: &str) -> Vec<String> {
    let mut speaker = "";
    let mut rows = Vec::new();
    for line in story.lines() {
        if let Some(name) = line.strip_prefix("● ") {
            speaker = name;
        }
        let is_fight = line.contains(" → ") && line.contains(" v ");
        let losses = line.split_whitespace().filter(|word| word.starts_with('−'));
        let losses: Vec<&str> = losses.take(2).collect();
        if is_fight && speaker == name && losses.len() == 2 {
            rows.push(losses.join(" "));
        }
    }
    rows
}

/// Orders are executed together, and a territory may be lost after the fights that came from it.
#[test]
fn in_fog_players_read_all_fights_of_their_own() {
    let mut attacked = 0;
    for seed in 1..5 {
        let folder = folder();
        let line = format!(
            "play -r warlight2 --bot name=ann,bot=human --bot name=bob,bot=marshal --seats fixed \
             --seed {seed} --story full --record g.jsonl"
        );
        let mut typed = vec!["auto"; 24];
        typed.push("quit");
        let ran = session(folder.path(), &line, &typed);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        let events = run_in(folder.path(), &["replay", "g.jsonl", "--events"]);
        // The game is not over.
        assert_eq!(events.code, 1, "{}", events.err);
        let fights = fights(&events.out);
        let own = fights.iter().filter(|fight| fight.0 == Some(0));
        let own: Vec<String> = own.map(|fight| fight.2.clone()).collect();
        assert!(own.len() > 4, "{}", ran.out);
        assert_eq!(rows(&ran.out, "ann"), own, "seed {seed}: {}", ran.out);
        let against = fights.iter().filter(|fight| fight.1 == Some(0));
        let mut of_bob = rows(&ran.out, "bob").into_iter();
        for fight in against {
            assert!(of_bob.any(|row| row == fight.2), "seed {seed}: {}", ran.out);
            attacked += 1;
        }
    }
    assert!(attacked > 4, "{attacked} attacks");
}

/// The story of a long game is cut at its beginning, between lines.
#[test]
fn a_long_story_is_cut_between_lines() {
    let folder = super::folder();
    let line = "play -r teams --bot human --seed 5 --record g.jsonl";
    let ran = session(folder.path(), line, &vec!["auto turn"; 600]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.len() > 128 << 10, "{}", ran.out.len());
}
