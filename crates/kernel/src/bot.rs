//! The interface between the kernel and the bots that make the players' decisions.

use super::action::{Action, Bounds, Options};
use super::aim::Aim;
use super::event::Event;
use super::fault::{BotFault, Exchange, FaultKind};
use super::id::{Phase, Verb};
use super::outcome::Outcome;
use super::rng::Stream;
use super::view::View;

/// The answer of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The action for this decision.
    One(Action),
    /// Several steps, for this decision and the player's next decisions. All steps up to the first
    /// die roll are checked before any step is applied, and an illegal step rejects the whole
    /// answer. If a step becomes impossible after a die roll, the remaining steps are dropped
    /// without a fault. A plan that the ruleset offers is trusted: if a step before the first die
    /// roll fails, the fault is the ruleset's.
    Steps(Vec<Action>),
}

/// The questions that a bot can ask the rules before all options are computed.
pub trait RuleQueries {
    /// Returns the bounds of a verb's last parameter, given the parameters before it.
    fn bounds_of(&mut self, verb: Verb, given: &[i32]) -> Bounds;

    /// Returns the verbs of the options, as [`Rules::verbs`](super::Rules::verbs) does.
    fn verbs(&self) -> &[Verb] {
        &[]
    }

    /// Draws one of the options from this stream, each with equal probability. Returns `None` if
    /// the rules can't draw faster than by computing all options. The stream may have advanced even
    /// if the result is `None`.
    fn draw(&mut self, rng: &mut Stream) -> Option<Action>;
}

/// Answers from options that are already computed. `draw` returns `None` because drawing without
/// them would save nothing.
impl RuleQueries for &Options {
    fn bounds_of(&mut self, verb: Verb, given: &[i32]) -> Bounds {
        Options::bounds_of(self, verb, given)
    }

    fn draw(&mut self, _: &mut Stream) -> Option<Action> {
        None
    }
}

/// The decisions and events that a bot wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preferences<'a> {
    /// How the bot uses the plans that a ruleset offers. The loop reads this at each decision.
    pub plans: Plans,
    /// The optional phases in which the bot decides. The loop reads this when a game begins.
    pub optional: OptionalPhases<'a>,
    /// Whether the bot receives events through [`Bot::saw`]. The loop reads this when a game
    /// begins.
    pub listens: bool,
}

/// How a bot uses the plans among its options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plans {
    /// The bot uses only single actions. Plans are not computed.
    #[default]
    Ignored,
    /// The bot uses plans as well as single actions.
    Beside,
    /// The bot answers with a plan if there are plans. Single actions are not computed.
    Alone,
}

impl Plans {
    /// Returns the closest use of plans for which single actions are also computed.
    #[must_use]
    pub const fn with_actions(self) -> Self {
        match self {
            Self::Ignored => Self::Ignored,
            Self::Beside | Self::Alone => Self::Beside,
        }
    }
}

/// A set of optional phases. Players may leave an optional phase to the rules, which choose the
/// first option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OptionalPhases<'a> {
    /// No optional phases.
    #[default]
    None,
    /// The phases in the list.
    These(&'a [Phase]),
    /// All optional phases.
    All,
}

impl OptionalPhases<'_> {
    /// Reports whether the set contains a phase.
    #[must_use]
    pub fn has(self, phase: Phase) -> bool {
        match self {
            Self::None => false,
            Self::These(phases) => phases.contains(&phase),
            Self::All => true,
        }
    }
}

/// A decision maker for a player.
pub trait Bot {
    /// Starts a game. `rng` is this player's own random stream.
    fn start(&mut self, view: &View, rng: Stream) {
        let _ = (view, rng);
    }

    /// Chooses an answer. `options` is never empty.
    ///
    /// # Errors
    /// Returns the fault that prevented the bot from answering.
    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault>;

    /// Returns an answer that does not need all options, such as the next step of a fight or an
    /// action that the rules draw. An impossible action is not a fault: the loop then asks the bot
    /// with all options.
    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let _ = (view, rules);
        None
    }

    /// Returns what the bot is after with its last answer, or `None` if it doesn't say. Games never
    /// call this method: it explains advice to a person. It must not change the bot's later
    /// answers. `view` shows the position in which `action`, a step of the answer, comes next.
    ///
    /// # Errors
    /// Returns the fault that prevented the bot from saying it. The fault never counts as a strike.
    fn aim(&mut self, view: &View, action: Action) -> Result<Option<Aim>, BotFault> {
        let _ = (view, action);
        Ok(None)
    }

    /// Receives an event without the parts that are hidden from this player.
    fn saw(&mut self, view: &View, event: &Event) {
        let _ = (view, event);
    }

    /// Finishes a game. `scores` are the ruleset's scores by seat; the list is empty if the ruleset
    /// failed. `outcome` is `None` if the game was stopped before its end.
    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        let _ = (view, scores, outcome);
    }

    /// Returns the decisions and events that the bot wants.
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

    fn aim(&mut self, view: &View, action: Action) -> Result<Option<Aim>, BotFault> {
        (**self).aim(view, action)
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
    /// Returns the number of seats.
    fn seats(&self) -> usize;

    /// Returns the bot in a seat; `None` if the caller of a
    /// [`MixedGame`](super::stepper::MixedGame) decides for the seat. A seat without a bot halts
    /// any other game.
    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot>;

    /// Reports a fault or a missing answer to the bot in a seat, before the bot is asked again.
    /// [`Bot::saw`] reports the fault later, when all players see it. Returns the messages to and
    /// from a remote bot, for the record.
    fn faulted(&mut self, seat: usize, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        let _ = (seat, view, strike);
        None
    }
}

/// A player's fault, counted towards the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strike<'a> {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The description of the fault.
    pub text: &'a str,
    /// The number of the player's faults in this game, including this one.
    pub number: u32,
}

impl Bots for Vec<Box<dyn Bot>> {
    fn seats(&self) -> usize {
        self.len()
    }

    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot> {
        let bot = self.get_mut(seat)?;
        Some(&mut **bot)
    }
}

impl Bots for Vec<Option<Box<dyn Bot>>> {
    fn seats(&self) -> usize {
        self.len()
    }

    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot> {
        let bot = self.get_mut(seat)?.as_mut()?;
        Some(&mut **bot)
    }
}
