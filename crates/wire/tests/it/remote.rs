//! Bots over HTTP: real requests over loopback.

use std::sync::{Arc, Mutex};

use risk_testing::games::tiny;
use serde_json::Value;

use crate::{played, setup};
use risk_testing::web::{decoded, modest, reply, server};

/// The first state that a player gets, by the description of the protocol.
const STATE: &str = concat!(
    r#"{"game":{"countries":{"a":{"owner":"x","troops":1},"b":{"owner":"none","troops":0},"c":{"owner":"none","troops":0},"#,
    r#""d":{"owner":"y","troops":1},"e":{"owner":"none","troops":0},"f":{"owner":"none","troops":0}},"#,
    r#""players":{"x":{"cards":0,"is_eliminated":false,"is_neutral":false},"y":{"cards":0,"is_eliminated":false,"is_neutral":false},"#,
    r#""a b":{"cards":0,"is_eliminated":false,"is_neutral":false}},"cards_left":8,"turn":0,"uid":"UID","#,
    r#""last_action":"y: LAST","broadcast_count":2},"you":{"name":"a b","is_eliminated":false,"earned_cards_this_turn":false,"#,
    r#""cards":[],"countries":[],"troops_to_deploy":35,"available_actions":["choose_country"]}}"#
);

/// Returns the type of a request's content in this encoding, and the state in its body.
fn decoded_as(encoding: &str, body: &str) -> (&'static str, String) {
    let json = "application/json";
    match encoding {
        "form" => {
            let field = body.strip_prefix("risk=").unwrap();
            ("application/x-www-form-urlencoded", decoded(field))
        }
        "raw" => (json, body.to_owned()),
        _ => {
            let state = body.strip_prefix("{\"risk\":").unwrap();
            (json, state.strip_suffix('}').unwrap().to_owned())
        }
    }
}

/// The exact bytes in each encoding, written from the description of the protocol.
#[test]
fn requests_are_as_the_protocol_says() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let address = server(move |request, stream| {
        let answer = if request.path == "/turn" {
            modest(&request.state()).to_string()
        } else {
            "ok".to_owned()
        };
        keep.lock().unwrap().push((
            request.path.clone(),
            request.kind.clone(),
            request.body.clone(),
        ));
        reply(stream, &answer);
    });
    let folder = tiny();
    let map = folder.path().join("tiny.yaml").display().to_string();
    for encoding in ["form", "raw", "wrapped"] {
        let bot = format!("name=a b,bot={address},encoding={encoding}");
        let bots = ["name=x,bot=random", "name=y,bot=random", bot.as_str()];
        played(&setup(
            "hasbro",
            Some(&map),
            &bots,
            1,
            &[("max_turns", "1")],
        ));
        let requests = std::mem::take(&mut *seen.lock().unwrap());
        let first = requests
            .iter()
            .find(|(path, _, _)| path == "/turn")
            .unwrap();
        let (kind, body) = decoded_as(encoding, &first.2);
        assert_eq!(first.1, kind);
        let value: Value = serde_json::from_str(&body).unwrap();
        let wanted = STATE
            .replace("UID", value["game"]["uid"].as_str().unwrap())
            .replace("y: LAST", value["game"]["last_action"].as_str().unwrap());
        let same: Value = serde_json::from_str(&wanted).unwrap();
        let lands = |state: &Value| {
            state["game"]["countries"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(lands(&value), lands(&same));
        for key in ["players", "cards_left", "turn", "broadcast_count"] {
            assert_eq!(value["game"][key], same["game"][key], "{key}");
        }
        assert_eq!(value["you"], same["you"]);
        assert_eq!(requests[0].0, "/status");
        let count = |wanted: &str| {
            requests
                .iter()
                .filter(|(path, _, _)| path == wanted)
                .count()
        };
        assert!(count("/not_turn") > 10 && count("/turn") > 10, "{encoding}");
        let last = requests.last().unwrap();
        assert_eq!(last.0, "/not_turn", "the last word is how it ended");
    }
}

/// A server may close each connection at its second request: its keep-alive time may be just over.
#[test]
fn servers_may_close_connections_between_requests() {
    thread_local!(static COUNT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
    let address = server(|request, stream| {
        // Each connection has a thread of its own.
        COUNT.set(COUNT.get() + 1);
        if COUNT.get() > 1 {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        } else {
            reply(
                stream,
                &if request.path == "/turn" {
                    modest(&request.state()).to_string()
                } else {
                    String::new()
                },
            );
        }
    });
    let bots = [address.as_str(), "random", "random"];
    let (_, record) = played(&setup("hasbro", None, &bots, 3, &[("max_turns", "9")]));
    assert!(!record.contains("\"line\":\"fault\""), "{record}");
}
