//! Chances of winning over time: from moments of a recorded game on, a bot in all seats plays it to
//! its end, again and again, with dice of its own each time.
//!
//! A rollout goes on from the whole state, with everything that is hidden from players. All moments
//! get the same streams, so that less of the difference between them is chance.

use std::ops::ControlFlow;

use crate::kernel::event::Event;
use crate::kernel::id::PlayerSet;
use crate::kernel::state::GameState;
use crate::kernel::{Bot, EventFilter, NullSink, Sink, Stop};
use crate::load::diag::Failure;
use crate::matches::{MatchFault, Pieces, Producer, Setup, Worker, in_order};
use crate::record::{Playback, Record};

/// The most moments of a game that are looked at.
pub const MOST_MOMENTS: usize = 40;

/// The most games that are played for one analysis.
pub const MOST_GAMES: u64 = 10_000;

/// A moment of a game: before the decision that follows so many answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The round, from 1; 0 before the first.
    pub round: u32,
    /// The turn of a player, from 1; 0 before the first.
    pub turn: u32,
    /// How many answers were given before.
    pub answers: u64,
}

/// Notes where each round begins, as a game is played.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    found: Vec<Moment>,
    /// Answers so far.
    answers: u64,
}

impl Moments {
    /// The first decision of the game and of each round; where these are more than
    /// [`MOST_MOMENTS`], so many of them, evenly spaced.
    #[must_use]
    pub fn chosen(&self) -> Vec<Moment> {
        let mut all = vec![Moment {
            round: 0,
            turn: 0,
            answers: 0,
        }];
        for &moment in self.found.iter().filter(|it| it.answers < self.answers) {
            // What begins before anybody decides is one moment.
            if all
                .last()
                .is_some_and(|last| last.answers == moment.answers)
            {
                all.pop();
            }
            all.push(moment);
        }
        if all.len() <= MOST_MOMENTS {
            return all;
        }
        let last = all.len() - 1;
        let steps = MOST_MOMENTS - 1;
        (0..=steps).map(|step| all[step * last / steps]).collect()
    }
}

impl Sink for Moments {
    fn event(&mut self, _: &GameState, event: &Event) {
        match *event {
            Event::Answered { number, .. } => self.answers = number,
            Event::TurnBegan { turn, round, .. }
                if self.found.last().is_none_or(|last| round > last.round) =>
            {
                let answers = self.answers;
                self.found.push(Moment {
                    round,
                    turn,
                    answers,
                });
            }
            _ => {}
        }
    }

    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }
}

/// The states of a recorded game at some moments, in their order. Moments that the game does not
/// reach are left out.
///
/// # Errors
/// When the ruleset fails.
pub fn positions(
    worker: &mut Worker<'_>,
    record: &Record,
    moments: &[Moment],
) -> Result<Vec<GameState>, MatchFault> {
    let mut states: Vec<GameState> = Vec::with_capacity(moments.len());
    let number = record.header.game;
    let streams = (record.header.seed, number);
    let mut playback = Playback::new(record, Some(0));
    for moment in moments {
        playback.stop_after(moment.answers);
        let seats = &mut playback.seats;
        let finished = match states.last() {
            None => worker.play_with(number, seats, &mut NullSink),
            Some(state) => worker.play_on(state.clone(), streams, seats, &mut NullSink),
        };
        match finished.outcome {
            Err(Stop::Halted) => states.push(finished.game),
            Err(Stop::Rules(fault)) => return Err(MatchFault::Rules(number, fault)),
            Ok(_) => break,
        }
    }
    Ok(states)
}

/// What is played from each moment on.
#[derive(Clone, Copy, Debug)]
pub struct Rollouts<'a> {
    /// The bot in all seats, by its specification.
    pub bot: &'a str,
    /// How many games from each moment.
    pub games: u64,
    /// What their chance comes from.
    pub seed: u64,
}

/// Who wins from one moment on.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// By seat: the share of the games that the player wins; a game with several winners is shared.
    pub shares: Vec<f64>,
    /// The share of the games that nobody wins.
    pub nobody: f64,
}

/// The chances from each of these states on; the same on any number of threads.
///
/// # Errors
/// When the bot can't be had, the ruleset fails, or a thread can't be had.
pub fn chances(
    setup: &Setup,
    states: &[GameState],
    rollouts: Rollouts<'_>,
    jobs: usize,
    mut progress: impl FnMut(u64),
) -> Result<Vec<Chances>, MatchFault> {
    let seats = setup.bots.len();
    let count = states.len() as u64 * rollouts.games;
    let mut wins = vec![vec![0.0; seats + 1]; states.len()];
    let pieces = Pieces {
        first: 0,
        count,
        ahead: count.max(1),
    };
    let new = || Table::new(setup, states, rollouts).map_err(MatchFault::Load);
    in_order(pieces, jobs, new, |number, winners: PlayerSet| {
        let row = &mut wins[(number / rollouts.games) as usize];
        if winners.is_empty() {
            row[seats] += 1.0;
        }
        for winner in winners.iter() {
            row[winner.index()] += 1.0 / winners.len() as f64;
        }
        progress(number + 1);
        ControlFlow::Continue(())
    })?;
    let share = |count: &f64| count / rollouts.games as f64;
    let chances = wins.iter().map(|row| Chances {
        shares: row[..seats].iter().map(share).collect(),
        nobody: share(&row[seats]),
    });
    Ok(chances.collect())
}

/// One thread's rules and bots.
struct Table<'a> {
    worker: Worker<'a>,
    seats: Vec<Box<dyn Bot>>,
    states: &'a [GameState],
    rollouts: Rollouts<'a>,
}

impl<'a> Table<'a> {
    fn new(
        setup: &'a Setup,
        states: &'a [GameState],
        rollouts: Rollouts<'a>,
    ) -> Result<Self, Failure> {
        let worker = Worker::new(setup)?;
        let seats = setup.bots.iter().map(|_| worker.bot(rollouts.bot));
        Ok(Self {
            seats: seats.collect::<Result<_, _>>()?,
            worker,
            states,
            rollouts,
        })
    }
}

impl Producer for Table<'_> {
    type Product = PlayerSet;

    fn produce(&mut self, number: u64) -> Result<(PlayerSet, u64), MatchFault> {
        let Rollouts { games, seed, .. } = self.rollouts;
        // Counted from above: no game of a match has such a number, and so none has these dice.
        let streams = (seed, u64::MAX - number % games);
        let mut game = self.states[(number / games) as usize].clone();
        game.reseed(streams.0, streams.1);
        let finished = self
            .worker
            .play_on(game, streams, &mut self.seats, &mut NullSink);
        match finished.outcome {
            Ok(outcome) => Ok((outcome.winners, finished.game.answers())),
            Err(Stop::Rules(fault)) => Err(MatchFault::Rules(number, fault)),
            Err(Stop::Halted) => unreachable!("no bot of a rollout halts it"),
        }
    }
}
