//! Matches and arenas that end before their time leave whole records.

use std::time::{Duration, Instant};

use risk_testing::web::{code, modest, reply, server};
use serde_json::json;

use super::modest_bot;
use crate::programs::Program;
use crate::support::{run_in, words};

/// With or without time to end its matches, a terminated arena records what was played.
#[cfg(unix)]
#[test]
fn an_arena_that_ends_loses_nothing() {
    let slow = || {
        server(|request, stream| {
            std::thread::sleep(Duration::from_millis(if request.path == "/turn" {
                20
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
        })
    };
    for (grace, whole) in [(60, true), (0, false)] {
        let folder = tempfile::tempdir().unwrap();
        let line = format!(
            "--protocol hacker-risk --players 3 --bot random --bot random --grace {grace} --records records -o max_turns=9"
        );
        let mut arena = Program::arena(folder.path(), &line);
        assert_eq!(
            arena
                .post(
                    "/join",
                    &[],
                    &json!({ "name": "slow", "url": slow() }).to_string()
                )
                .0,
            200
        );
        let lines = || {
            let record = folder.path().join("records/match-00001.jsonl");
            std::fs::read_to_string(record).map_or(0, |record| record.lines().count())
        };
        let began = Instant::now();
        while lines() <= 10 && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        arena.terminate();
        arena.waits_for("(1 under way)");
        if whole {
            let (status, text) = arena.post(
                "/join",
                &[],
                &json!({ "name": "late", "url": modest_bot() }).to_string(),
            );
            let found = (status, code(&text));
            assert_eq!(found, (503, "arena::closing".to_owned()), "{text}");
        }
        assert!(arena.ends(), "it ends well\n{}", arena.said());
        let record =
            std::fs::read_to_string(folder.path().join("records/match-00001.jsonl")).unwrap();
        assert_eq!(
            record.lines().last().unwrap().contains("\"line\":\"end\""),
            whole
        );
        let ran = run_in(
            folder.path(),
            &words("replay records/match-00001.jsonl --verify"),
        );
        let codes = ["record::damaged"];
        let codes = &codes[usize::from(whole)..];
        assert_eq!(ran.codes(), codes, "{}{}", ran.out, ran.err);
        assert!(lines() > 10);
    }
}
