//! The standard phases `assault` and `press_on` under odd rulesets.

use risk_engine::Worker;
use risk_kernel::{FinishedGame, NullSink, StopReason};

use risk_testing::facts::has_words;
use risk_testing::games as support;

/// Plays games of a ruleset that extends simplified with these functions; `keys` go into
/// `ruleset()`.
fn play(keys: &str, functions: &str) -> Vec<FinishedGame> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.rhai");
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"simplified\", name: \"mine\", {keys} }} }}\n{functions}\n"
    );
    std::fs::write(&path, text).unwrap();
    let most = (
        "max_turns",
        if functions.contains("on_exhausted") {
            "1000000"
        } else {
            "40"
        },
    );
    let options = [most, ("armies", "40")];
    let setup = support::setup(path.to_str().unwrap(), None, &["random"; 3], 3, &options);
    let mut worker = Worker::new(&setup).unwrap();
    (0..20)
        .map(|game| worker.play(game, &mut NullSink))
        .collect()
}

fn reasons(games: &[FinishedGame]) -> Vec<String> {
    let reason = |finished: &FinishedGame| match &finished.outcome {
        Ok(outcome) => outcome.reason.clone(),
        Err(StopReason::Rules(fault)) => fault.to_string(),
        Err(StopReason::Halted) => "halted".to_owned(),
    };
    games.iter().map(reason).collect()
}

#[test]
fn tables_that_make_no_sense_are_faults_of_the_ruleset() {
    for (function, fault) in [
        ("fn attack_dice(armies) { -7 }", "0 + "),
        ("fn attack_dice(armies) { 0 }", "0 + "),
        ("fn attack_dice(armies) { 1000000000 }", "1000000000 + "),
        (
            "fn defend_dice(armies) { 1000000000 }",
            " + 1000000000 dice",
        ),
    ] {
        for reason in reasons(&play("", function)) {
            assert!(reason.contains(fault), "{function}: {reason}");
        }
    }
    // Defenders without dice fall in the first round.
    for reason in reasons(&play("", "fn defend_dice(armies) { -3 }")) {
        assert!(
            ["exhausted", "limit"].contains(&reason.as_str()),
            "{reason}"
        );
    }
    // A round can cost more armies than there are.
    let pairs =
        "fn attack_dice(armies) { 3 }\nfn defend_dice(armies) { 3 }\nfn most_pairs(armies) { 3 }";
    let found = reasons(&play("", pairs));
    assert!(
        found
            .iter()
            .any(|reason| has_words(reason, "units 1000000000")),
        "{found:?}"
    );
}

#[test]
fn a_hook_may_change_owners_or_end_the_game_in_the_middle_of_an_assault() {
    let away = "fn on_conquest(g, me, at) { g.give(at, NOBODY); }";
    let ends = "fn on_conquest(g, me, at) { g.end(\"sudden\", [me]); }";
    let opens = "fn on_conquest(g, me, at) { g.push(PRESS_ON_PHASE, me, [at, at]); }";
    for reason in reasons(&play("", away)) {
        assert!(
            ["exhausted", "limit"].contains(&reason.as_str()),
            "{reason}"
        );
    }
    assert!(reasons(&play("", ends)).contains(&"sudden".to_owned()));
    for reason in reasons(&play("", opens)) {
        assert!(
            ["exhausted", "limit"].contains(&reason.as_str()),
            "{reason}"
        );
    }
    let nowhere = "fn on_conquest(g, me, at) { g.push(PRESS_ON_PHASE, me, [at, 1000]); }";
    let found = reasons(&play("", nowhere));
    assert!(
        found.iter().any(|reason| reason.contains("territory 1000")),
        "{found:?}"
    );
}

#[test]
fn a_game_that_nobody_ends_when_nobody_can_attack_goes_on_to_its_limits() {
    let games = play("", "fn on_exhausted(g) { }");
    for reason in reasons(&games) {
        assert!(has_words(&reason, "10000 phases"), "{reason}");
    }
    let nobody = "options: #{ allow_pass: true }";
    for reason in reasons(&play(
        nobody,
        "fn on_exhausted(g) { g.end(\"quiet\", []); }",
    )) {
        assert!(["quiet", "limit"].contains(&reason.as_str()), "{reason}");
    }
}
