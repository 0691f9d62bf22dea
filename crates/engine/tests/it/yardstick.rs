//! A short script that imagines games. It is the measure for bots that play any ruleset: it must
//! play rulesets for which there are no other bots, and commit no fault.

use risk_engine::script::Budget;
use risk_engine::{FirstFaults, Worker};
use risk_kernel::id::Player;
use risk_testing::by_case::each;
use risk_testing::games as support;

const GAMES: u64 = 20;

/// The rulesets, with the least number of games of twenty that the script wins against `random`. In
/// the co-operative game it plays all seats, where it is no better than `random`.
const RULESETS: [(&str, usize, bool); 4] = [
    ("auction", 13, false),
    ("majority", 15, false),
    ("ring_race", 14, false),
    ("evacuation", 3, true),
];

#[test]
fn a_short_script_plays_any_rules() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/");
    let script = format!("{folder}scripts/yardstick.rhai");
    each(RULESETS.map(|row| row.0), |name| {
        let (_, least, all) = RULESETS.into_iter().find(|row| row.0 == *name).unwrap();
        let ruleset = format!("{folder}rulesets/{name}.rhai");
        let other = if all { script.as_str() } else { "random" };
        let mut setup = support::setup(&ruleset, None, &[&script, other], 1, &[]);
        setup.limits.budget = Budget(3_000_000);
        let mut worker = Worker::new(&setup).unwrap();
        let mut won = 0;
        for number in 0..GAMES {
            let mut faults = FirstFaults::default();
            let finished = worker.play(number, &mut faults);
            assert_eq!(faults.faults, [], "{name}, game {number}");
            let seat = setup.seating(number).iter().position(|&bot| bot == 0);
            let winners = finished.outcome.unwrap().winners;
            won += usize::from(winners.has(Player::from_index(seat.unwrap())));
        }
        assert!(won >= least, "{name}: {won} of {GAMES}");
    });
}
