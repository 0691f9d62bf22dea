//! Spectators: how many there may be, and what they see.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use risk_testing::web::{modest, reply, server};
use serde_json::{Value, json};

use crate::server::Server;

#[test]
fn viewers_have_room_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(folder.path(), "--protocol hacker-risk");
    let watch = || {
        let mut stream = TcpStream::connect(&arena.address).unwrap();
        stream
            .write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (stream, String::from_utf8_lossy(&status).into_owned())
    };
    let mut watching: Vec<_> = (0..65).map(|_| watch()).collect();
    let refused = watching
        .iter()
        .filter(|(_, status)| status.ends_with("429"))
        .count();
    assert_eq!((refused, watching[0].1.as_str()), (1, "HTTP/1.1 200"));
    watching.clear();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(watch().1, "HTTP/1.1 200");
}

/// With fog the page hides the board until the match is over: spectators may be players.
#[test]
fn fog_hides_the_board_from_those_who_watch() {
    let folder = tempfile::tempdir().unwrap();
    let fog = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulesets/examples/fog.rhai");
    let line =
        "--protocol hacker-risk --players 3 --bot random --bot odds -o max_turns=9 --ruleset";
    let arena = Server::arena(folder.path(), &format!("{line} {}", fog.display()));
    // The bot waits in its 40th turn, when there is something to hide, until the test has looked.
    let turns = Arc::new(AtomicUsize::new(0));
    let has_looked = Arc::new(AtomicBool::new(false));
    let (counted, looked) = (Arc::clone(&turns), Arc::clone(&has_looked));
    let slow = server(move |request, stream| {
        let is_turn = request.path == "/turn";
        if is_turn && counted.fetch_add(1, Ordering::SeqCst) >= 39 {
            while !looked.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        let answer = is_turn.then(|| modest(&request.state()).to_string());
        reply(stream, &answer.unwrap_or_default());
    });
    assert_eq!(
        arena
            .post(
                "/join",
                &[],
                &json!({ "name": "slow", "url": slow }).to_string()
            )
            .0,
        200
    );
    let state = || serde_json::from_str::<Value>(&arena.get("/match/1/state").1).unwrap();
    while turns.load(Ordering::SeqCst) < 40 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let hidden = state();
    let page = arena.get("/").1;
    has_looked.store(true, Ordering::SeqCst);
    assert!(
        hidden["end"].is_null() && hidden["players"].as_array().unwrap().len() == 3,
        "{hidden}"
    );
    let lands = |state: &Value| {
        let frames = state["timeline"]["frames"].as_array().unwrap().iter();
        let lands = frames.filter_map(|frame| frame["l"].as_array()).flatten();
        lands.cloned().collect::<Vec<Value>>()
    };
    let is_hidden = |land: &Value| land[2] == -1;
    assert!(lands(&hidden).iter().all(is_hidden), "{hidden}");
    let armies = page.matches("id=\"armies-").count();
    assert_eq!(
        (armies, page.matches(">0</text>").count()),
        (42, 42),
        "the picture tells nothing either"
    );
    arena.waits_for("match 1: ");
    // The state is published after the line.
    let mut open = state();
    while open["end"].is_null() {
        std::thread::sleep(Duration::from_millis(5));
        open = state();
    }
    assert!(!lands(&open).iter().all(is_hidden), "{open}");
}
