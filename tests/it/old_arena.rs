//! Bots in Python, as they were written for the Hacker Risk arena from its description alone, play
//! here without a fault. Each has one habit of that time; see the files in `old_arena`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::programs::{Process, skip};
use crate::support::{board, run_in, words};
use risk_testing::by_case::runs_every_case;
use risk_testing::web::reserved;

const BOTS: [(&str, &str); 4] = [
    ("by_name.py", "raw"),
    ("ceil.py", "form"),
    ("lax.py", "form"),
    ("silent.py", "form"),
];

/// Writes the neighbours of each country, under the names of the protocol.
fn write_board(folder: &Path) {
    let board = board("hacker-risk");
    let name = |at| board.info(at).id.replace('-', " ");
    let near = |at| {
        board
            .neighbours(at)
            .iter()
            .map(|&to| name(to))
            .collect::<Vec<_>>()
    };
    let all: serde_json::Map<String, Value> = board
        .territories()
        .map(|at| (name(at), json!(near(at))))
        .collect();
    std::fs::write(folder.join("board.json"), Value::from(all).to_string()).unwrap();
}

/// Starts a bot in a process of its own, and returns its address; `None` without Python.
fn start(folder: &Path, script: &str) -> Option<(Process, String)> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/old_arena")
        .join(script);
    let (_ours, free) = reserved();
    let started = Command::new("python3")
        .arg(place)
        .args([free.port().to_string().as_str(), "board.json"])
        .current_dir(folder)
        .stderr(Stdio::null())
        .spawn();
    let process = match started {
        Ok(process) => Process(process),
        Err(_) => {
            skip("python3");
            return None;
        }
    };
    for _ in 0..400 {
        if std::net::TcpStream::connect(free).is_ok() {
            return Some((process, format!("http://{free}")));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{script} does not listen");
}

#[test]
fn bots_written_for_the_old_arena_play_here() {
    let folder = tempfile::tempdir().unwrap();
    write_board(folder.path());
    let started: Vec<_> = BOTS
        .iter()
        .filter_map(|(script, _)| start(folder.path(), script))
        .collect();
    if started.len() < BOTS.len() {
        return;
    }
    let bots: String = BOTS
        .iter()
        .zip(&started)
        .map(|((script, encoding), (_, url))| {
            format!(
                " --bot name={},bot={url},encoding={encoding}",
                script.trim_end_matches(".py")
            )
        })
        .collect();
    let play = |seed: u32, turns: u32, more: &str| {
        let line = format!(
            "play --quiet --seed {seed} --option max_turns={turns} {more} --record {seed}.jsonl --format json{bots}"
        );
        let ran = run_in(folder.path(), &words(&line));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let faults: Vec<u64> = serde_json::from_str::<Value>(&ran.out).unwrap()["players"]
            .as_array()
            .unwrap()
            .iter()
            .map(|player| player["faults"].as_u64().unwrap())
            .collect();
        (
            faults,
            std::fs::read_to_string(folder.path().join(format!("{seed}.jsonl"))).unwrap(),
        )
    };
    for seed in 1..=if runs_every_case() { 3 } else { 1 } {
        let (faults, record) = play(seed, 150, "--option preset=upstream");
        assert_eq!(
            faults,
            [0; 4],
            "{}",
            record
                .lines()
                .find(|line| line.contains("\"fault\""))
                .unwrap_or_default()
        );
        assert!(record.matches("trade ").count() > 5, "cards are traded");
    }
    // The old arena's test of sets is the default for its bots; without it, the fault names the
    // option.
    let (faults, record) = play(20, 20, "");
    assert_eq!(faults, [0; 4]);
    assert!(record.contains("\"card_sets\":\"lax\""), "{record}");
    let mut games = (7..16).map(|seed| play(seed, 45, "--option card_sets=exact"));
    let refused = games.find(|(faults, _)| faults[2] > 0);
    let (faults, record) = refused.expect("a set is named that is none here");
    assert_eq!(faults[2], faults.iter().sum::<u64>(), "{faults:?}");
    assert!(record.contains("--option card_sets=lax"), "{record}");
}

/// Every command that plays such bots reports the value of an option that was not given, before it
/// tries to reach the bots.
#[test]
fn it_is_said_what_bots_are_used_to() {
    const LINES: &[&str] = &[
        "tournament plan . --programs",
        "tournament run . --programs",
        "compare odds holder -f http://127.0.0.1:9",
        "balance --bot http://127.0.0.1:9 --games 20",
        "play --bot http://127.0.0.1:9 --bot odds",
    ];
    for line in LINES {
        for (options, is_told) in [("", true), ("card_sets: exact", false)] {
            let folder = tempfile::tempdir().unwrap();
            let file = format!(
                "ruleset: hasbro\noptions: {{ {options} }}\nblocks: 1\nseed: 1\nbots:\n  - name=old,bot=http://127.0.0.1:9\n  - greedy\n  - odds\n"
            );
            std::fs::write(folder.path().join("tournament.yaml"), file).unwrap();
            let mut words = words(line);
            if !is_told && !line.starts_with("tournament") {
                words.extend(["-o", "card_sets=exact"]);
            }
            let ran = run_in(folder.path(), &words);
            assert!(ran.err.contains("bot::unreachable"), "{}", ran.err);
            assert_eq!(ran.err.contains("card_sets=lax"), is_told, "{}", ran.err);
        }
    }
}
