//! Live matches over HTTP: hidden cards are shown once the match is over.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use risk_engine::Worker;
use risk_testing::dialling::DialledBot;
use risk_testing::leaks::leak;
use serde_json::Value;

use crate::server::{Server, setup};

/// Reads events until all frames so far have come and the match is live, or over if not `live`. The
/// terminal shows the end a moment sooner.
fn received(address: &str, live: bool) -> (Value, Vec<Value>) {
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
        let event: Value = serde_json::from_str(&line[6..]).unwrap();
        let timeline = &event["timeline"];
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
    let (head, frames) = received(&arena.address, true);
    assert_eq!(head["end"], Value::Null);
    assert!(frames.len() > 60, "{}", frames.len());
    let nothing = BTreeSet::new();
    assert_eq!(leak(&frames, &decl, &nothing), None);
    let answer = bot.choose();
    bot.say(&answer);
    bot.play(usize::MAX);
    arena.waits_for("match 1: ");
    let (head, all) = received(&arena.address, false);
    assert!(
        head["end"].as_str().is_some_and(|end| end.len() > 5),
        "{head}"
    );
    assert!(all.len() > frames.len());
    assert!(
        leak(&all, &decl, &nothing).is_some(),
        "all cards are shown in the end"
    );
}
