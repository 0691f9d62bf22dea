//! Play-outs don't ask the rules again for options that are known, and are the same games as if
//! they did.

use std::cell::Cell;
use std::path::Path;

use rhai_guard::meter;
use risk_bots::RandomBot;
use risk_engine::script::ScriptRules;
use risk_kernel::stepper::Stepper;
use risk_kernel::{Bot, Rollout, StopPoint};
use risk_maps::files::FileKind;
use risk_testing::by_case::each;
use risk_testing::games as support;
use risk_testing::games::library;
use risk_testing::stepped::begin;

/// The limit on the decisions of one play-out.
const MOST_DECISIONS: u32 = 300;

/// Returns the names of the built-in rulesets, and the paths of those that tests of reports use.
fn rulesets() -> Vec<String> {
    let built_in = library().names(FileKind::Ruleset);
    let mut all: Vec<String> = built_in.into_iter().map(str::to_owned).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/rulesets");
    for file in std::fs::read_dir(folder).unwrap() {
        all.push(file.unwrap().path().to_str().unwrap().to_owned());
    }
    all.sort();
    all
}

fn rollout(players: usize, whole: bool) -> Rollout {
    let bot = |_| -> Box<dyn Bot> { Box::new(RandomBot::new(whole)) };
    Rollout::new((0..players).map(bot).collect())
}

/// What a game is after a play-out: its digest, its decisions with all options, and its outcome.
fn picture(game: &Stepper) -> String {
    let digest = game.game().digest();
    format!("{digest} {:?} {:?}", game.decisions(), game.outcome())
}

/// Plays a round on both ways. Returns the operations of the rules for each.
fn play_out(game: &Stepper, rules: &mut ScriptRules, seed: u64, whole: bool) -> [u64; 2] {
    let players = game.game().players();
    let until = StopPoint::round(game.game().round() + 1);
    let left = Cell::new(0);
    let halts = || {
        left.set(left.get() - 1);
        left.get() == 0
    };
    let before = meter::all_ended();
    left.set(MOST_DECISIONS);
    let start = game.game().clone();
    let ended = rollout(players, whole).play(start, seed, rules, until, &halts);
    let asked = Stepper::new(ended.game, rules, game.settings()).unwrap();
    let between = meter::all_ended();
    left.set(MOST_DECISIONS);
    let mut known = game.clone();
    let played = rollout(players, whole).play_in(&mut known, seed, rules, until, &halts);
    played.unwrap();
    let after = meter::all_ended();
    assert_eq!(picture(&known), picture(&asked));
    [between - before, after - between]
}

#[test]
fn known_options_are_those_that_the_rules_offer() {
    each(rulesets(), |ruleset| {
        let manifest = risk_engine::load_ruleset(library(), ruleset)
            .unwrap()
            .manifest;
        let bots = vec!["random"; manifest.players.0.max(2)];
        let setup = support::setup(ruleset, None, &bots, 5, &[]);
        let (mut rules, mut stepper, mut table) = begin(&setup, 0);
        let mut spent = [0, 0];
        for number in 0..150 {
            let Some(decision) = stepper.decisions().first().cloned() else {
                break;
            };
            if number % 10 == 0 && stepper.is_at_rest() {
                for whole in [false, true] {
                    let more = play_out(&stepper, &mut rules, number, whole);
                    spent = [spent[0] + more[0], spent[1] + more[1]];
                }
            }
            let action = table.answer(&stepper, &decision);
            stepper.apply(&mut rules, decision.player, action).unwrap();
        }
        assert!(spent[1] <= spent[0], "{ruleset}: {spent:?}");
        if ruleset.ends_with("support.rhai") || ruleset == "starwars" {
            assert!(spent[1] < spent[0], "{ruleset}: {spent:?}");
        }
    });
}
