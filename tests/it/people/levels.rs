//! `--level`: who sits in the free seats of a game with people.

use crate::support::{run_in, words};
use serde_json::Value;

/// Returns the bots of a game that a person leaves at once, and what the program noted.
fn met(line: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("play {line} --record game.jsonl --force");
    let ran = run_in(folder.path(), &words(&line));
    assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    let record = std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
    let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    let players = header["players"].as_array().unwrap().iter();
    let bots = players.map(|player| player["bot"].as_str().unwrap().to_owned());
    (bots.collect(), ran.err)
}

#[test]
fn bots_of_the_level_fill_free_seats() {
    for (line, expected) in [
        ("--bot human", "human general general"),
        ("--bot human --level easy", "human outnumber outnumber"),
        ("--bot human --level hard", "human oracle oracle"),
        ("--bot human --bot odds --players 3", "human odds general"),
        ("-r simplified --bot human --level hard", "human general"),
        ("-r warzone --bot human --level easy", "human warlord"),
        ("-r warzone --bot human", "human marshal"),
        // By seat: the partner plays as well as ever.
        (
            "-r teams --bot human --level easy",
            "human outnumber captain outnumber",
        ),
        (
            "-r starwars --bot human --level easy",
            "human starwars-attack",
        ),
    ] {
        let (bots, noted) = met(line);
        assert_eq!(bots.join(" "), expected, "{line}");
        assert!(noted.contains("--level"), "{line}: {noted}");
    }
    // Without free seats, there is nothing to say.
    let (bots, noted) = met("-r codelab --bot human --bot odds");
    assert_eq!(
        (bots.join(" ").as_str(), noted.as_str()),
        ("human odds", "")
    );
}

/// Where no bot knows the rules, the bots that search are the opponents.
#[test]
fn levels_of_own_rules() {
    let folder = tempfile::tempdir().unwrap();
    let text = "fn ruleset() { #{ extends: \"codelab\", name: \"mine\", advice: \"search:quick\"LEVELS } }";
    let file = folder.path().join("r.rhai");
    let path = file.to_str().unwrap();
    for (levels, expected) in [
        ("", ["random", "search:quick", "search"]),
        (
            ", levels: #{ easy: [\"odds\", \"holder\"], hard: \"outnumber\" }",
            ["holder", "search:quick", "outnumber"],
        ),
    ] {
        std::fs::write(&file, text.replace("LEVELS", levels)).unwrap();
        for (level, expected) in ["easy", "normal", "hard"].into_iter().zip(expected) {
            let (bots, _) = met(&format!("-r {path} --bot human --level {level}"));
            assert_eq!(bots[1], expected, "{levels} {level}");
        }
    }
    for (levels, code) in [
        ("3", "ruleset::value"),
        ("#{ easy: 3 }", "ruleset::value"),
        ("#{ easy: [] }", "ruleset::value"),
        ("#{ best: \"odds\" }", "ruleset::value"),
        ("#{ hard: \"nobody\" }", "ruleset::bots"),
    ] {
        std::fs::write(
            &file,
            text.replace("LEVELS", &format!(", levels: {levels}")),
        )
        .unwrap();
        let ran = run_in(folder.path(), &words("ruleset show ./r.rhai"));
        ran.refuses(2, code);
        assert_eq!(ran.places(), ["./r.rhai:1:77"], "{levels}: {}", ran.err);
    }
}

#[test]
fn a_level_needs_a_free_seat() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(
        folder.path(),
        &words("play -r codelab --bot human --bot odds --level easy"),
    );
    ran.refuses(2, "cli::level");
    assert_eq!(
        run_in(folder.path(), &words("play --bot human --level best")).code,
        2
    );
}
