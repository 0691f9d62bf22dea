//! Rollouts: bots play on from a decision for some rounds.

use std::cell::Cell;
use std::rc::Rc;

use super::action::{Action, Options};
use super::bot::{Answer, Bot, Preferences, RuleQueries};
use super::event::Event;
use super::event_filter::EventFilter;
use super::fault::{BotFault, RuleResult};
use super::finished_game::FinishedGame;
use super::limits::Limits;
use super::rng::{GameKey, Stream};
use super::rules::Rules;
use super::sink::{Moment, Sink};
use super::state::GameState;
use super::stepper::Stepper;
use super::turn_loop::play_on;
use super::view::{Facts, View};

/// Bots for all seats, which play on from decisions in games, for some rounds each.
pub struct Rollout {
    bots: Vec<Box<dyn Bot>>,
    until: Rc<Cell<StopPoint>>,
}

/// The point at which a rollout stops.
#[derive(Clone, Copy, Debug)]
pub struct StopPoint {
    round: u32,
    turn: u32,
}

impl StopPoint {
    /// Stops before the first decision in this round or in a later round.
    #[must_use]
    pub const fn round(round: u32) -> Self {
        let turn = u32::MAX;
        Self { round, turn }
    }

    /// Stops before the first decision in this player-turn or in a later player-turn.
    #[must_use]
    pub const fn turn(turn: u32) -> Self {
        let round = u32::MAX;
        Self { round, turn }
    }

    fn is_over(self, view: &View) -> bool {
        view.round() >= self.round || view.turn() >= self.turn
    }
}

impl Rollout {
    /// Creates a rollout with these bots, by seat.
    #[must_use]
    pub fn new(bots: Vec<Box<dyn Bot>>) -> Self {
        let until = Rc::new(Cell::new(StopPoint::round(u32::MAX)));
        let stopping = |bot| -> Box<dyn Bot> {
            Box::new(StoppingBot {
                bot,
                until: Rc::clone(&until),
            })
        };
        Self {
            bots: bots.into_iter().map(stopping).collect(),
            until,
        }
    }

    /// Continues a game from a decision to its end. Stops earlier at `until`, or if `halts` returns
    /// true at a decision; the result is then [`StopReason::Halted`](crate::StopReason::Halted).
    /// The bots' own streams come from `seed`. The game's streams continue.
    ///
    /// # Panics
    /// Panics if the game has more or fewer players than there are bots.
    pub fn play(
        &mut self,
        game: GameState,
        seed: u64,
        rules: &mut dyn Rules,
        until: StopPoint,
        halts: &dyn Fn() -> bool,
    ) -> FinishedGame {
        self.until.set(until);
        let mut sink = HaltingSink(halts);
        let limits = Limits::default();
        let key = GameKey::of_numbers(seed, 0);
        play_on(game, key, rules, &mut self.bots, &mut sink, limits)
    }

    /// Continues a stepper's game as [`Rollout::play`] does. The stepper is then at its next
    /// decision, or the game is over.
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    ///
    /// # Panics
    /// Panics if the game has more or fewer players than there are bots.
    pub fn play_in(
        &mut self,
        game: &mut Stepper,
        seed: u64,
        rules: &mut dyn Rules,
        until: StopPoint,
        halts: &dyn Fn() -> bool,
    ) -> RuleResult {
        self.until.set(until);
        let mut sink = HaltingSink(halts);
        let key = GameKey::of_numbers(seed, 0);
        game.play_on(rules, &mut self.bots, &mut sink, key)
    }
}

impl std::fmt::Debug for Rollout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rollout")
            .field("bots", &self.bots.len())
            .finish_non_exhaustive()
    }
}

struct HaltingSink<'a>(&'a dyn Fn() -> bool);

impl Sink for HaltingSink<'_> {
    fn event(&mut self, _: Moment<'_>, _: &Event) {}

    fn halts(&mut self, _: &Facts) -> bool {
        (self.0)()
    }

    fn wants(&self) -> EventFilter {
        EventFilter::Nothing
    }
}

struct StoppingBot {
    bot: Box<dyn Bot>,
    until: Rc<Cell<StopPoint>>,
}

impl Bot for StoppingBot {
    fn start(&mut self, view: &View, rng: Stream) {
        self.bot.start(view, rng);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if self.until.get().is_over(view) {
            return Err(BotFault::Halt);
        }
        self.bot.answer(view, options)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        if self.until.get().is_over(view) {
            return None;
        }
        self.bot.try_next(view, rules)
    }

    /// Bots receive no events because the game is not a real one.
    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            listens: false,
            ..self.bot.preferences()
        }
    }
}
