//! The descriptions of the protocols, compared with real traffic from both sides.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::server::Server;
use risk_testing::dialling::DialledBot;
use risk_testing::http::ask;
use risk_testing::openapi::Api;
use risk_testing::web::{careful, modest, reply, server};

fn routes(file: &str) -> BTreeSet<String> {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file))
            .unwrap();
    text.split(".route(")
        .skip(1)
        .map(|rest| rest.split('"').nth(1).unwrap().to_owned())
        .collect()
}

#[test]
fn every_route_is_described() {
    let pages: BTreeSet<String> = BTreeSet::from(["/watch.css".to_owned()]);
    let watched = &routes("watch.rs") - &pages;
    let joining = &routes("joining.rs") | &watched;
    let hacker_risk = &routes("hacker_risk.rs") | &joining;
    assert_eq!(Api::read("hacker-risk-arena").paths(), hacker_risk);
    let json = &routes("json.rs") | &joining;
    assert_eq!(Api::read("json-arena").paths(), json);
    assert_eq!(Api::read("callback-arena").paths(), routes("callback.rs"));
    // A ladder has the pages of matches, but no table to join.
    let arenas_only = ["/", "/leave", "/matches", "/metrics"].map(str::to_owned);
    let ladder = &routes("ladder/requests.rs") - &["/ladder.css".to_owned()].into();
    let ladder = &ladder | &(&watched - &arenas_only.into());
    assert_eq!(Api::read("ladder").paths(), ladder);
    // The other two describe bots, whose routes are not those of an arena.
    assert!(Api::read("hacker-risk-bot").paths().contains("/not_turn"));
    assert!(Api::read("callback-bot").paths().contains("/areYouThere"));
}

/// Serves `answer` to the arena, and stores both sides of each request.
fn between(
    answer: impl Fn(&risk_testing::web::Request) -> String + Send + Sync + 'static,
) -> (String, RecordedAnswers) {
    let kept = RecordedAnswers::default();
    let keep = Arc::clone(&kept);
    let address = server(move |request, stream| {
        let text = answer(request);
        keep.lock()
            .unwrap()
            .push((request.path.clone(), request.body.clone(), text.clone()));
        reply(stream, &text);
    });
    (address, kept)
}

/// Relays to a served bot of this program, which ends with the test, unlike the relay.
fn relay(bot: &Server) -> (String, RecordedAnswers) {
    let address = bot.address.clone();
    between(move |request| {
        ask(
            &address,
            &address,
            "POST",
            &request.path,
            &[],
            &request.body,
        )
        .2
    })
}

type RecordedAnswers = Arc<Mutex<Vec<(String, String, String)>>>;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn what_hacker_risk_says_is_as_described() {
    let bots = Api::read("hacker-risk-bot");
    let arenas = Api::read("hacker-risk-arena");
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol hacker-risk --players 3 --bot random --seed 5 --rate 10000 -o max_turns=90",
    );
    // One bot is written for this test, the other is served by this program.
    let (plain, kept) = between(|request| {
        if request.path == "/turn" {
            modest(&request.state()).to_string()
        } else {
            String::new()
        }
    });
    let served = Server::bot(folder.path(), "greedy");
    let (relayed, asked) = relay(&served);
    for (name, url) in [("plain", &plain), ("greedy", &relayed)] {
        let body = json!({ "name": name, "url": url, "encoding": "raw" });
        arenas.check("Player", &body);
        let (status, text) = arena.post("/join", &[], &body.to_string());
        assert_eq!(status, 200);
        arenas.check("Joined", &parsed(&text));
    }
    arena.waits_for("match 1: ");
    let mut actions = BTreeSet::new();
    for (path, request, answer) in kept
        .lock()
        .unwrap()
        .iter()
        .chain(asked.lock().unwrap().iter())
    {
        if path != "/status" {
            bots.check("State", &parsed(request));
        }
        if path == "/turn" {
            bots.check("Answer", &parsed(answer));
            actions.insert(parsed(answer)["action"].as_str().unwrap().to_owned());
        }
    }
    assert!(actions.len() >= 6, "{actions:?}");
    arenas.check("Overview", &parsed(&arena.get("/matches").1));
    let shown = parsed(&arena.get("/match/1/state").1);
    arenas.check("Shown", &shown);
    arenas.check("Refused", &parsed(&arena.post("/join", &[], "{}").1));
    arenas.check("Refused", &parsed(&arena.post("/start", &[], "").1));
    the_broadcasts_are_what_bots_were_told(&arena, &arenas, &kept.lock().unwrap());
    // A description that fits everything would prove nothing.
    let state = parsed(
        &kept
            .lock()
            .unwrap()
            .iter()
            .find(|(path, _, _)| path == "/turn")
            .unwrap()
            .1,
    );
    let mut less = state.clone();
    less["you"].as_object_mut().unwrap().remove("cards");
    let mut more = state.clone();
    more["game"]["weather"] = json!("fine");
    for wrong in [less, more, json!({})] {
        assert!(bots.fits("State", &wrong).is_err(), "{wrong}");
    }
    for wrong in [
        json!({ "action": "attack" }),
        json!({ "action": "dance" }),
        json!({ "action": "deploy_troops", "data": { "peru": -1 } }),
        json!({ "action": "spend_cards", "data": ["peru"] }),
    ] {
        assert!(bots.fits("Answer", &wrong).is_err(), "{wrong}");
    }
}

/// The last broadcasts of the match equal what a bot was sent after the same decision.
fn the_broadcasts_are_what_bots_were_told(
    arena: &Server,
    arenas: &Api,
    kept: &[(String, String, String)],
) {
    let notices = kept.iter().filter(|(path, ..)| path == "/not_turn");
    let notices: Vec<Value> = notices
        .map(|(_, body, _)| parsed(body)["game"].clone())
        .collect();
    // The last one is sent again when the game is over, and more has happened then.
    let last = notices.last().unwrap()["broadcast_count"].clone();
    let notices = notices
        .into_iter()
        .filter(|game| game["broadcast_count"] != last);
    let mut compared = 0;
    for game in notices {
        let count = &game["broadcast_count"];
        let (status, text) = arena.get(&format!("/game/1/{count}"));
        if status == 410 {
            continue;
        }
        assert_eq!(status, 200, "{text}");
        let mut shown = parsed(&text);
        arenas.check("Broadcast", &shown);
        assert_eq!(shown["uid"], "1");
        shown["uid"] = game["uid"].clone();
        assert_eq!(shown, game);
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
    assert_eq!(arena.get("/game/1/0").0, 404);
    assert_eq!(arena.get("/game/1/999999").0, 404);
    assert_eq!(arena.get("/game/7/1").0, 404);
    assert_eq!(arena.get("/game/1/x").0, 400);
}

#[test]
fn what_the_callback_arena_says_is_as_described() {
    let bots = Api::read("callback-bot");
    let arenas = Api::read("callback-arena");
    for map in ["grid:4x4", "hacker-risk"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
        let line =
            format!("--protocol callback --secret-file secret --map {map} --option armies=20");
        let arena = Server::arena(folder.path(), &line);
        let mut all = Vec::new();
        for (name, dialect) in [("a", "Seed"), ("b", "Snow"), ("c", "Seed"), ("d", "Snow")] {
            let (url, kept) = between(careful(name));
            let key = if dialect == "Seed" {
                "callback"
            } else {
                "callbackBaseAddress"
            };
            let body = json!({ "name": name, key: url });
            arenas.check(&format!("Join{dialect}"), &body);
            let (status, text) = arena.post("/join", &[], &body.to_string());
            assert_eq!(status, 200, "{text}");
            arenas.check(&format!("Joined{dialect}"), &parsed(&text));
            all.push((dialect, kept));
        }
        arenas.check("Status", &parsed(&arena.get("/status").1));
        let (status, text) = arena.post(
            "/startgame",
            &[],
            &json!({ "secretCode": "correct-horse" }).to_string(),
        );
        assert_eq!(status, 200, "{text}");
        arenas.check("Status", &parsed(&arena.get("/status").1));
        let mut paths = BTreeSet::new();
        for (dialect, kept) in all {
            for (path, request, answer) in kept.lock().unwrap().iter() {
                paths.insert(path.clone());
                let (asks, says) = match path.as_str() {
                    "/placeArmy" | "/deployArmy" => (format!("Place{dialect}"), Some("Placed")),
                    "/beginAttack" => (format!("Attack{dialect}"), Some("Attack")),
                    "/continueAttack" | "/continueAttacking" => (format!("GoOn{dialect}"), None),
                    "/gameOver" => ("Over".to_owned(), None),
                    _ => continue,
                };
                bots.check(&asks, &parsed(request));
                if let Some(says) = says {
                    bots.check(says, &parsed(answer));
                }
            }
        }
        assert_eq!(paths, bots.paths(), "all of it was spoken");
    }
    assert!(bots.fits("Placed", &json!({ "row": 1 })).is_err());
    assert!(
        bots.fits("Attack", &json!({ "from": { "row": 1, "column": 1 } }))
            .is_err()
    );
    assert!(
        bots.fits("AttackSeed", &json!({ "board": [], "status": 0 }))
            .is_err()
    );
    assert!(
        arenas
            .fits(
                "JoinSeed",
                &json!({ "name": "a", "callbackBaseAddress": "http://127.0.0.1:1" })
            )
            .is_err()
    );
}

#[test]
fn what_the_arena_of_line_json_says_is_as_described() {
    let arenas = Api::read("json-arena");
    for (ruleset, options) in [
        ("starwars", ""),
        ("warzone", ""),
        ("hasbro", "-o max_turns=9"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let line = format!(
            "--protocol json --ruleset {ruleset} --players 3 --bot random --bot random {options}"
        );
        let line = if ruleset == "starwars" {
            "--protocol json --ruleset starwars --bot random".to_owned()
        } else {
            line
        };
        let arena = Server::arena(folder.path(), &line);
        let path = "/bot?name=ann";
        let mut bot = DialledBot::open(&arena.address, path).unwrap();
        arenas.check("Welcome", &bot.hear().unwrap());
        bot.play(20);
        arenas.check("Shown", &parsed(&arena.get("/match/1/state").1));
        arenas.check("Overview", &parsed(&arena.get("/matches").1));
        let answer = bot.choose();
        bot.say(&answer);
        bot.play(usize::MAX);
        arena.waits_for("match 1: ");
        arenas.check("Shown", &parsed(&arena.get("/match/1/state").1));
        let (status, text) = DialledBot::open(&arena.address, "/bot?name=none")
            .map(drop)
            .unwrap_err();
        assert_eq!(status, 400);
        arenas.check("Refused", &parsed(&text));
    }
}
