//! What the kernel asks of those who decide for the players.

use super::action::{Action, Bounds, Options};
use super::event::Event;
use super::fault::{BotFault, Exchange, FaultKind};
use super::id::{Phase, Verb};
use super::outcome::Outcome;
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

/// What a bot wants to decide and to hear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preferences<'a> {
    /// Which of the plans that a ruleset offers it looks at. Asked for at each decision.
    pub plans: Plans,
    /// In which of the phases that players may leave to the rules it decides itself. Asked for when
    /// a game begins.
    pub optional: OptionalPhases<'a>,
    /// Is it told what happens, by [`Bot::saw`]? Asked for when a game begins.
    pub listens: bool,
}

/// What a bot does with the plans among its options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plans {
    /// It looks at single actions alone: plans are not worked out.
    #[default]
    Ignored,
    /// It looks at plans beside the single actions.
    Beside,
    /// Where there are plans it answers with one of them: single actions are not written down.
    Alone,
}

impl Plans {
    /// The same plans, with the single actions written down as well.
    #[must_use]
    pub const fn with_actions(self) -> Self {
        match self {
            Self::Ignored => Self::Ignored,
            Self::Beside | Self::Alone => Self::Beside,
        }
    }
}

/// Some of the phases that players may leave to the rules, which take the first option there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OptionalPhases<'a> {
    /// None of them.
    #[default]
    None,
    /// These.
    These(&'a [Phase]),
    /// All of them.
    All,
}

impl OptionalPhases<'_> {
    /// Is the phase one of them?
    #[must_use]
    pub fn has(self, phase: Phase) -> bool {
        match self {
            Self::None => false,
            Self::These(phases) => phases.contains(&phase),
            Self::All => true,
        }
    }
}

/// Decides for a player.
pub trait Bot {
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

    /// Something happened, as far as this player may see it.
    fn saw(&mut self, view: &View, event: &Event) {
        let _ = (view, event);
    }

    /// The game is over, or stops here. `scores` are the ruleset's, by seat; there are none where
    /// the ruleset failed. Without an outcome the game was stopped before its end.
    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        let _ = (view, scores, outcome);
    }

    /// What it wants to decide and to hear.
    fn preferences(&self) -> Preferences<'_> {
        Preferences::default()
    }
}

impl<B: Bot + ?Sized> Bot for Box<B> {
    fn start(&mut self, view: &View, rng: Stream) {
        (**self).start(view, rng);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        (**self).answer(view, options)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        (**self).try_next(view, rules)
    }

    fn saw(&mut self, view: &View, event: &Event) {
        (**self).saw(view, event);
    }

    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        (**self).finish(view, scores, outcome);
    }

    fn preferences(&self) -> Preferences<'_> {
        (**self).preferences()
    }
}

/// The bots of a game, by seat.
pub trait Bots {
    /// How many seats there are.
    fn seats(&self) -> usize;

    /// The bot in a seat; `None` where the caller of a [`MixedGame`](super::stepper::MixedGame)
    /// decides. A seat without a bot halts any other game.
    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot>;

    /// The answer of the bot in a seat was a fault, or there was none: said before the bot is asked
    /// again. [`Bot::saw`] tells of the fault too, but later, when everybody hears of it. Returns
    /// what was said to a bot elsewhere and what it said, for the record.
    fn faulted(&mut self, seat: usize, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        let _ = (seat, view, strike);
        None
    }
}

/// A fault of a player's as it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strike<'a> {
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// What happened.
    pub text: &'a str,
    /// The player's faults in this game, this one among them.
    pub number: u32,
}

impl Bots for Vec<Box<dyn Bot>> {
    fn seats(&self) -> usize {
        self.len()
    }

    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot> {
        match self.get_mut(seat) {
            Some(bot) => Some(&mut **bot),
            None => None,
        }
    }
}

impl Bots for Vec<Option<Box<dyn Bot>>> {
    fn seats(&self) -> usize {
        self.len()
    }

    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot> {
        match self.get_mut(seat) {
            Some(Some(bot)) => Some(&mut **bot),
            _ => None,
        }
    }
}
