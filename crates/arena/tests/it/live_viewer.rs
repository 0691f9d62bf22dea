//! Live matches on the wire: hidden cards are told when all is over.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use risk_engine::Worker;
use risk_kernel::declare::{Declaration, Sight, Visibility};
use risk_kernel::view::is_open;
use risk_testing::dialling::DialledBot;
use serde_json::Value;

use crate::server::{Server, setup};

/// Returns what the frames of a game reveal that is hidden from a player.
fn leak(frames: &[Value], decl: &Declaration, in_secret: &BTreeSet<u64>) -> Option<String> {
    let changed = |frame: &Value, key: &str| frame[key].as_array().cloned().unwrap_or_default();
    // The first frame is complete, and has each pile of each player and of the table.
    let holders = changed(&frames[0], "p").len() / decl.piles.len().max(1);
    for frame in frames {
        for land in changed(frame, "l") {
            let owner = land[1].as_i64() != Some(-1) && decl.owners_seen != Sight::All;
            let units = land[2].as_i64() != Some(-1) && decl.units_seen != Sight::All;
            if owner || units {
                return Some(format!("land: {land}"));
            }
        }
        for pile in changed(frame, "p") {
            let index = pile[0].as_u64().unwrap() as usize / holders;
            if pile[1].is_array() && decl.piles[index].seen != Visibility::All {
                return Some(format!("cards: {pile}"));
            }
        }
        if frame.get("s").is_some() {
            return Some("who sees what".to_owned());
        }
        // Texts about actions name places, numbers and cards.
        for text in changed(frame, "t").iter().filter(|text| text[0] != -1) {
            let said = text[1].as_str().unwrap();
            let is_known = ["draws a card", "fault ", "resigns"]
                .iter()
                .any(|known| said.starts_with(known));
            let is_hidden = !is_open(decl) && text[2].is_null() && !is_known;
            let names_a_card = said.starts_with("draws ") && !said.starts_with("draws a card");
            if is_hidden || names_a_card || said.starts_with("chooses ") {
                return Some(format!("text: {text}"));
            }
        }
        let answers = frame["w"][0].as_u64();
        if let Some(answers) = answers.filter(|it| in_secret.contains(it)) {
            return Some(format!("decision {answers}, which is secret"));
        }
    }
    None
}

/// Reads events until all frames so far have come and the match is live, or over if not `live`. The
/// terminal shows the end a moment sooner.
fn told(address: &str, live: bool) -> (Value, Vec<Value>) {
    let stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let request = format!("GET /match/1/events HTTP/1.1\r\nHost: {address}\r\n\r\n");
    (&stream).write_all(request.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    let (mut head, mut frames, mut epoch) = (Value::Null, Vec::new(), Value::Null);
    loop {
        let line = lines.find(|line| line.starts_with("data: ")).unwrap();
        let told: Value = serde_json::from_str(&line[6..]).unwrap();
        let timeline = &told["timeline"];
        if !timeline.is_object() {
            continue;
        }
        if timeline["epoch"] != epoch {
            epoch = timeline["epoch"].clone();
            frames.clear();
        }
        if timeline["head"].is_object() {
            head = timeline["head"].clone();
        }
        frames.extend(timeline["frames"].as_array().unwrap().iter().cloned());
        if timeline["more"] == false && head["live"] == live {
            return (head, frames);
        }
    }
}

#[test]
fn the_wire_tells_hidden_cards_when_all_is_over_and_no_sooner() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol json --ruleset hasbro --players 3 --seed 3 --rate 1000 --bot outnumber --bot outnumber -o max_turns=30";
    let arena = Server::arena(folder.path(), line);
    let (mut bot, _) = DialledBot::join(&arena.address, "ann");
    let setup = setup("hasbro", None, &["random"; 3], 3, &[]);
    let decl = std::sync::Arc::clone(Worker::new(&setup).unwrap().decl());
    // The bot has another question, and leaves it open for now.
    bot.play(50);
    let (head, frames) = told(&arena.address, true);
    assert_eq!(head["end"], Value::Null);
    assert!(frames.len() > 60, "{}", frames.len());
    let nothing = BTreeSet::new();
    assert_eq!(leak(&frames, &decl, &nothing), None);
    let answer = bot.choose();
    bot.say(&answer);
    bot.play(usize::MAX);
    arena.waits_for("match 1: ");
    let (head, all) = told(&arena.address, false);
    assert!(
        head["end"].as_str().is_some_and(|end| end.len() > 5),
        "{head}"
    );
    assert!(all.len() > frames.len());
    assert!(
        leak(&all, &decl, &nothing).is_some(),
        "all cards are told in the end"
    );
}
