//! The bots of the documentation: processes in Python and Node.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::programs::{Process, Program, skip};
use crate::support::{run_in, words};
use risk_testing::by_case::runs_every_case;
use risk_testing::web::reserved;

/// Starts a bot of the documentation as a process. Returns `None` without the interpreter; fails
/// then if `RISK_NEEDS_PROGRAMS` is set.
fn example(interpreter: &str, script: &str, arguments: &[&str]) -> Option<(Process, String)> {
    let (_ours, address) = reserved();
    let port = address.port();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/examples")
        .join(script);
    let started = std::process::Command::new(interpreter)
        .arg(path)
        .arg(port.to_string())
        .args(arguments)
        .spawn();
    let process = match started {
        Ok(child) => Process(child),
        Err(_) => {
            skip(interpreter);
            return None;
        }
    };
    for _ in 0..200 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some((process, format!("http://127.0.0.1:{port}")));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{script} does not listen");
}

#[test]
fn the_bots_of_the_documentation_play() {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board.graphml");
    assert_eq!(
        run_in(
            folder.path(),
            &words("map import hacker-risk -o board.graphml")
        )
        .code,
        0
    );
    let examples = [("python3", "bot.py"), ("node", "bot.mjs")]
        .map(|(interpreter, script)| example(interpreter, script, &[board.to_str().unwrap()]));
    let games = if runs_every_case() { 2 } else { 1 };
    for (_process, address) in examples.iter().flatten() {
        for encoding in ["form", "raw", "wrapped"] {
            let bot = format!("{address},encoding={encoding}");
            let line = format!(
                "play --games {games} --seed 6 --format json --option max_turns=30 --option card_sets=lax --bot greedy --bot odds --bot"
            );
            let ran = run_in(folder.path(), &[words(&line), vec![&bot]].concat());
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{bot}");
            let value: Value = serde_json::from_str(&ran.out).unwrap();
            assert_eq!(
                value[if games == 1 { "players" } else { "bots" }][2]["faults"],
                0,
                "{bot}: {value}"
            );
        }
    }
    // One game of all of them with built-in bots, to the end.
    if let [Some((_, python)), Some((_, node))] = &examples {
        let line = format!(
            "play --quiet --seed 9 --format json --bot {python} --bot {node} --bot turtle --bot odds --record g.jsonl"
        );
        let ran = run_in(folder.path(), &words(&line));
        let value: Value = serde_json::from_str(&ran.out).unwrap();
        let faults = value["players"]
            .as_array()
            .unwrap()
            .iter()
            .map(|player| player["faults"].as_u64().unwrap());
        assert_eq!((ran.code, faults.sum::<u64>()), (0, 0), "{}", ran.err);
        let again = run_in(folder.path(), &words("replay g.jsonl --verify"));
        assert_eq!(again.code, 0, "{}", again.err);
        arena_of_processes(folder.path(), python, node);
    }
}

/// Plays processes in Python and Node, a served bot and a built-in script at the arena's tables.
fn arena_of_processes(folder: &std::path::Path, python: &str, node: &str) {
    let ours = Program::bot(folder, "odds");
    let line = "--protocol hacker-risk --players 6 --bot greedy --rate 1000 --records records --seed 3 -o max_turns=120";
    let arena = Program::arena(folder, line);
    let ours = format!("http://{}", ours.address);
    let bots = [("python", python), ("node", node), ("ours", ours.as_str())];
    for (number, count) in [2, 3].into_iter().enumerate() {
        for (name, url) in &bots[3 - count..] {
            let form = format!(
                "name={name}&url={url}&encoding={}",
                ["form", "raw", "wrapped"][count - 1]
            );
            let kind = [("Content-Type", "application/x-www-form-urlencoded")];
            assert_eq!(arena.post("/join", &kind, &form).0, 200);
        }
        assert_eq!(arena.post("/start", &[], "").0, 200);
        arena.waits_for(&format!("match {}: ", number + 1));
        let name = format!("records/match-{:05}.jsonl", number + 1);
        let record = std::fs::read_to_string(folder.join(&name)).unwrap();
        assert!(
            record.contains("\"line\":\"end\"") && !record.contains("\"line\":\"fault\""),
            "{record}"
        );
        assert_eq!(run_in(folder, &["replay", &name, "--verify"]).code, 0);
    }
}

/// The callback arena with the bots of the documentation, one for each dialect, and a built-in bot.
#[test]
fn the_callback_bots_of_the_documentation_play() {
    for map in ["grid:6x5", "hacker-risk"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
        let line = format!(
            "--protocol callback --secret-file secret --bot odds --map {map} --records records --seed 3"
        );
        let arena = Program::arena(folder.path(), &line);
        let place = format!("http://{}", arena.address);
        let bots = [
            ("python3", "callback.py", "ann"),
            ("node", "callback.mjs", "bob"),
        ];
        let examples =
            bots.map(|(interpreter, script, name)| example(interpreter, script, &[name, &place]));
        for ((_, _, name), _) in bots
            .iter()
            .zip(&examples)
            .filter(|(_, started)| started.is_some())
        {
            arena.waits_for(&format!("{name} joins match 1"));
        }
        if examples.iter().any(Option::is_some) {
            let (status, text) = arena.post(
                "/startgame",
                &[],
                &json!({ "secretCode": "correct-horse" }).to_string(),
            );
            assert_eq!(status, 200, "{text}");
            let record =
                std::fs::read_to_string(folder.path().join("records/match-00001.jsonl")).unwrap();
            assert!(
                record.contains("\"line\":\"end\"") && !record.contains("\"line\":\"fault\""),
                "{record}"
            );
        }
    }
}
