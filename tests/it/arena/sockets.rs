//! Bots that dial in: whole matches in every ruleset, connections that break, and the same game as
//! in process.

use std::process::Command;

use super::replayed;
use crate::pipes::has;
use crate::programs::Program;

/// Returns the output of a Python program that plays a match without faults; `None` without Python.
fn program_plays(script: &str, arguments: &[&str], options: &str) -> Option<String> {
    if !has("python3") {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let line =
        format!("--protocol json --bot random --seed 4 --records records --rate 1000 {options}");
    let arena = Program::arena(folder.path(), &line);
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let mut command = Command::new("python3");
    let ran = command
        .arg(script)
        .arg(&arena.address)
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(
        ran.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    arena.waits_for("match 1: ");
    assert_eq!(replayed(folder.path())["match-00001.jsonl"], 0, "{said}");
    Some(said)
}

#[test]
fn the_bot_of_the_documentation_dials_in() {
    let said = program_plays(
        "docs/examples/dial.py",
        &["ann"],
        "--ruleset warzone --players 2",
    );
    assert!(said.is_none_or(|said| said == "the match is over\n"));
}

/// A program that reads the description loosely: frames in pieces, floats, old answers, and a
/// connection that it drops without notice.
#[test]
fn a_sloppy_strangers_program_plays() {
    let options = [
        "--ruleset hasbro --players 2 -o two_players=true -o max_turns=30",
        "--ruleset starwars",
        "--ruleset warlight2",
    ];
    // A program sends small pieces and mostly waits, so all run in parallel.
    std::thread::scope(|scope| {
        for (seed, options) in ["1", "2", "3"].into_iter().zip(options) {
            scope.spawn(move || {
                let said = program_plays("tests/it/arena/sloppy.py", &["hack", seed], options);
                let plays = |said: &str| said.starts_with("hung up ") && !said.contains("fault");
                assert!(said.is_none_or(|said| plays(&said)));
            });
        }
    });
}

#[test]
fn the_arenas_of_the_guide_start() {
    let guide = include_str!("../../../docs/arenas.md");
    let lines = guide
        .lines()
        .filter_map(|line| line.strip_prefix("$ risk-cli serve "));
    let mut count = 0;
    for line in lines.filter(|line| !line.contains("--port") && !line.contains("--config")) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
        let arena = Program::arena(folder.path(), line);
        assert_eq!(arena.get("/").0, 200, "{line}");
        count += 1;
    }
    assert!(count >= 1);
}
