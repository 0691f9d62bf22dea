//! Drives a game decision by decision: `cargo run --example step_by_hand`. The first player tries
//! its options on copies of the game and takes the one that brings the most territories; the
//! second takes one from the middle of the list.

#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use risk_cli::library;
use std::error::Error;

use risk_engine::{Action, Decision, Event, MatchSpec, Rules, Stepper, StepperSettings, Worker};

/// Options to try in each decision, evenly spread over all of them.
const LOOKS: u64 = 40;
/// Trials of each option, and the decisions that each trial plays after it.
const TRIALS: u64 = 4;
const AHEAD: u64 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let setup = MatchSpec::new("codelab")
        .option("max_turns", 30)
        .bots(["random", "random"])
        .seed(3)
        .load(library())?;
    let mut worker = Worker::new(&setup)?;
    let mut game = worker.stepper(0, StepperSettings::default())?;
    let mut captures = 0;
    // If several players decide at once, there are several decisions; take them in any order.
    while let Some(decision) = game.decisions().first() {
        let player = decision.player;
        let action = if player.index() == 0 {
            best(&game, decision, worker.rules_mut())
        } else {
            decision.options.nth(decision.options.len() / 2)
        };
        game.apply(worker.rules_mut(), player, action)?;
        let events = game.take_events();
        captures += events
            .iter()
            .filter(|event| matches!(event, Event::Captured(_)))
            .count();
    }
    let outcome = game.outcome().expect("no decision is left");
    println!("after {captures} captures it ended: {}", outcome.reason);
    for rank in &outcome.ranking {
        println!(
            "{}. player {}, score {}",
            rank.place,
            rank.player.index() + 1,
            rank.score
        );
    }
    Ok(())
}

/// The option that brings the player the most territories, by trials on copies of the game.
fn best(game: &Stepper, decision: &Decision, rules: &mut dyn Rules) -> Action {
    let options = &decision.options;
    let looks = options.len().min(LOOKS);
    let spread = (0..looks).map(|look| look * options.len() / looks);
    let choice = spread.max_by_key(|&index| {
        let trials = (0..TRIALS).map(|seed| land_after(game, decision, index, seed, rules));
        trials.sum::<u32>()
    });
    options.nth(choice.unwrap_or(0))
}

/// The player's territories after an option and some more decisions, with dice of this trial.
fn land_after(
    game: &Stepper,
    decision: &Decision,
    index: u64,
    seed: u64,
    rules: &mut dyn Rules,
) -> u32 {
    let mut copy = game.clone();
    copy.set_listening(false);
    // The player must not see how the real dice will fall.
    copy.reseed(seed);
    let mut made = copy.apply(rules, decision.player, decision.options.nth(index));
    for step in 0..AHEAD {
        let Some(next) = copy.decisions().first() else {
            break;
        };
        let anything = (seed + step).wrapping_mul(0x9e37_79b9_7f4a_7c15) % next.options.len();
        let player = next.player;
        let action = next.options.nth(anything);
        made = made.and_then(|()| copy.apply(rules, player, action));
    }
    made.map_or(0, |()| copy.game().territory_count(decision.player))
}
