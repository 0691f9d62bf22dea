//! The arena of the callback protocol: its secret, and whole matches in both dialects.

use std::path::Path;

use risk_testing::web::{reply, server};
use serde_json::{Value, json};

use crate::matches::careful_bot;
use crate::server::Server;
use crate::server::replayed;

/// Starts an arena and registers ann and bob, each in one dialect; returns the reply to bob.
fn with_ann_and_bob(folder: &Path) -> (Server, String) {
    std::fs::write(folder.join("secret"), "correct-horse\n").unwrap();
    let arena = Server::arena(
        folder,
        "--protocol callback --secret-file secret --option armies=9",
    );
    let join = |body: Value| arena.post("/join", &[], &body.to_string());
    let (status, text) = join(json!({ "name": "ann", "callback": careful_bot("ann") }));
    assert_eq!(status, 200);
    assert!(text.starts_with(r#"{"match":1,"missing":7,"#), "{text}");
    let (status, text) = join(json!({ "Name": "bob", "CallbackBaseAddress": careful_bot("bob") }));
    assert_eq!(status, 200, "{text}");
    (arena, text)
}

fn state_of(arena: &Server) -> Value {
    serde_json::from_str(&arena.get("/status").1).unwrap()
}

#[test]
fn each_dialect_is_answered_in_its_words() {
    let folder = tempfile::tempdir().unwrap();
    let (arena, text) = with_ann_and_bob(folder.path());
    let join = |body: Value| arena.post("/join", &[], &body.to_string());
    let token: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(token["token"].as_str().unwrap().len(), 36, "{text}");
    // The dialects report a taken name differently.
    let other = careful_bot("ann");
    assert_eq!(join(json!({ "name": "ann", "callback": other })).0, 409);
    let (status, text) = join(json!({ "name": "ann", "callbackBaseAddress": other }));
    assert!(
        status == 400 && text.starts_with("Unable to join game"),
        "{status} {text}"
    );
    let (status, text) = join(json!({ "name": "far", "callback": "http://192.0.2.7:80" }));
    assert!(status == 400 && text.contains("--allow-callback"), "{text}");
    let (status, text) =
        join(json!({ "name": "nowhere", "callback": "http://nowhere.invalid:80" }));
    assert!(status == 400 && text.contains("nowhere.invalid"), "{text}");
    assert!(!text.contains("--allow-callback"), "{text}");
    let mute = server(|_, stream| reply(stream, "no"));
    let (status, text) = join(json!({ "name": "mute", "callbackBaseAddress": mute }));
    assert!(status == 400 && text.contains("/areYouThere"), "{text}");
    let state = state_of(&arena);
    assert_eq!(
        (&state["gameState"], &state["players"]),
        (&json!(1), &json!(["ann", "bob"]))
    );
}

/// Headers and body without the right secret, and the status of the reply.
const NO_SECRETS: &[(&[(&str, &str)], &str, u16)] = &[
    (&[], "", 401),
    (&[("Authorization", "Bearer wrong-horse")], "", 403),
    (&[("Authorization", "Basic eDp3cm9uZy1ob3JzZQ==")], "", 403),
    (&[("Authorization", "Basic !")], "", 403),
    (&[("Authorization", "correct-horse")], "", 403),
    (&[], r#"{"secretCode":"wrong-horse"}"#, 400),
    (&[], r#"{"secretCode":""}"#, 400),
    (&[], r#"{"secretCode":["correct-horse"]}"#, 400),
    (&[], r#"{"code":"correct-horse"}"#, 401),
    (&[], "correct-horse", 400),
];

#[test]
fn the_callback_arena_wants_its_secret() {
    let folder = tempfile::tempdir().unwrap();
    let (arena, _) = with_ann_and_bob(folder.path());
    for (headers, body, wanted) in NO_SECRETS {
        let (status, text) = arena.post("/startgame", headers, body);
        assert_eq!(status, *wanted, "{headers:?} {body}: {text}");
    }
    // One dialect is answered when the match ends, the other when it begins.
    let (status, text) = arena.post(
        "/startgame",
        &[],
        &json!({ "secretCode": "correct-horse" }).to_string(),
    );
    assert!(
        status == 200 && text.contains("nobody can attack any more"),
        "{status} {text}"
    );
    let over = state_of(&arena);
    assert_eq!(over["gameState"], 4);
    scores_are_of_the_board(&over);
    assert_eq!(arena.post("/restartgame", &[], "{}").0, 401);
    assert_eq!(
        arena
            .post(
                "/restartgame",
                &[],
                &json!({ "secretCode": "correct-horse" }).to_string()
            )
            .0,
        200
    );
    assert_eq!(state_of(&arena)["gameState"], 1);
    // eDpjb3JyZWN0LWhvcnNl is Base64 for x:correct-horse.
    assert_eq!(
        arena
            .post(
                "/startgame",
                &[("Authorization", "Basic eDpjb3JyZWN0LWhvcnNl")],
                ""
            )
            .1,
        r#"{"match":2}"#
    );
    arena.waits_for("match 2: ");
    assert!(
        !arena.said().contains("correct-horse"),
        "no one learns the secret"
    );
}

/// A cell scores two, and each army one.
fn scores_are_of_the_board(over: &Value) {
    for (player, name) in over["playerStats"]
        .as_array()
        .unwrap()
        .iter()
        .zip(["ann", "bob"])
    {
        let [armies, territories, score] =
            ["armies", "territories", "score"].map(|key| player[key].as_i64().unwrap());
        let cells: Vec<&Value> = over["board"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|cell| cell["ownerName"] == name)
            .collect();
        let sum: i64 = cells
            .iter()
            .map(|cell| cell["armies"].as_i64().unwrap())
            .sum();
        assert_eq!(
            (armies, territories, score),
            (sum, cells.len() as i64, sum + 2 * cells.len() as i64),
            "{name}"
        );
    }
}

#[test]
fn the_scores_of_an_arena_are_the_rulesets() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse\n").unwrap();
    let ruleset = "fn ruleset() { #{ extends: \"simplified\" } }\nfn score(g, who) { 100 - g.territories(who) }\n";
    std::fs::write(folder.path().join("scored.rhai"), ruleset).unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol callback --secret-file secret --ruleset ./scored.rhai --option armies=9 --bot odds",
    );
    let join = json!({ "name": "ann", "callback": careful_bot("ann") });
    assert_eq!(arena.post("/join", &[], &join.to_string()).0, 200);
    let secret = json!({ "secretCode": "correct-horse" });
    assert_eq!(arena.post("/startgame", &[], &secret.to_string()).0, 200);
    let over = state_of(&arena);
    assert_eq!(over["gameState"], 4, "{over}");
    for player in over["playerStats"].as_array().unwrap() {
        let territories = player["territories"].as_i64().unwrap();
        assert_eq!(player["score"], 100 - territories, "{over}");
    }
}

/// Matches in each dialect, and with both mixed.
#[test]
fn callback_matches_are_played_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let arena = Server::arena(
        folder.path(),
        "--protocol callback --secret-file secret --players 8 --rate 1000 --option armies=12 --records records --seed 1",
    );
    for count in 2..=8 {
        for (index, name) in NAMES[8 - count..].iter().enumerate() {
            let url = careful_bot(name);
            let snow = match count % 3 {
                0 => true,
                1 => false,
                _ => index % 2 == 0,
            };
            let key = if snow {
                "callbackBaseAddress"
            } else {
                "callback"
            };
            let (status, text) =
                arena.post("/join", &[], &json!({ "name": name, key: url }).to_string());
            assert_eq!(status, 200, "{text}");
        }
        let (status, text) = arena.post(
            "/startgame",
            &[],
            &json!({ "secretCode": "correct-horse" }).to_string(),
        );
        assert_eq!(status, 200, "{text}");
    }
    let faults = replayed(folder.path());
    assert!(
        faults.len() == 7 && faults.values().all(|count| *count == 0),
        "{faults:?}"
    );
}
