//! The story of every ruleset, number by number, against a fold of the events.

use crate::support::{run, run_in, words};

#[test]
fn stories_are_told_in_the_words_of_their_ruleset() {
    let args = [
        "--seed", "3", "--bot", "random", "--bot", "random", "--option",
    ];
    let told = |ruleset: &str, option: &str| {
        run(&[&["play", "--ruleset", ruleset][..], &args, &[option]].concat()).out
    };
    for (ruleset, option, says, never) in [
        (
            "warzone",
            "max_turns=40",
            &[
                "as they are given in secret",
                "as they are executed",
                ": impossible, ",
                "earns a card",
            ][..],
            &["is impossible: ", "dice  ", "bomb alaska"][..],
        ),
        (
            "starwars",
            "max_turns=60",
            &["fires the Death Star at", "attacks the shield generator"],
            &["fire_deathstar"],
        ),
        (
            "simplified",
            "armies=30",
            &["nobody can attack any more"],
            &["(exhausted)", "0 territories"],
        ),
        (
            "codelab",
            "max_turns=6",
            &["Nobody wins: the game has reached its limit"],
            &["(limit)", "0 territories"],
        ),
    ] {
        let text = told(ruleset, option);
        for line in says {
            assert!(text.contains(line), "{ruleset}: {line}\n{text}");
        }
        for line in never {
            assert!(!text.contains(line), "{ruleset}: {line}\n{text}");
        }
    }
}

/// A game may end as soon as a round has begun. Its last standings are those of the round.
#[test]
fn the_last_standings_are_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let ruleset = r#"
fn ruleset() { #{
    extends: "codelab", name: "ends", phases: #{ late: script() }, endings: #{ late: "it is late" },
    turn: ["late", "income", "deploy", "attack", "fortify", "turn_end"],
} }
fn late_enter(g, me) { if g.round >= 3 { g.end("late", [0]); } }
"#;
    std::fs::write(folder.path().join("ends.rhai"), ruleset).unwrap();
    let line = words("play -r ./ends.rhai --bot random --bot random --seed 1");
    let told = run_in(folder.path(), &line).out;
    let (_, last) = told.split_once("── Round 3 ─").unwrap();
    assert!(last.contains("── The end, after 3 rounds"), "{last}");
    assert_eq!(last.matches(" land ").count(), 2, "{last}");
}

/// Large numbers have room in the lines of fights.
#[test]
fn large_numbers_are_not_cut() {
    let line =
        "play -r warzone -o base_income=4000 -o max_turns=16 --bot random --bot random --seed 3";
    let told = run(&words(line)).out;
    assert!(told.contains("taken, 1454 in"), "{told}");
    assert!(!told.contains(" …"), "{told}");
}

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
