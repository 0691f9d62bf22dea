//! The kernel: a game is a stack of frames, asked in passes.
//!
//! It knows players, land, units, counters, cards and orders, and nothing of any one game. It knows
//! no script, file, clock, environment or output either; the `tidy` test holds it to that.

pub mod action;
pub mod board;
mod chance;
pub mod declare;
pub mod digest;
pub mod event;
pub mod fault;
pub mod id;
pub mod mutators;
pub mod outcome;
pub mod rng;
mod snapshot;
pub mod state;
pub mod turn_loop;
pub mod view;
pub mod words;

use action::{Action, Bounds, Legal, Options};
use event::Event;
use fault::{BotFault, Exchange, RuleFault};
use id::{Phase, Player, Verb};
use rng::Stream;
use state::{Frame, GameState};
use view::{Facts, View};

pub use turn_loop::{Finished, Stop, play};

/// The rules of a game, bound to a map: what each phase does when it opens, what it offers, and
/// what an answer changes.
pub trait Rules {
    /// Sets the game up and opens its first frames.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible.
    fn setup(&mut self, game: &mut GameState) -> Result<(), RuleFault>;

    /// A frame comes to the top for the first time.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    fn enter(&mut self, game: &mut GameState, frame: &Frame) -> Result<(), RuleFault>;

    /// What a player may do in a frame. Offering nothing takes the player out of it.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    fn options(
        &mut self,
        game: &Facts,
        frame: &Frame,
        who: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault>;

    /// What the last parameter of a verb may be in a frame, given those before it: a short way to
    /// know whether an action is offered without writing all options down. It must agree with the
    /// options.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    fn bounds_of(
        &mut self,
        game: &Facts,
        frame: &Frame,
        who: Player,
        verb: Verb,
        given: &[i32],
    ) -> Result<Bounds, RuleFault> {
        let _ = (game, frame, who, verb, given);
        Ok(Bounds::Unknown)
    }

    /// The whole actions that a player may choose from in a frame, as lists of steps up to the
    /// first die, where the game counts those as its actions. Asked for bots that want them alone.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    fn plans(
        &mut self,
        game: &Facts,
        frame: &Frame,
        who: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        let _ = (game, frame, who, out);
        Ok(())
    }

    /// Does what a player answered. In a frame with several players it may change only what is the
    /// answering player's own and no other player's options depend on.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    fn apply(
        &mut self,
        game: &mut GameState,
        frame: &Frame,
        who: Player,
        said: Legal,
    ) -> Result<(), RuleFault>;

    /// A player has lost the last territory, to `by` if somebody took it. Called after the hook
    /// that did it, after the player is out where the ruleset says that such a player is.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    fn fallen(
        &mut self,
        game: &mut GameState,
        who: Player,
        by: Option<Player>,
    ) -> Result<(), RuleFault> {
        let _ = (game, who, by);
        Ok(())
    }

    /// A player has become neutral or has forfeited.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    fn neutralised(&mut self, game: &mut GameState, who: Player) -> Result<(), RuleFault> {
        let _ = (game, who);
        Ok(())
    }

    /// A player's strikes are used up and the ruleset declared that it decides what happens.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    fn fault_out(&mut self, game: &mut GameState, who: Player) -> Result<(), RuleFault> {
        let _ = who;
        let _ = game;
        Err(RuleFault::new(
            "the ruleset declares that its hook handles faults, and has no such hook",
        ))
    }

    /// A player's score, for the ranking.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    fn score(&mut self, game: &Facts, who: Player) -> Result<i64, RuleFault> {
        Ok(i64::from(game.territory_count(who)))
    }
}

/// What a bot says when asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// One action.
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

    /// A game begins. `luck` is this player's own random stream.
    fn start(&mut self, view: &View, luck: Stream) {
        let _ = (view, luck);
    }

    /// Decides. `ask` is never empty.
    ///
    /// # Errors
    /// The fault that kept the bot from answering.
    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault>;

    /// An answer that needs no look at all options: the next step of a fight, say. `limit` tells
    /// what the last parameter of a verb may be, given those before it. What is not possible is not
    /// a fault here: the bot is asked in full then.
    fn try_next(
        &mut self,
        view: &View,
        limit: &mut dyn FnMut(Verb, &[i32]) -> Bounds,
    ) -> Option<Action> {
        let _ = (view, limit);
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

    /// What was last said to a bot elsewhere and what it said: asked for after a fault, for the
    /// record.
    fn exchange(&mut self) -> Option<Exchange> {
        None
    }

    /// The game is over.
    fn finish(&mut self, view: &View) {
        let _ = view;
    }
}

/// Who wants to know everything that happens: reports, records, tests.
pub trait Sink {
    /// Something happened. `game` is the state after the hook that did it.
    fn event(&mut self, game: &GameState, event: &Event);

    /// Is the game to stop here? Looked at before anybody is asked.
    fn halts(&self) -> bool {
        false
    }

    /// Are events wanted at all? Without, none is built.
    fn listens(&self) -> bool {
        true
    }
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullSink;

impl Sink for NullSink {
    fn event(&mut self, _: &GameState, _: &Event) {}
    fn listens(&self) -> bool {
        false
    }
}

/// Faults in one game whose players are asked again without end; then it ends with reason
/// `fault-limit`.
pub const MOST_FAULTS: u64 = 10_000;

/// How long a game may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Answers in one game; then it ends with reason `answer-limit`. As many faults that use up a
    /// player's strikes end it with reason `fault-limit`.
    pub answers: u64,
    /// Events in one game; once there are more it ends with reason `event-limit`.
    pub events: u64,
    /// Phases entered without an answer between; more is a fault of the ruleset.
    pub idle: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answers: 1_000_000,
            events: 20_000_000,
            idle: 10_000,
        }
    }
}
