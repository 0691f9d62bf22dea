//! The turn loop. It controls the sequence of the game, while rules and bots determine what
//! happens.

pub(super) mod live;
mod offered_plans;
mod rehearsal;
pub(super) mod run;

use super::bot::Bots;
use super::finished_game::{FinishedGame, StopReason};
use super::limits::Limits;
use super::outcome::Outcome;
use super::rng::GameKey;
use super::rules::Rules;
use super::sink::Sink;
use super::state::GameState;
use super::view::Facts;
use live::LiveBots;
use run::{AnswerSource, Run};

pub use rehearsal::MOST_STEPS;

/// Plays a game from its set-up to its end.
///
/// The players' own streams come from `key`. The game's streams are in `game`.
pub fn play(
    game: GameState,
    key: GameKey,
    rules: &mut dyn Rules,
    bots: &mut dyn Bots,
    sink: &mut dyn Sink,
    limits: Limits,
) -> FinishedGame {
    drive(game, key, rules, bots, sink, limits, |run, asker| {
        run.game(asker)
    })
}

/// Continues a halted game to its end, from the decision before which it stopped. The bots start at
/// that decision and receive no earlier events.
///
/// The players' own streams come from `key`. The game's streams continue.
pub fn play_on(
    game: GameState,
    key: GameKey,
    rules: &mut dyn Rules,
    bots: &mut dyn Bots,
    sink: &mut dyn Sink,
    limits: Limits,
) -> FinishedGame {
    drive(game, key, rules, bots, sink, limits, |run, asker| {
        run.resume(asker)
    })
}

type LoopEntry = for<'a> fn(&mut Run<'a>, &mut dyn AnswerSource) -> Result<Outcome, StopReason>;

fn drive(
    game: GameState,
    key: GameKey,
    rules: &mut dyn Rules,
    bots: &mut dyn Bots,
    sink: &mut dyn Sink,
    limits: Limits,
    part: LoopEntry,
) -> FinishedGame {
    assert_eq!(game.players(), bots.seats(), "one bot for each player");
    let mut facts = Facts::new(game);
    let mut live = LiveBots::new(bots, sink, &facts);
    facts.change().wanted = live.wanted();
    live.start(&facts, key);
    let mut run = Run::new(&mut facts, rules, limits);
    let outcome = part(&mut run, &mut live).and_then(|outcome| {
        live.check_plans(&mut run, None)?;
        Ok(outcome)
    });
    let scores = match &outcome {
        Ok(outcome) => outcome.scores(),
        Err(StopReason::Halted) => run.scores().unwrap_or_default(),
        Err(StopReason::Rules(_)) => Vec::new(),
    };
    // A game may stop in the middle of a hook or a decision. The events before the stop are still
    // reported.
    let events = std::mem::take(&mut facts.change().events);
    live.deliver(&facts, &events);
    live.finish(&facts, &scores, outcome.as_ref().ok());
    FinishedGame {
        outcome,
        game: facts.into_game(),
    }
}
