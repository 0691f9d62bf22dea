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
    /// The bot that this one stands before, if it does: what the methods below do not say of
    /// themselves, that bot says. Whoever overrides it overrides [`Bot::inner_mut`] as well.
    fn inner(&self) -> Option<&dyn Bot> {
        None
    }

    /// The same bot as [`Bot::inner`], to be spoken to.
    fn inner_mut(&mut self) -> Option<&mut dyn Bot> {
        None
    }

    /// Who sits where in the next game, by seat: names as people see them.
    fn meet(&mut self, names: &[String]) {
        if let Some(bot) = self.inner_mut() {
            bot.meet(names);
        }
    }

    /// Its clock, where it has one: how long its next answer may take. It is told before a game
    /// begins and before each answer; a later one is a fault, whatever it says.
    fn has_left(&mut self, clock: TimeLeft) {
        if let Some(bot) = self.inner_mut() {
            bot.has_left(clock);
        }
    }

    /// A game begins. `rng` is this player's own random stream.
    fn start(&mut self, view: &View, rng: Stream) {
        if let Some(bot) = self.inner_mut() {
            bot.start(view, rng);
        }
    }

    /// As [`Bot::start`], of a game that was begun before and is taken up again: all that happened
    /// is told once more, and answers that are known are not asked for.
    fn resume(&mut self, view: &View, rng: Stream) {
        self.start(view, rng);
    }

    /// In a game that is taken up again, behind [`Bot::resume`]: this is what the player answered
    /// here. The bot is not asked, and may remember what it would remember if it had been.
    fn recall(&mut self, view: &View, options: &Options, said: Action) {
        if let Some(bot) = self.inner_mut() {
            bot.recall(view, options, said);
        }
    }

    /// Decides. `options` is never empty.
    ///
    /// # Errors
    /// The fault that kept the bot from answering.
    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault>;

    /// Was it asked for its last answer? Not where that followed from what it had said before, or
    /// had not: nothing comes back into its clock then.
    fn was_asked(&self) -> bool {
        self.inner().is_none_or(Bot::was_asked)
    }

    /// An answer that needs no look at all options: the next step of a fight, say, or one that the
    /// rules draw. What is not possible is not a fault here: the bot is asked in full then.
    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        self.inner_mut()?.try_next(view, rules)
    }

    /// Does this bot look at the plans among the options?
    fn plans(&self) -> bool {
        self.inner().is_some_and(Bot::plans)
    }

    /// Does this bot look at nothing but the plans, where there are any? Its options are not
    /// written down then: it answers with one of the plans.
    fn plans_alone(&self) -> bool {
        self.inner().is_some_and(Bot::plans_alone)
    }

    /// Does this bot want to decide in a phase that it may leave to the rules?
    fn wants(&self, phase: Phase) -> bool {
        self.inner().is_some_and(|bot| bot.wants(phase))
    }

    /// Does this bot want to be told what happens?
    fn listens(&self) -> bool {
        self.inner().is_some_and(Bot::listens)
    }

    /// Something happened, as far as this player may see it.
    fn saw(&mut self, view: &View, event: &Event) {
        if let Some(bot) = self.inner_mut() {
            bot.saw(view, event);
        }
    }

    /// The bot's answer was a fault, or there was none: it hears so before it is asked again.
    /// `strikes` are its faults in this game, this one among them. [`Bot::saw`] tells of it too,
    /// but later, when everybody hears.
    fn faulted(&mut self, view: &View, kind: FaultKind, text: &str, strikes: u32) {
        if let Some(bot) = self.inner_mut() {
            bot.faulted(view, kind, text, strikes);
        }
    }

    /// What was last said to a bot elsewhere and what it said: asked for after a fault,
    /// for the record.
    fn exchange(&mut self) -> Option<Exchange> {
        self.inner_mut()?.exchange()
    }

    /// What a bot elsewhere wrote beside its answers since this was asked last; `None` where it was
    /// nothing.
    fn take_aside(&mut self) -> Option<Aside> {
        self.inner_mut()?.take_aside()
    }

    /// The operations that its script has used since the game began; `None` of a bot whose work is
    /// not counted.
    fn operations(&self) -> Option<&Operations> {
        self.inner()?.operations()
    }

    /// The game is over, or stops here. `scores` are the ruleset's, by seat; there are none where
    /// the ruleset failed. Without an outcome the game was stopped before its end.
    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        if let Some(bot) = self.inner_mut() {
            bot.finish(view, scores, outcome);
        }
    }

    /// Why nothing more is to be had from this bot, in this game and in any other: where it halts
    /// the game by itself.
    fn gone(&self) -> Option<&str> {
        self.inner()?.gone()
    }
}
