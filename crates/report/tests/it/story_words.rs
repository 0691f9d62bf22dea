//! The words of stories, and their last standings.

use risk_engine::Worker;
use risk_report::story::Story;
use risk_testing::games::setup;
use risk_text::paint::Paint;

/// Returns the story of a game of two random bots.
fn told(ruleset: &str, seed: u64, options: &[(&str, &str)]) -> String {
    let setup = setup(ruleset, None, &["random"; 2], seed, options);
    let paint = Paint {
        colour: false,
        width: 80,
    };
    let mut text = Vec::new();
    let mut story = Story::new(&mut text, paint, setup.names());
    story.begin(&setup.rules.title());
    let finished = Worker::new(&setup).unwrap().play(0, &mut story);
    let outcome = finished.outcome.unwrap();
    story.finish(&finished.game, &outcome).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn stories_are_told_in_the_words_of_their_ruleset() {
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
        let text = told(ruleset, 3, &[option.split_once('=').unwrap()]);
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
    let path = folder.path().join("ends.rhai").display().to_string();
    std::fs::write(&path, ruleset).unwrap();
    let told = told(&path, 1, &[]);
    let (_, last) = told.split_once("── Round 3 ─").unwrap();
    assert!(last.contains("── The end, after 3 rounds"), "{last}");
    assert_eq!(last.matches(" land ").count(), 2, "{last}");
}

/// Large numbers have room in the lines of fights.
#[test]
fn large_numbers_are_not_cut() {
    let options = [("base_income", "4000"), ("max_turns", "16")];
    let told = told("warzone", 3, &options);
    assert!(told.contains("taken, 1454 in"), "{told}");
    assert!(!told.contains(" …"), "{told}");
}
