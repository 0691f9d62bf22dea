//! Drives a game decision by decision, and looks a step ahead on a copy: the first player always
//! takes the option after which it has the most land. `cargo run --example step_by_hand`.

#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;

use risk_cli::{
    Action, CountingAllocator, Decision, Event, MatchSpec, Player, Rules, Stepper, StepperSettings,
    Worker,
};

// Without it scripts could take all memory, and are refused.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Options that are looked at in each decision: the first ones.
const LOOKS: u64 = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let setup = MatchSpec::new("codelab")
        .option("max_turns", 30)
        .bots(["random", "random"])
        .seed(3)
        .load()?;
    let mut worker = Worker::new(&setup)?;
    let mut game = worker.stepper(0, StepperSettings::default())?;
    let mut captures = 0;
    // Where several players decide at once there are several decisions; any may come first.
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
            .filter(|event| matches!(event, Event::Captured { .. }))
            .count();
    }
    let outcome = game.outcome().expect("no decision is left");
    println!("after {captures} captures it ended: {}", outcome.reason);
    for rank in &outcome.ranking {
        println!(
            "{}. player {}, score {}",
            rank.place,
            rank.who.index() + 1,
            rank.score
        );
    }
    Ok(())
}

/// The option after which the player has the most land, tried on a copy with other dice.
fn best(game: &Stepper, decision: &Decision, rules: &mut dyn Rules) -> Action {
    let options = &decision.options;
    let mut tried = |index: u64| {
        let mut copy = game.clone();
        copy.set_listening(false);
        copy.reseed(index);
        let applied = copy.apply(rules, decision.player, options.nth(index));
        applied.map_or(0, |()| land(&copy, decision.player))
    };
    let last = options.len().min(LOOKS);
    let choice = (0..last).max_by_key(|&index| tried(index));
    options.nth(choice.unwrap_or(0))
}

fn land(game: &Stepper, player: Player) -> u32 {
    game.game().territory_count(player)
}
