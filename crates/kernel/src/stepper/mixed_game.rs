//! Games in which bots hold some seats and the caller drives the others.

use std::ops::Deref;

use super::{DeferredAnswers, StepError, Stepper, StepperSettings};
use crate::action::Action;
use crate::bot::Bots;
use crate::event::Event;
use crate::event_filter::EventFilter;
use crate::fault::RuleResult;
use crate::finished_game::StopReason;
use crate::id::Player;
use crate::outcome::Outcome;
use crate::rng::GameKey;
use crate::rules::Rules;
use crate::sink::NullSink;
use crate::state::GameState;
use crate::turn_loop::live::{LiveBots, Memory};
use crate::turn_loop::run::Run;

/// A game in which bots hold some seats and the caller drives the others. The bots are asked as in
/// [`play`](crate::play), including faults, plans and answers with several steps. The caller
/// decides only for the seats without a bot, as it does for all seats with a [`Stepper`].
///
/// The game dereferences to a [`Stepper`], which can be cloned for a search. The clone has no bots.
pub struct MixedGame<B> {
    stepper: Stepper,
    bots: B,
    memory: Memory,
}

impl<B: Bots> MixedGame<B> {
    /// Sets a game up and runs it to the first decision of the caller, who decides for the seats
    /// without a bot. `game` is either an empty board from [`GameState::new`] or a game before a
    /// decision. The bots' own random streams come from `key`.
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    ///
    /// # Panics
    /// Panics if the game has more or fewer players than there are seats.
    pub fn new(
        game: GameState,
        key: GameKey,
        rules: &mut dyn Rules,
        mut bots: B,
        settings: StepperSettings,
    ) -> RuleResult<Self> {
        assert_eq!(game.players(), bots.seats(), "an entry for each seat");
        let mut stepper = Stepper::at(game, settings);
        let mut nobody = NullSink;
        let mut live = LiveBots::new(&mut bots, &mut nobody, &stepper.facts);
        if live.wanted() == EventFilter::All {
            stepper.facts.change().wanted = EventFilter::All;
        }
        live.start(&stepper.facts, key);
        let mut memory = live.into_memory();
        let begin = stepper.beginning();
        let company = MixedBots::new(&mut bots, &mut memory);
        stepper.run(rules, Some(company), begin)?;
        let mut game = Self {
            stepper,
            bots,
            memory,
        };
        game.notify_end();
        Ok(game)
    }

    /// Applies the answer of a player without a bot: see [`Stepper::apply`].
    ///
    /// # Errors
    /// Returns the same errors as [`Stepper::apply`].
    pub fn apply(
        &mut self,
        rules: &mut dyn Rules,
        player: Player,
        action: Action,
    ) -> Result<(), StepError> {
        let company = MixedBots::new(&mut self.bots, &mut self.memory);
        self.stepper.answer(rules, Some(company), player, action)?;
        self.notify_end();
        Ok(())
    }

    /// Returns the events since the last call: see [`Stepper::take_events`].
    pub fn take_events(&mut self) -> Vec<Event> {
        self.stepper.take_events()
    }

    /// Returns the bots. If a bot halts the game, there are no more decisions and no outcome.
    pub const fn bots(&self) -> &B {
        &self.bots
    }

    /// Returns the bots for another game. Abandons the game if it is not over.
    #[must_use]
    pub fn into_bots(self) -> B {
        self.bots
    }

    fn notify_end(&mut self) {
        if let Some(outcome) = &self.stepper.outcome {
            let scores = outcome.scores();
            let mut nobody = NullSink;
            let memory = std::mem::take(&mut self.memory);
            let mut live = LiveBots::again(&mut self.bots, &mut nobody, memory);
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

pub(super) struct MixedBots<'a> {
    bots: &'a mut dyn Bots,
    memory: &'a mut Memory,
}

impl<'a> MixedBots<'a> {
    fn new(bots: &'a mut dyn Bots, memory: &'a mut Memory) -> Self {
        Self { bots, memory }
    }

    pub(super) fn step(
        self,
        run: &mut Run<'_>,
        caller: DeferredAnswers<'_>,
        step: impl FnOnce(&mut Run<'_>, &mut DeferredAnswers<'_>) -> Result<Outcome, StopReason>,
    ) -> Result<Outcome, StopReason> {
        let mut nobody = NullSink;
        let memory = std::mem::take(self.memory);
        let mut caller = DeferredAnswers {
            company: Some(LiveBots::again(self.bots, &mut nobody, memory)),
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
