//! Matches that end before their time.

use std::time::Duration;

use risk_testing::web::{code, modest, reply, server};
use serde_json::json;

use crate::matches::modest_bot;
use crate::server::Server;

#[test]
fn a_match_has_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol hacker-risk --players 3 --bot random --bot random --match-time 1 --matches 1 --records records";
    let arena = Server::arena(folder.path(), line);
    let slow = server(|request, stream| {
        std::thread::sleep(Duration::from_millis(if request.path == "/turn" {
            50
        } else {
            0
        }));
        reply(
            stream,
            &if request.path == "/turn" {
                modest(&request.state()).to_string()
            } else {
                String::new()
            },
        );
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
    // `--matches 1` is reached, so no other bot can join.
    let (status, text) = arena.post(
        "/join",
        &[],
        &json!({ "name": "late", "url": modest_bot() }).to_string(),
    );
    assert_eq!(
        (status, code(&text).as_str()),
        (503, "arena::busy"),
        "{text}"
    );
    arena.waits_for("match 1: stopped after 1 second");
    assert_eq!(arena.get("/").0, 200);
}
