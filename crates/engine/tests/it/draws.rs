//! An action that rules draw without listing all options is one of the options, and each is equally
//! likely.

use std::collections::HashMap;

use risk_engine::script::ScriptRules;
use risk_kernel::Rules;
use risk_kernel::action::Action;
use risk_kernel::phases::Asked;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::stepper::Decision;
use risk_kernel::view::Facts;

use risk_testing::games as support;
use risk_testing::stepped::begin;

/// Expected draws of each option.
const EACH: u64 = 100;

/// Draws for a decision again and again; returns by how many standard deviations chi-square exceeds
/// its mean, or `None` if the rules do not draw.
fn drawn(rules: &mut ScriptRules, facts: &Facts, decision: &Decision) -> Option<f64> {
    let Decision {
        player,
        ref options,
    } = *decision;
    let frame = *facts.frame().unwrap();
    let mut luck = Stream::new(7, 7, Purpose::Player(0));
    let mut counts: HashMap<Action, u64> = HashMap::new();
    let mut draws = 0;
    while draws < EACH * options.len() {
        // Of few options, a draw seldom finds one.
        let asked = Asked::new(facts, &frame, player);
        let action = (0..20).find_map(|_| rules.draw(asked, &mut luck).unwrap())?;
        assert!(options.admit(action).is_ok(), "{action:?} is not offered");
        *counts.entry(action).or_default() += 1;
        draws += 1;
    }
    let expected = EACH as f64;
    let sum: f64 = (0..options.len())
        .map(|number| {
            let count = counts.get(&options.nth(number)).copied().unwrap_or(0);
            (count as f64 - expected).powi(2) / expected
        })
        .sum();
    let freedom = (options.len() - 1) as f64;
    Some((sum - freedom) / (2.0 * freedom).sqrt())
}

/// Returns the result of `drawn` for every hundredth of a game's first decisions that rules draw
/// for.
fn looked_at(ruleset: &str, options: &[(&str, &str)]) -> Vec<f64> {
    let setup = support::setup(ruleset, Some("grid:16x16"), &["random"; 3], 5, options);
    let (mut rules, mut stepper, mut table) = begin(&setup, 0);
    let mut found = Vec::new();
    for step in 0..1_500 {
        let Some(decision) = stepper.decisions().first().cloned() else {
            break;
        };
        if step % 100 == 99 {
            let facts = Facts::new(stepper.game().clone());
            found.extend(drawn(&mut rules, &facts, &decision));
        }
        let action = table.answer(&stepper, &decision);
        stepper.apply(&mut rules, decision.player, action).unwrap();
    }
    found
}

#[test]
fn every_option_is_as_likely_as_every_other() {
    for (ruleset, options) in [
        ("codelab", &[][..]),
        ("hasbro", &[]),
        ("hasbro", &[("preset", "upstream")]),
    ] {
        let found = looked_at(ruleset, options);
        assert!(found.len() >= 3, "{ruleset}: {found:?}");
        assert!(
            found.iter().all(|deviations| deviations.abs() < 4.5),
            "{ruleset}: {found:?}"
        );
    }
}

#[test]
fn small_maps_write_their_options_down() {
    let setup = support::setup("codelab", Some("world"), &["random"; 3], 5, &[]);
    let (mut rules, stepper, _) = begin(&setup, 0);
    let decision = &stepper.decisions()[0];
    let facts = Facts::new(stepper.game().clone());
    let frame = *facts.frame().unwrap();
    let mut luck = Stream::new(7, 7, Purpose::Player(0));
    let drawn = rules.draw(Asked::new(&facts, &frame, decision.player), &mut luck);
    assert_eq!(drawn.unwrap(), None);
}
