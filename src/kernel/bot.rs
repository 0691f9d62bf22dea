//! What the kernel wants of whoever decides for a player.

use super::action::{Action, Bounds, Options};
use super::event::Event;
use super::fault::{BotFault, Exchange};
use super::id::{Phase, Verb};
use super::rng::Stream;
use super::view::View;

/// What a bot says when asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The action for this decision.
    One(Action),
    /// Several steps at once, this decision and the player's next ones. They are checked as a
    /// whole, up to the first die, before any of them is done; one bad step refuses them all. A
    /// step that has become impossible behind a die ends the rest without a fault.
    Steps(Vec<Action>),
}

/// Who answers for a player.
pub trait Bot {
    /// Who sits where in the next game, by seat: names as people see them.
    fn meet(&mut self, names: &[String]) {
        let _ = names;
    }

    /// A game begins. `rng` is this player's own random stream.
    fn start(&mut self, view: &View, rng: Stream) {
        let _ = (view, rng);
    }

    /// Decides. `options` is never empty.
    ///
    /// # Errors
    /// The fault that kept the bot from answering.
    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault>;

    /// An answer that needs no look at all options: the next step of a fight, say. `bounds_of`
    /// tells what the last parameter of a verb may be, given those before it. What is not possible
    /// is not a fault here: the bot is asked in full then.
    fn try_next(
        &mut self,
        view: &View,
        bounds_of: &mut dyn FnMut(Verb, &[i32]) -> Bounds,
    ) -> Option<Action> {
        let _ = (view, bounds_of);
        None
    }

    /// The stream of a bot that takes any option, each as likely as every other. Where the rules
    /// can draw one from it without writing all options down, the bot is not asked.
    fn draws_from(&mut self) -> Option<&mut Stream> {
        None
    }

    /// Does this bot look at the plans among the options?
    fn plans(&self) -> bool {
        false
    }

    /// Does this bot want to decide in a phase that it may leave to the rules?
    fn wants(&self, phase: Phase) -> bool {
        let _ = phase;
        false
    }

    /// Does this bot want to be told what happens?
    fn listens(&self) -> bool {
        false
    }

    /// Something happened, as far as this player may see it.
    fn saw(&mut self, view: &View, event: &Event) {
        let _ = (view, event);
    }

    /// What was last said to a bot elsewhere and what it said: asked for after a fault,
    /// for the record.
    fn exchange(&mut self) -> Option<Exchange> {
        None
    }

    /// The game is over, or stops here. `scores` are the ruleset's, by seat; there are none where
    /// the ruleset failed.
    fn finish(&mut self, view: &View, scores: &[i64]) {
        let _ = (view, scores);
    }
}
