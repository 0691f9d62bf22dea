//! What the kernel wants of whoever decides for a player.

use super::action::{Action, Bounds, Options};
use super::event::Event;
use super::fault::{BotFault, Exchange, FaultKind};
use super::id::{Phase, Verb};
use super::operations::Operations;
use super::outcome::Outcome;
use super::rng::Stream;
use super::time_control::TimeLeft;
use super::view::View;

/// What a bot says when asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The action for this decision.
    One(Action),
    /// Several steps at once, this decision and the player's next ones. They are checked as a
    /// whole, up to the first die, before any of them is done; one bad step refuses them all. A
    /// step that has become impossible behind a die ends the rest without a fault.
    /// A plan that the ruleset offers is taken at its word, and is the ruleset's fault where a step
    /// before the first die fails.
    Steps(Vec<Action>),
}

/// What a bot may ask of the rules before its options are written down.
pub trait RuleQueries {
    /// What the last parameter of a verb may be, given those before it.
    fn bounds_of(&mut self, verb: Verb, given: &[i32]) -> Bounds;

    /// The verbs of the options, as [`Rules::verbs`](super::Rules::verbs) has them.
    fn verbs(&self) -> &[Verb] {
        &[]
    }

    /// One of the options, each as likely as every other, drawn from this stream. `None` where the
    /// rules can't draw without writing all of them down, or no quicker; the stream may have moved
    /// all the same.
    fn draw(&mut self, rng: &mut Stream) -> Option<Action>;
}

/// Options that are written down already: there is nothing to draw that they do not have.
impl RuleQueries for &Options {
    fn bounds_of(&mut self, verb: Verb, given: &[i32]) -> Bounds {
        Options::bounds_of(self, verb, given)
    }

    fn draw(&mut self, _: &mut Stream) -> Option<Action> {
        None
    }
}

/// What a bot wrote beside its answers, for whoever looks for its mistakes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// The last of it, some 64 KiB at most.
    pub text: String,
    /// Was there more before?
    pub is_cut: bool,
}

/// Who answers for a player.
pub trait Bot {
    /// Who sits where in the next game, by seat: names as people see them.
    fn meet(&mut self, names: &[String]) {
        let _ = names;
    }

    /// Its clock, where it has one: how long its next answer may take. It is told before a game
    /// begins and before each answer; a later one is a fault, whatever it says.
    fn has_left(&mut self, clock: TimeLeft) {
        let _ = clock;
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

    /// An answer that needs no look at all options: the next step of a fight, say, or one that the
    /// rules draw. What is not possible is not a fault here: the bot is asked in full then.
    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let _ = (view, rules);
        None
    }

    /// Does this bot look at the plans among the options?
    fn plans(&self) -> bool {
        false
    }

    /// Does this bot look at nothing but the plans, where there are any? Its options are not
    /// written down then: it answers with one of the plans.
    fn plans_alone(&self) -> bool {
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

    /// The bot's answer was a fault, or there was none: it hears so before it is asked again.
    /// `strikes` are its faults in this game, this one among them. [`Bot::saw`] tells of it too,
    /// but later, when everybody hears.
    fn faulted(&mut self, view: &View, kind: FaultKind, text: &str, strikes: u32) {
        let _ = (view, kind, text, strikes);
    }

    /// What was last said to a bot elsewhere and what it said: asked for after a fault,
    /// for the record.
    fn exchange(&mut self) -> Option<Exchange> {
        None
    }

    /// What a bot elsewhere wrote beside its answers since this was asked last; `None` where it was
    /// nothing.
    fn take_aside(&mut self) -> Option<Aside> {
        None
    }

    /// The operations that its script has used since the game began; `None` of a bot whose work is
    /// not counted.
    fn operations(&self) -> Option<&Operations> {
        None
    }

    /// The game is over, or stops here. `scores` are the ruleset's, by seat; there are none where
    /// the ruleset failed. Without an outcome the game was stopped before its end.
    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        let _ = (view, scores, outcome);
    }

    /// Why nothing more is to be had from this bot, in this game and in any other: where it halts
    /// the game by itself.
    fn gone(&self) -> Option<&str> {
        None
    }
}
