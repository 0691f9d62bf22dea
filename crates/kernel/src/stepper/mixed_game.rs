//! A game in which bots hold some of the seats and the caller drives the others.

use std::ops::Deref;

use super::{Caller, StepError, Stepper, StepperSettings};
use crate::action::Action;
use crate::bot::Bots;
use crate::event::{Event, EventFilter};
use crate::fault::RuleFault;
use crate::id::Player;
use crate::outcome::{Outcome, Stop};
use crate::rng::GameKey;
use crate::rules::Rules;
use crate::sink::NullSink;
use crate::state::GameState;
use crate::turn_loop::live::{Live, Memory};
use crate::turn_loop::run::Run;

/// A game in which bots hold some of the seats and the caller drives the others. The bots are asked
/// as [`play`](crate::play) asks them, with their faults, plans and answers of several
/// steps; only the seats without a bot are left to the caller, as a [`Stepper`] leaves all of them.
///
/// It reads as a [`Stepper`], which can be cloned for a search: the clone has no bots.
pub struct MixedGame<B> {
    stepper: Stepper,
    bots: B,
    memory: Memory,
}

impl<B: Bots> MixedGame<B> {
    /// Sets a game up and goes on to the first decision of the caller, who decides for the seats
    /// without a bot. `game` is an empty board, as [`GameState::new`] makes it, or a game at rest
    /// before a decision. The bots' own random streams are of `key`.
    ///
    /// # Errors
    /// When the ruleset fails.
    ///
    /// # Panics
    /// When the game has more or fewer players than there are seats.
    pub fn new(
        game: GameState,
        key: GameKey,
        rules: &mut dyn Rules,
        mut bots: B,
        settings: StepperSettings,
    ) -> Result<Self, RuleFault> {
        assert_eq!(game.players(), bots.seats(), "an entry for each seat");
        let mut stepper = Stepper::at(game, settings);
        let mut nobody = NullSink;
        let mut live = Live::new(&mut bots, &mut nobody, &stepper.facts);
        if live.wanted() == EventFilter::All {
            stepper.facts.change().wanted = EventFilter::All;
        }
        live.start(&stepper.facts, key);
        let mut memory = live.into_memory();
        let begin = stepper.beginning();
        let company = Company::new(&mut bots, &mut memory);
        stepper.run(rules, Some(company), begin)?;
        let mut game = Self {
            stepper,
            bots,
            memory,
        };
        game.tell_end();
        Ok(game)
    }

    /// The caller answers for a player who has no bot: see [`Stepper::apply`].
    ///
    /// # Errors
    /// As [`Stepper::apply`].
    pub fn apply(
        &mut self,
        rules: &mut dyn Rules,
        player: Player,
        action: Action,
    ) -> Result<(), StepError> {
        let company = Company::new(&mut self.bots, &mut self.memory);
        self.stepper.answer(rules, Some(company), player, action)?;
        self.tell_end();
        Ok(())
    }

    /// What has happened since the last call: see [`Stepper::take_events`].
    pub fn take_events(&mut self) -> Vec<Event> {
        self.stepper.take_events()
    }

    /// The bots. Where one of them halts the game nobody decides any more, and there is no outcome.
    pub const fn bots(&self) -> &B {
        &self.bots
    }

    /// The bots, for another game. A game that is not over is given up.
    #[must_use]
    pub fn into_bots(self) -> B {
        self.bots
    }

    /// Tells the bots that the game is over, if it is.
    fn tell_end(&mut self) {
        if let Some(outcome) = &self.stepper.outcome {
            let scores = outcome.scores();
            let mut nobody = NullSink;
            let memory = std::mem::take(&mut self.memory);
            let mut live = Live::again(&mut self.bots, &mut nobody, memory);
            live.finish(&self.stepper.facts, &scores, Some(outcome));
            self.memory = live.into_memory();
        }
    }
}

impl<B> Deref for MixedGame<B> {
    type Target = Stepper;

    fn deref(&self) -> &Stepper {
        &self.stepper
    }
}

impl<B> std::fmt::Debug for MixedGame<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MixedGame")
            .field("stepper", &self.stepper)
            .finish_non_exhaustive()
    }
}

/// The bots that hold seats, for as long as the game goes on by itself.
pub(super) struct Company<'a> {
    bots: &'a mut dyn Bots,
    memory: &'a mut Memory,
}

impl<'a> Company<'a> {
    fn new(bots: &'a mut dyn Bots, memory: &'a mut Memory) -> Self {
        Self { bots, memory }
    }

    /// Goes on with the bots at the table.
    pub(super) fn step(
        self,
        run: &mut Run<'_>,
        caller: Caller<'_>,
        step: impl FnOnce(&mut Run<'_>, &mut Caller<'_>) -> Result<Outcome, Stop>,
    ) -> Result<Outcome, Stop> {
        let mut nobody = NullSink;
        let memory = std::mem::take(self.memory);
        let mut caller = Caller {
            company: Some(Live::again(self.bots, &mut nobody, memory)),
            ..caller
        };
        let result = step(run, &mut caller);
        let Some(mut live) = caller.company else {
            return result;
        };
        let checked = result.and_then(|outcome| {
            live.check_plans(run, None)?;
            Ok(outcome)
        });
        *self.memory = live.into_memory();
        checked
    }
}
