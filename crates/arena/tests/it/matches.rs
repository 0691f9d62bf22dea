//! Matches of players who register over HTTP.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use risk_testing::web::{careful, code, modest, reply, server};
use serde_json::{Value, json};

use crate::server::Server;
use crate::server::replayed;

/// Serves a Hacker Risk bot that does the minimum.
pub(crate) fn modest_bot() -> String {
    server(|request, stream| {
        let text = if request.path == "/turn" {
            modest(&request.state()).to_string()
        } else {
            String::new()
        };
        reply(stream, &text);
    })
}

pub(crate) fn careful_bot(name: &'static str) -> String {
    let bot = careful(name);
    server(move |request, stream| reply(stream, &bot(request)))
}

#[test]
fn matches_of_hacker_risk_begin_when_they_are_full_or_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol hacker-risk --players 3 --bot name=house,bot=holder --seed 6 --seats fixed --records records -o max_turns=30",
    );
    let joins = |body: &str| {
        arena.post(
            "/join",
            &[("Content-Type", "application/x-www-form-urlencoded")],
            body,
        )
    };
    let bots = [modest_bot(), modest_bot()];
    let (status, text) = joins(&format!("name=ann+b&url={}&encoding=raw", bots[0]));
    let joined: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, &joined["match"], &joined["missing"]),
        (200, &json!(1), &json!(1))
    );
    assert_eq!(joined["token"].as_str().unwrap().len(), 36);
    // Joining twice is harmless; a different bot under that name is refused.
    let (status, text) = joins(&format!("name=ann+b&url={}/&encoding=raw", bots[0]));
    let again: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &again["missing"]), (200, &json!(1)));
    assert!(again.get("token").is_none(), "{text}");
    for (name, bot, wanted) in [
        ("ann+b", 1, "arena::name-taken"),
        ("ann", 0, "arena::has-joined"),
        ("house", 1, "arena::name-taken"),
    ] {
        let (status, text) = joins(&format!("name={name}&url={}", bots[bot]));
        assert_eq!((status, code(&text).as_str()), (409, wanted), "{text}");
    }
    let (status, text) = arena.post("/start", &[], "");
    let found = (status, code(&text));
    assert_eq!(found, (503, "arena::too-few".to_owned()), "{text}");
    let json = json!({ "name": "bob", "url": bots[1] }).to_string();
    let (status, text) = arena.post("/join", &[("Content-Type", "application/json")], &json);
    assert_eq!(status, 200);
    assert!(text.contains(r#""match":1,"missing":0"#), "{text}");
    arena.waits_for("match 1: ");
    let overview: Value = serde_json::from_str(&arena.get("/matches").1).unwrap();
    assert_eq!(
        overview["matches"][0]["players"],
        json!(["ann b", "bob", "house"])
    );
    assert_eq!(overview["open"]["match"], 2);
    // Spectators don't see which cards are drawn, because they may be players.
    let state = arena.get("/match/1/state").1;
    assert!(state.contains("draws "), "{state}");
    // A browser is sent back to the page.
    let headers = [
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("Accept", "text/html,*/*"),
    ];
    assert_eq!(
        arena
            .post("/join", &headers, &format!("name=ann&url={}", bots[0]))
            .0,
        303
    );
    assert_eq!(
        replayed(folder.path()),
        BTreeMap::from([("match-00001.jsonl".to_owned(), 0)])
    );
    let record = std::fs::read_to_string(folder.path().join("records/match-00001.jsonl")).unwrap();
    assert!(
        record.contains(&format!(r#""bot":"{},encoding=raw""#, bots[0])),
        "the bot is named as `play` names it"
    );
    drop(arena);
    an_arena_goes_on_behind_its_records(folder.path(), &json);
}

/// The commitment in the reply to joining is that of the match, even if another arena takes its
/// number. After the match the seed and the salt are public, so anyone can check the dice.
#[test]
fn the_dice_are_those_that_were_promised() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol hacker-risk --players 3 --bot holder --bot name=h,bot=holder --records records -o max_turns=30",
    );
    let overview = || serde_json::from_str::<Value>(&arena.get("/matches").1).unwrap();
    let open = overview()["open"]["commitment"].take();
    std::fs::write(folder.path().join("records/match-00001.jsonl"), "").unwrap();
    let body = json!({ "name": "ann", "url": modest_bot() }).to_string();
    let (status, text) = arena.post("/join", &[("Content-Type", "application/json")], &body);
    let joined: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &joined["commitment"]), (200, &open), "{text}");
    arena.waits_for("match 2: ");
    let record = std::fs::read_to_string(folder.path().join("records/match-00002.jsonl")).unwrap();
    let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert_eq!(header["commitment"], open);
    // The program prints the result just before it publishes the seed.
    let state = || serde_json::from_str::<Value>(&arena.get("/match/2/state").1).unwrap();
    let published = (0..200).find(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        !state()["seed"].is_null()
    });
    assert!(published.is_some(), "{}", state());
    for shown in [&state(), &overview()["matches"][0]] {
        for key in ["commitment", "seed", "salt"] {
            assert_eq!(shown[key], header[key], "{key}");
        }
    }
    assert_ne!(overview()["open"]["commitment"], open);
}

/// A new arena numbers its matches after the records that are already in the folder.
fn an_arena_goes_on_behind_its_records(folder: &Path, join: &str) {
    let arena = Server::arena(
        folder,
        "--protocol hacker-risk --players 4 --bot holder --bot odds --records records -o max_turns=30",
    );
    let text = arena.post("/join", &[], join).1;
    assert!(text.contains(r#""match":2,"missing":1"#), "{text}");
    assert_eq!(
        arena.post("/start", &[], "").1,
        r#"{"match":2}"#,
        "three are enough when somebody asks"
    );
    arena.waits_for("match 2: ");
    assert_eq!(replayed(folder).len(), 2);
}

/// A bot that hangs loses its turns, while other matches go on and begin.
#[test]
fn a_bot_that_hangs_stops_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol hacker-risk --players 3 --bot outnumber --bot random --timeout 2 --records records --rate 1000 -o max_turns=2";
    let arena = Server::arena(folder.path(), line);
    let hangs = server(|request, stream| {
        if request.path == "/turn" {
            std::thread::sleep(Duration::from_secs(3));
        }
        reply(stream, "");
    });
    let join = |name: &str, url: &str| {
        arena.post(
            "/join",
            &[],
            &json!({ "name": name, "url": url }).to_string(),
        )
    };
    assert_eq!(join("hangs", &hangs).0, 200);
    for number in 0..5 {
        assert_eq!(join(&format!("good {number}"), &modest_bot()).0, 200);
    }
    for number in 2..=6 {
        arena.waits_for(&format!("match {number}: "));
    }
    assert!(
        !arena.said().contains("match 1: "),
        "the first is still waiting for its bot"
    );
    arena.waits_for("match 1: ");
    assert!(
        arena
            .said()
            .contains("match 1, first fault of hangs (timeout): ")
    );
    let shown = arena.get("/match/1/state").1;
    assert!(
        shown.contains("fault 3 (timeout)") && !shown.contains("2000 ms"),
        "{shown}"
    );
    let faults = replayed(folder.path());
    assert_eq!(faults["match-00001.jsonl"], 3);
    assert_eq!(faults.values().sum::<usize>(), 3);
}
