//! Bots that dial in: whole matches in every ruleset, connections that break, and the same game as
//! in process.

use risk_arena::bot::{SERVED, ServedBot};
use risk_engine::bot_spec::BotSpec;
use risk_engine::script::ScriptLimits;
use risk_engine::{RuleSetup, Seats, Setup, Worker};
use risk_maps::files::FileKind;
use risk_testing::dialling::{ConnectionEnd, DialledBot};
use risk_testing::games::recorded;
use risk_testing::web::{code, reply, server};
use serde_json::{Value, json};

use crate::server::replayed;
use crate::server::{Server, library, setup, verified};

/// Every ruleset, with options that keep its games short.
pub(crate) const RULESETS: [(&str, &str); 13] = [
    ("capital", "-o max_turns=9"),
    ("fog", "-o max_turns=9"),
    ("scored", "-o max_turns=9"),
    ("hasbro", "-o max_turns=12"),
    ("missions", "-o max_turns=12"),
    ("teams", "-o max_turns=12"),
    ("syncs2024", "-o max_turns=12"),
    ("simplified", ""),
    ("codelab", "-o max_turns=12"),
    ("starwars", ""),
    ("warzone", ""),
    ("warlight1", ""),
    ("warlight2", ""),
];

/// Serves an HTTP bot that takes the first option with the first value of each parameter.
fn http_bot() -> String {
    server(|request, stream| {
        let message: Value = serde_json::from_str(&request.body).unwrap();
        let answer = match message["type"].as_str().unwrap() {
            "hello" => json!({ "protocol": 1 }),
            "ask" => {
                let offer = &message["options"][0];
                let first = |domain: &Value| match domain {
                    Value::Array(values) => values[0].clone(),
                    span => span["min"].clone(),
                };
                let parameters = offer["parameters"].as_array().unwrap();
                let mut action = vec![offer["verb"].clone()];
                action.extend(parameters.iter().map(first));
                json!({ "id": message["id"], "do": action })
            }
            _ => Value::Null,
        };
        reply(stream, &answer.to_string());
    })
}

fn plays(ruleset: &str, options: &str) {
    let folder = tempfile::tempdir().unwrap();
    let three = !["starwars", "warlight1", "warlight2"].contains(&ruleset);
    let (players, house) = match ruleset {
        "teams" => (4, "--bot random --bot random"),
        "syncs2024" => (5, "--bot random --bot random --bot random"),
        _ if three => (3, "--bot random"),
        _ => (2, "--bot random"),
    };
    let line = format!(
        "--protocol json --ruleset {ruleset} --players {players} {house} --seed 3 --records records --rate 1000 {options}"
    );
    let arena = Server::arena(folder.path(), &line);
    if three {
        let body = json!({ "name": "listens", "url": http_bot() }).to_string();
        let (status, text) = arena.post("/join", &[], &body);
        assert_eq!(status, 200, "{text}");
    }
    let (mut bot, _) = DialledBot::join(&arena.address, "ann");
    let ended = bot.play(usize::MAX);
    assert_eq!(
        ended,
        ConnectionEnd::Closed(1000, "the match is over".to_owned()),
        "{ruleset}: {}",
        arena.said()
    );
    let kinds = |kind: &str| bot.heard.iter().filter(|heard| *heard == kind).count();
    let counts = [
        kinds("hello"),
        kinds("game"),
        kinds("fault"),
        kinds("over"),
        kinds("bye"),
    ];
    assert_eq!(counts, [1, 1, 0, 1, 1], "{ruleset}");
    arena.waits_for("match 1: ");
    let faults = replayed(folder.path());
    assert_eq!(faults["match-00001.jsonl"], 0, "{ruleset}");
    let state: Value = serde_json::from_str(&arena.get("/match/1/state").1).unwrap();
    the_state_is_declared(ruleset, &state);
}

/// Checks that the frames of a finished match show what the ruleset declares.
fn the_state_is_declared(ruleset: &str, state: &Value) {
    let head = &state["timeline"]["head"];
    let count = |key: &str| head[key].as_array().unwrap().len();
    let players = state["players"].as_array().unwrap().len();
    let first = &state["timeline"]["frames"][0];
    let places = |key: &str| first[key].as_array().map_or(0, Vec::len);
    let [counters, piles] = ["counters", "piles"].map(count);
    assert_eq!(
        places("n"),
        3 * players + counters * (players + 1),
        "{ruleset}"
    );
    assert_eq!(places("p"), piles * (players + 1), "{ruleset}");
    let kinds = count("units");
    for land in first["l"].as_array().unwrap() {
        assert_eq!(land.as_array().unwrap().len(), 2 + kinds, "{ruleset}");
    }
}

#[test]
fn every_ruleset_is_played_over_a_web_socket() {
    for (ruleset, options) in RULESETS {
        plays(ruleset, options);
    }
    let known = library().names(FileKind::Ruleset);
    assert_eq!(known.len(), RULESETS.len(), "{known:?}");
}

/// Each new connection gets the open question again; the record is that of an unbroken one.
#[test]
fn a_connection_that_breaks_costs_nothing() {
    let record = |cuts: &[usize]| {
        let folder = tempfile::tempdir().unwrap();
        let line = "--protocol json --ruleset hasbro --players 3 --bot holder --bot odds --seed 11 --seats fixed --records records -o max_turns=20";
        let arena = Server::arena(folder.path(), line);
        let (mut bot, token) = DialledBot::join(&arena.address, "ann");
        for &cut in cuts {
            let ended = bot.play(cut);
            assert_eq!(ended, ConnectionEnd::Enough, "{}", arena.said());
            let open = bot.asked["id"].clone();
            let mut again = DialledBot::back(&arena.address, &token);
            again.chance = bot.chance;
            // The new connection closes the old one, unless the old one breaks first.
            drop(bot);
            assert_eq!(again.play(0), ConnectionEnd::Enough);
            assert_eq!(again.asked["id"], open, "the same question");
            let answer = again.choose();
            again.say(&answer);
            bot = again;
        }
        bot.play(usize::MAX);
        arena.waits_for("match 1: ");
        assert_eq!(replayed(folder.path())["match-00001.jsonl"], 0, "no fault");
        let (status, text) = DialledBot::open(&arena.address, &format!("/bot?token={token}"))
            .map(drop)
            .unwrap_err();
        assert_eq!(
            (status, code(&text).as_str()),
            (410, "arena::unknown-token"),
            "{text}"
        );
        std::fs::read_to_string(folder.path().join("records/match-00001.jsonl")).unwrap()
    };
    let whole = record(&[]);
    assert!(whole.lines().count() > 50);
    assert_eq!(record(&[1, 1, 2, 5, 3]), whole);
    assert_eq!(record(&[4, 7, 1, 9]), whole);
}

/// The reply to joining has the commitment, the record keeps to it, and no frame has the seed.
#[test]
fn dice_are_settled_before_a_bot_plays() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol json --ruleset codelab --players 2 --bot holder --seed autumn-2026 --records records -o max_turns=6";
    let arena = Server::arena(folder.path(), line);
    let mut bot = DialledBot::open(&arena.address, "/bot?name=ann").unwrap();
    let welcome = bot.hear().unwrap();
    let commitment = welcome["commitment"].as_str().unwrap().to_owned();
    assert_eq!(commitment.len(), 64, "{welcome}");
    let mut said = welcome.to_string();
    while let Ok(frame) = bot.hear() {
        said += &frame.to_string();
        if frame["type"] == "hello" {
            bot.say(&serde_json::json!({ "protocol": 1 }));
        }
        if frame["type"] == "ask" {
            // Pages don't show the seed either while the match is played.
            for path in ["/", "/matches", "/match/1", "/match/1/state", "/metrics"] {
                said += &arena.get(path).1;
            }
            bot.asked = frame;
            let answer = bot.choose();
            bot.say(&answer);
        }
    }
    arena.waits_for("match 1: ");
    let path = folder.path().join("records/match-00001.jsonl");
    let record = std::fs::read_to_string(path).unwrap();
    let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert_eq!(header["commitment"], commitment.as_str());
    for secret in ["seed", "salt"] {
        let secret = header[secret].as_str().unwrap();
        assert!(secret.len() > 20 && !said.contains(secret), "{secret}");
    }
    assert!(!said.contains("autumn-2026"), "the secret of the arena");
    verified(&record);
}

/// Returns the lines of a record without bots, times, commitment, salt and sums.
fn without_bots(record: &str) -> Vec<Value> {
    let line = |line: &str| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        let fields = value.as_object_mut().unwrap();
        for key in ["sum", "bots", "players", "timed", "salt", "commitment"] {
            if key != "players" || fields.contains_key("format") {
                fields.remove(key);
            }
        }
        value
    };
    record.lines().map(line).collect()
}

/// A built-in bot that dials in, through its own program's line-JSON, plays as it does in process.
#[test]
fn the_same_strategy_gives_the_same_record_over_a_web_socket() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol json --ruleset hasbro --players 3 --bot name=b,bot=odds --bot name=c,bot=outnumber --seed 5 --seats fixed --records records -o max_turns=30";
    let arena = Server::arena(folder.path(), line);
    let (mut bot, _) = DialledBot::join(&arena.address, "a");
    let served = ServedBot {
        spec: BotSpec::parse(library(), "holder").unwrap(),
        rules: RuleSetup::load(library(), "hasbro", None, &[]).unwrap(),
        limits: ScriptLimits::default(),
    };
    let mut answerer = (SERVED[1].answerer)(&served);
    while let Ok(message) = bot.hear() {
        let kind = message["type"].as_str().unwrap().to_owned();
        let answer = answerer.answer(&served, "", &message.to_string()).unwrap();
        if ["hello", "ask"].contains(&kind.as_str()) {
            bot.say(&serde_json::from_str(&answer).unwrap());
        }
    }
    arena.waits_for("match 1: ");
    let over = std::fs::read_to_string(folder.path().join("records/match-00001.jsonl")).unwrap();
    let header: Value = serde_json::from_str(over.lines().next().unwrap()).unwrap();
    let bots = [
        "name=a,bot=holder",
        "name=b,bot=odds",
        "name=c,bot=outnumber",
    ];
    let setup = Setup {
        seed: header["seed"].as_str().unwrap().parse().unwrap(),
        seats: Seats::Fixed,
        ..setup("hasbro", None, &bots, 0, &[("max_turns", "30")])
    };
    let here = recorded(&mut Worker::new(&setup).unwrap(), 1).1;
    let (over, here) = (without_bots(&over), without_bots(&here));
    assert_eq!(over.len(), here.len());
    for (over, here) in over.iter().zip(&here) {
        assert_eq!(over, here);
    }
}

/// A waiting player can leave the table with its token alone.
#[test]
fn a_player_leaves_the_open_table() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(folder.path(), "--protocol json --players 4 --bot random");
    let (mut bot, token) = DialledBot::join(&arena.address, "ann");
    let leave = |token: &str| arena.post("/leave", &[], &json!({ "token": token }).to_string());
    let (status, text) = leave("wrong");
    assert_eq!(
        (status, code(&text).as_str()),
        (410, "arena::unknown-token"),
        "{text}"
    );
    let (status, text) = arena.post("/leave", &[], "{}");
    assert_eq!(
        (status, code(&text).as_str()),
        (400, "arena::no-token"),
        "{text}"
    );
    let joined = || {
        let text = arena.get("/matches").1;
        serde_json::from_str::<Value>(&text).unwrap()["open"]["joined"].clone()
    };
    assert_eq!(joined(), json!(["ann"]));
    assert_eq!(leave(&token), (200, r#"{"left":"ann"}"#.to_owned()));
    assert_eq!(joined(), json!([]));
    assert_eq!(
        bot.hear(),
        Err(ConnectionEnd::Closed(1000, "the bot has left".to_owned()))
    );
    let body = json!({ "name": "bob", "url": http_bot() }).to_string();
    let text = arena.post("/join", &[], &body).1;
    let reply: Value = serde_json::from_str(&text).unwrap();
    let bearer = format!("Bearer {}", reply["token"].as_str().unwrap());
    let left = arena.post("/leave", &[("Authorization", &bearer)], "");
    assert_eq!(left, (200, r#"{"left":"bob"}"#.to_owned()));
    assert_eq!(joined(), json!([]));
}
