//! Bots over HTTP: real requests over loopback, to servers that answer well and badly.

mod documentation;
pub(crate) mod misbehaving;

use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::support::{run, run_in, tiny, words};
use risk_testing::web::{decoded, modest, reply, reserved, server};

/// Errors before the game: bots that are missing, not ready, unable to play the ruleset, or badly
/// specified.
#[test]
fn bots_that_are_not_there_are_told_of() {
    let (_nobody, gone) = reserved();
    let unready = server(|_, stream| {
        let _ = write!(stream, "HTTP/1.1 503 Wait\r\nContent-Length: 0\r\n\r\n");
    });
    let ready = server(|_, stream| reply(stream, "ok"));
    for (bot, ruleset, code, part) in [
        (
            format!("http://{gone}"),
            "hasbro",
            UNREACHABLE,
            &*gone.to_string(),
        ),
        (unready, "hasbro", UNREACHABLE, "503"),
        (ready.clone(), "warzone", "bot::protocol", "`claim`"),
        (format!("{ready},encoding=xml"), "hasbro", SPEC, "`xml`"),
        (format!("{ready},timeout=0"), "hasbro", SPEC, "`0`"),
        (format!("{ready},colour=red"), "hasbro", SPEC, "`colour`"),
        ("https://127.0.0.1:1".to_owned(), "hasbro", SPEC, "cmd:"),
        ("http://".to_owned(), "hasbro", SPEC, "`http://`"),
        (
            "http://user@host/?x".to_owned(),
            "hasbro",
            SPEC,
            "`http://user@host/?x`",
        ),
        (
            "bot=greedy,timeout=3".to_owned(),
            "hasbro",
            SPEC,
            "`timeout`",
        ),
    ] {
        let ran = run(&[
            "play",
            "--quiet",
            "--ruleset",
            ruleset,
            "--bot",
            &bot,
            "--bot",
            "random",
            "--bot",
            "random",
        ]);
        ran.refuses(2, code);
        let message = words(&ran.err).join(" ").replace(" │", "");
        assert!(message.contains(part), "{bot}: {message}");
    }
    let line = format!("play --games 2 -j 2 --bot {ready} --bot random --bot random");
    run(&words(&line)).refuses(2, "cli::jobs");
}

const SPEC: &str = "bot::spec";
const UNREACHABLE: &str = "bot::unreachable";

/// The first state that a player gets, by the description of the protocol.
const STATE: &str = concat!(
    r#"{"game":{"countries":{"a":{"owner":"x","troops":1},"b":{"owner":"none","troops":0},"c":{"owner":"none","troops":0},"#,
    r#""d":{"owner":"y","troops":1},"e":{"owner":"none","troops":0},"f":{"owner":"none","troops":0}},"#,
    r#""players":{"x":{"cards":0,"is_eliminated":false,"is_neutral":false},"y":{"cards":0,"is_eliminated":false,"is_neutral":false},"#,
    r#""a b":{"cards":0,"is_eliminated":false,"is_neutral":false}},"cards_left":8,"turn":0,"uid":"UID","#,
    r#""last_action":"y: LAST","broadcast_count":2},"you":{"name":"a b","is_eliminated":false,"earned_cards_this_turn":false,"#,
    r#""cards":[],"countries":[],"troops_to_deploy":35,"available_actions":["choose_country"]}}"#
);

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
    for encoding in ["form", "raw", "wrapped"] {
        let bot = format!("name=a b,bot={address},encoding={encoding}");
        let line = "play --quiet --seed 1 --map ./tiny.yaml --option max_turns=1 --bot name=x,bot=random --bot name=y,bot=random --bot";
        let ran = run_in(folder.path(), &[words(line), vec![&bot]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let requests = std::mem::take(&mut *seen.lock().unwrap());
        let first = requests
            .iter()
            .find(|(path, _, _)| path == "/turn")
            .unwrap();
        let (kind, body) = match encoding {
            "form" => (
                "application/x-www-form-urlencoded",
                decoded(first.2.strip_prefix("risk=").unwrap()),
            ),
            "raw" => ("application/json", first.2.clone()),
            _ => (
                "application/json",
                first
                    .2
                    .strip_prefix("{\"risk\":")
                    .unwrap()
                    .strip_suffix('}')
                    .unwrap()
                    .to_owned(),
            ),
        };
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
    let line = format!(
        "play --quiet --format json --seed 3 --bot {address} --bot random --bot random -o max_turns=9"
    );
    let ran = run(&words(&line));
    assert_eq!(
        serde_json::from_str::<Value>(&ran.out).unwrap()["players"][0]["faults"],
        0,
        "{}",
        ran.err
    );
}
