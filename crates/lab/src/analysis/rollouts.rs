//! Rollouts, which are games continued from a given state to the end by one bot in all seats.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use risk_engine::{HostedBot, MatchFault, Producer, Seed, Setup, Worker, in_order};
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Player, PlayerSet};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::state::GameState;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, NullSink, Plans, Preferences, RuleQueries, StopReason};
use risk_text::diag::LoadError;

/// The settings of the rollouts from each state.
#[derive(Clone, Copy, Debug)]
pub struct Rollouts<'a> {
    /// The specification of the bot in all seats.
    pub bot: &'a str,
    /// The number of games per state.
    pub games: u64,
    /// The seed of the games.
    pub seed: &'a Seed,
}

#[derive(Clone, Copy)]
pub(super) struct RolloutStart<'a> {
    pub(super) state: &'a GameState,
    /// A player's forced first action, which replaces the bot's choice.
    pub(super) first: Option<(Player, Action)>,
}

/// Plays all games from all starts. Calls `each` with the start and the winners of every game. All
/// starts use the same random streams, which begin at the series `series`.
pub(super) fn play_out(
    setup: &Setup,
    starts: &[RolloutStart<'_>],
    rollouts: Rollouts<'_>,
    series: u64,
    jobs: usize,
    mut each: impl FnMut(usize, PlayerSet),
) -> Result<(), MatchFault> {
    let count = starts.len() as u64 * rollouts.games;
    let new = || RolloutTable::new(setup, starts, rollouts, series).map_err(MatchFault::Load);
    in_order(0..count, count.max(1), jobs, new, |number, winners| {
        each((number / rollouts.games) as usize, winners);
        ControlFlow::Continue(())
    })
}

struct RolloutTable<'a> {
    worker: Worker<'a>,
    /// The first action that each seat must take.
    openings: Vec<Rc<Cell<Option<Action>>>>,
    seats: Vec<Box<dyn HostedBot>>,
    starts: &'a [RolloutStart<'a>],
    rollouts: Rollouts<'a>,
    series: u64,
}

impl<'a> RolloutTable<'a> {
    fn new(
        setup: &'a Setup,
        starts: &'a [RolloutStart<'a>],
        rollouts: Rollouts<'a>,
        series: u64,
    ) -> Result<Self, LoadError> {
        let worker = Worker::new(setup)?;
        let openings: Vec<Rc<Cell<Option<Action>>>> =
            setup.bots.iter().map(|_| Rc::default()).collect();
        let seat = |first: &Rc<Cell<Option<Action>>>| {
            let first = Rc::clone(first);
            let bot = worker.bot(rollouts.bot)?;
            Ok(Box::new(OpeningBot { first, bot }) as Box<dyn HostedBot>)
        };
        let seats = openings
            .iter()
            .map(seat)
            .collect::<Result<_, LoadError>>()?;
        Ok(Self {
            worker,
            openings,
            seats,
            starts,
            rollouts,
            series,
        })
    }
}

impl Producer for RolloutTable<'_> {
    type Product = PlayerSet;

    fn produce(&mut self, number: u64) -> Result<(PlayerSet, u64), MatchFault> {
        let Rollouts { games, seed, .. } = self.rollouts;
        // Games of a match use low numbers. Numbers from the top therefore produce different dice.
        let key = seed.key(u64::MAX - self.series - number % games);
        let start = self.starts[(number / games) as usize];
        for opening in &self.openings {
            opening.set(None);
        }
        if let Some((player, action)) = start.first {
            self.openings[player.index()].set(Some(action));
        }
        let mut game = start.state.clone();
        game.reseed(key);
        let finished = self
            .worker
            .play_on(game, key, &mut self.seats, &mut NullSink);
        match finished.outcome {
            Ok(outcome) => Ok((outcome.winners, finished.game.answers())),
            Err(StopReason::Rules(fault)) => Err(MatchFault::Rules(number, fault)),
            Err(StopReason::Halted) => unreachable!("no bot halts a rollout"),
        }
    }
}

/// A bot with an optional forced first action.
struct OpeningBot {
    first: Rc<Cell<Option<Action>>>,
    bot: Box<dyn HostedBot>,
}

impl OpeningBot {
    fn is_given(&self) -> bool {
        self.first.get().is_some()
    }
}

impl HostedBot for OpeningBot {
    fn inner(&self) -> Option<&dyn HostedBot> {
        Some(&*self.bot)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn HostedBot> {
        Some(&mut *self.bot)
    }
}

impl Bot for OpeningBot {
    fn start(&mut self, view: &View, rng: Stream) {
        self.bot.start(view, rng);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        match self.first.take() {
            Some(action) => Ok(Answer::One(action)),
            None => self.bot.answer(view, options),
        }
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        if self.is_given() {
            return None;
        }
        self.bot.try_next(view, rules)
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.bot.saw(view, event);
    }

    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        self.bot.finish(view, scores, outcome);
    }

    fn preferences(&self) -> Preferences<'_> {
        let own = self.bot.preferences();
        let plans = if self.is_given() {
            Plans::Ignored
        } else {
            own.plans
        };
        Preferences { plans, ..own }
    }
}
