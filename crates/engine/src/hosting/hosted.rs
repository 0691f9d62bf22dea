//! Bots in a match: the interface that a match needs in addition to the game itself.

use super::operations::Operations;
use super::time_control::TimeLeft;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, Exchange, FaultKind};
use risk_kernel::id::Player;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Aim, Answer, Bot, Bots, Preferences, RuleQueries, Strike};

/// The output of a bot apart from its answers, for debugging the bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// The end of the text, up to about 64 KiB.
    pub text: String,
    /// Whether an earlier part is missing.
    pub is_cut: bool,
}

/// A bot in a match. It extends [`Bot`] with what only a match needs: names, clocks, exchanges with
/// remote bots, and resumed games. [`hosted`] turns any bot into a hosted bot.
pub trait HostedBot: Bot {
    /// Returns the wrapped bot, if any. By default, most of the methods below forward to the
    /// wrapped bot. Override this method together with [`HostedBot::inner_mut`].
    fn inner(&self) -> Option<&dyn HostedBot> {
        None
    }

    /// Returns the same bot as [`HostedBot::inner`], mutably.
    fn inner_mut(&mut self) -> Option<&mut dyn HostedBot> {
        None
    }

    /// Receives the names of the players in the next game, by seat.
    fn meet(&mut self, names: &[String]) {
        if let Some(bot) = self.inner_mut() {
            bot.meet(names);
        }
    }

    /// Receives the bot's clock, if it has one, before a game begins and before each answer. An
    /// answer that comes too late is a fault.
    fn has_left(&mut self, clock: TimeLeft) {
        if let Some(bot) = self.inner_mut() {
            bot.has_left(clock);
        }
    }

    /// Starts the bot like [`Bot::start`], but in a resumed game. The bot sees all earlier events
    /// again, but is not asked for answers that are already known.
    fn resume(&mut self, view: &View, rng: Stream) {
        self.start(view, rng);
    }

    /// Receives a known answer of the player in a resumed game, after [`HostedBot::resume`]. The
    /// bot can update its memory as if it had given the answer itself.
    fn recall(&mut self, view: &View, options: &Options, said: Action) {
        if let Some(bot) = self.inner_mut() {
            bot.recall(view, options, said);
        }
    }

    /// Reports whether the bot was asked for the last answer. An answer that followed from earlier
    /// answers, or from their absence, takes no time from its clock.
    fn was_asked(&self) -> bool {
        self.inner().is_none_or(HostedBot::was_asked)
    }

    /// Receives a fault of the bot, or the fact that it gave no answer: see [`Bots::faulted`].
    fn faulted(&mut self, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        self.inner_mut()?.faulted(view, strike)
    }

    /// Returns the output of a remote bot apart from its answers since the last call, or `None` if
    /// there was no output.
    fn take_aside(&mut self) -> Option<Aside> {
        self.inner_mut()?.take_aside()
    }

    /// Returns the operations that the bot's script has used since the beginning of the game, or
    /// `None` if they are not counted.
    fn operations(&self) -> Option<&Operations> {
        self.inner()?.operations()
    }

    /// Returns the reason why the bot can no longer play, if it halts games for that reason.
    fn gone(&self) -> Option<&str> {
        self.inner()?.gone()
    }
}

/// Wraps a bot for a match.
///
/// ```
/// use risk_engine::{Answer, Bot, BotFault, MatchSpec, NullSink, Options, View, Worker, hosted};
///
/// struct First;
///
/// impl Bot for First {
///     fn answer(&mut self, _: &View, options: &Options) -> Result<Answer, BotFault> {
///         Ok(Answer::One(options.nth(0)))
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let setup = MatchSpec::new("codelab")
///     .option("max_turns", 20)
///     .load(risk_cli::library())?;
/// let mut worker = Worker::new(&setup)?;
/// let mut seats = vec![hosted(First), worker.bot("outnumber")?];
/// assert!(worker.play_with(0, &mut seats, &mut NullSink).outcome.is_ok());
/// # Ok(())
/// # }
/// ```
pub fn hosted(bot: impl Bot + 'static) -> Box<dyn HostedBot> {
    Box::new(PlainBot(bot))
}

struct PlainBot<B>(B);

impl<B: Bot> Bot for PlainBot<B> {
    fn start(&mut self, view: &View, rng: Stream) {
        self.0.start(view, rng);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        self.0.answer(view, options)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        self.0.try_next(view, rules)
    }

    fn aim(&mut self, view: &View, action: Action) -> Result<Option<Aim>, BotFault> {
        self.0.aim(view, action)
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.0.saw(view, event);
    }

    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        self.0.finish(view, scores, outcome);
    }

    fn preferences(&self) -> Preferences<'_> {
        self.0.preferences()
    }
}

impl<B: Bot> HostedBot for PlainBot<B> {}

/// A fault of a bot in a stepped game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SeatFault {
    /// The bot's player.
    pub player: Player,
    /// The kind of fault.
    pub kind: FaultKind,
    /// The description of the fault.
    pub text: String,
}

/// The bots of a stepped game, by seat; `None` for seats for which the caller decides.
pub struct HostedSeats {
    bots: Vec<Option<Box<dyn HostedBot>>>,
    faults: Vec<SeatFault>,
}

impl HostedSeats {
    /// The maximum number of faults that [`HostedSeats::faults`] returns.
    pub const MOST_FAULTS: usize = 100;

    /// Seats these bots under these names.
    #[must_use]
    pub fn new(mut bots: Vec<Option<Box<dyn HostedBot>>>, names: &[String]) -> Self {
        for bot in bots.iter_mut().flatten() {
            bot.meet(names);
        }
        let faults = Vec::new();
        Self { bots, faults }
    }

    /// Returns the first faults of the bots in this game.
    #[must_use]
    pub fn faults(&self) -> &[SeatFault] {
        &self.faults
    }

    /// Returns the reason why a bot can no longer play, if the bot has halted the game for that
    /// reason.
    #[must_use]
    pub fn gone(&self) -> Option<&str> {
        self.bots.iter().flatten().find_map(|bot| bot.gone())
    }

    /// Returns the bots, by seat.
    #[must_use]
    pub fn into_inner(self) -> Vec<Option<Box<dyn HostedBot>>> {
        self.bots
    }
}

impl Bots for HostedSeats {
    fn seats(&self) -> usize {
        self.bots.len()
    }

    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot> {
        let bot = self.bots.get_mut(seat)?.as_mut()?;
        Some(&mut **bot)
    }

    fn faulted(&mut self, seat: usize, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        if self.faults.len() < Self::MOST_FAULTS {
            self.faults.push(SeatFault {
                player: view.me(),
                kind: strike.kind,
                text: strike.text.to_owned(),
            });
        }
        self.bots.get_mut(seat)?.as_mut()?.faulted(view, strike)
    }
}

pub(crate) struct HostedBots<'a>(pub(crate) &'a mut [Box<dyn HostedBot>]);

impl Bots for HostedBots<'_> {
    fn seats(&self) -> usize {
        self.0.len()
    }

    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot> {
        let bot = self.0.get_mut(seat)?;
        Some(&mut **bot)
    }

    fn faulted(&mut self, seat: usize, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        self.0.get_mut(seat)?.faulted(view, strike)
    }
}
