//! Bots as a match hosts them: what they are told and asked beside the game itself.

use super::operations::Operations;
use super::time_control::TimeLeft;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, Exchange};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Bots, Preferences, RuleQueries, Strike};

/// What a bot wrote beside its answers, for whoever looks for its mistakes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// The last of it, some 64 KiB at most.
    pub text: String,
    /// Was there more before?
    pub is_cut: bool,
}

/// A bot in a match. Whatever a [`Bot`] need not know of is here: names, clocks, what went over the
/// wire, games that are taken up again. [`hosted`] makes one of any bot.
pub trait HostedBot: Bot {
    /// The bot that this one stands before, if it does: what the methods below do not say of
    /// themselves, that bot says. Whoever overrides it overrides [`HostedBot::inner_mut`] as well.
    fn inner(&self) -> Option<&dyn HostedBot> {
        None
    }

    /// The same bot as [`HostedBot::inner`], to be spoken to.
    fn inner_mut(&mut self) -> Option<&mut dyn HostedBot> {
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

    /// As [`Bot::start`], of a game that was begun before and is taken up again: all that happened
    /// is told once more, and answers that are known are not asked for.
    fn resume(&mut self, view: &View, rng: Stream) {
        self.start(view, rng);
    }

    /// In a game that is taken up again, after [`HostedBot::resume`]: this is what the player
    /// answered here. The bot is not asked, and may remember what it would remember if it had been.
    fn recall(&mut self, view: &View, options: &Options, said: Action) {
        if let Some(bot) = self.inner_mut() {
            bot.recall(view, options, said);
        }
    }

    /// Was it asked for its last answer? Not where that followed from what it had said before, or
    /// had not: nothing comes back into its clock then.
    fn was_asked(&self) -> bool {
        self.inner().is_none_or(HostedBot::was_asked)
    }

    /// Its answer was a fault, or there was none: see [`Bots::faulted`].
    fn faulted(&mut self, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        self.inner_mut()?.faulted(view, strike)
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

    /// Why nothing more is to be had from this bot, in this game and in any other: where it halts
    /// the game by itself.
    fn gone(&self) -> Option<&str> {
        self.inner()?.gone()
    }
}

/// A bot for a match, of one that knows of no matches.
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
    Box::new(Plain(bot))
}

/// A bot that knows of no matches.
struct Plain<B>(B);

impl<B: Bot> Bot for Plain<B> {
    fn start(&mut self, view: &View, rng: Stream) {
        self.0.start(view, rng);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        self.0.answer(view, options)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        self.0.try_next(view, rules)
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

impl<B: Bot> HostedBot for Plain<B> {}

/// The bots of a game by hand, by seat; none where the caller decides.
pub struct HostedSeats(Vec<Option<Box<dyn HostedBot>>>);

impl HostedSeats {
    /// These bots, in seats under these names.
    #[must_use]
    pub fn new(mut bots: Vec<Option<Box<dyn HostedBot>>>, names: &[String]) -> Self {
        for bot in bots.iter_mut().flatten() {
            bot.meet(names);
        }
        Self(bots)
    }

    /// Why a bot plays no more, where one has halted the game by itself.
    #[must_use]
    pub fn gone(&self) -> Option<&str> {
        self.0.iter().flatten().find_map(|bot| bot.gone())
    }

    /// The bots, by seat.
    #[must_use]
    pub fn into_inner(self) -> Vec<Option<Box<dyn HostedBot>>> {
        self.0
    }
}

impl Bots for HostedSeats {
    fn seats(&self) -> usize {
        self.0.len()
    }

    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot> {
        match self.0.get_mut(seat) {
            Some(Some(bot)) => Some(&mut **bot),
            _ => None,
        }
    }

    fn faulted(&mut self, seat: usize, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        self.0.get_mut(seat)?.as_mut()?.faulted(view, strike)
    }
}

/// The bots of one game of a match, by seat.
pub(super) struct Seated<'a>(pub(super) &'a mut [Box<dyn HostedBot>]);

impl Bots for Seated<'_> {
    fn seats(&self) -> usize {
        self.0.len()
    }

    fn bot(&mut self, seat: usize) -> Option<&mut dyn Bot> {
        match self.0.get_mut(seat) {
            Some(bot) => Some(&mut **bot),
            None => None,
        }
    }

    fn faulted(&mut self, seat: usize, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        self.0.get_mut(seat)?.faulted(view, strike)
    }
}
