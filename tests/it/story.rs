//! The story of every ruleset, number by number, against a fold of the events.

use crate::support::{run, run_in, words};

/// Where all players have their turns at once, a picture names the round alone.
#[test]
fn a_picture_of_common_turns_names_the_round() {
    let folder = tempfile::tempdir().unwrap();
    for (ruleset, when) in [("warzone", "round 1<"), ("codelab", "round 1, turn 1<")] {
        let line = format!(
            "play --quiet -r {ruleset} -o max_turns=3 --bot random --bot random --seed 3 --record g.jsonl --force"
        );
        run_in(folder.path(), &words(&line));
        let line = "replay g.jsonl --to 3 --render g.svg --force";
        let ran = run_in(folder.path(), &words(line));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let picture = std::fs::read_to_string(folder.path().join("g.svg")).unwrap();
        assert!(picture.contains(when), "{ruleset}: {picture}");
    }
}

/// A turn takes one line, or more where it needs them: a round of three players fits a screen of 24
/// lines. In starwars a card is a turn, and a round has six.
#[test]
fn a_story_in_brief_has_a_line_for_a_turn() {
    for ruleset in ["hasbro", "codelab", "warzone", "simplified", "starwars"] {
        let line = format!("play --seed 7 --ruleset {ruleset} --story brief");
        let told = run(&words(&line));
        assert_eq!(told.code, 0, "{}", told.err);
        let rounds: Vec<&str> = told.out.split("── Round").skip(1).collect();
        assert!(!rounds.is_empty(), "{ruleset}");
        for round in rounds {
            let round = round.split("── The end").next().unwrap();
            let most = if ruleset == "starwars" { 40 } else { 24 };
            assert!(round.lines().count() <= most, "{ruleset}: {round}");
        }
        let full = run(&words(&line.replace("brief", "full"))).out;
        assert!(full.lines().count() > told.out.lines().count(), "{ruleset}");
        // The brief story has the result of a fight, not the fight.
        assert!(!told.out.contains("armies   losses"), "{ruleset}");
        assert!(
            ruleset == "starwars" || told.out.contains("takes "),
            "{ruleset}"
        );
        let end = |text: &str| text.split("── The end").nth(1).map(str::to_owned);
        assert_eq!(end(&full), end(&told.out), "{ruleset}");
    }
    let refused = run(&words("play --games 3 --story full"));
    refused.refuses(2, "cli::story");
}
