//! Chances of winning over the course of a recorded game. From selected moments, one bot in all
//! seats plays the game to its end many times, with new dice each time.
//!
//! A rollout starts from the complete state, including the information that is hidden from players.
//! All moments use the same random streams, which reduces the role of chance in their differences.

use serde::{Deserialize, Serialize};

use super::rollouts::{RolloutStart, Rollouts, play_out};
use risk_engine::record::{Playback, Record};
use risk_engine::{MatchFault, Setup, Worker};
use risk_kernel::event::Event;
use risk_kernel::state::GameState;
use risk_kernel::{EventFilter, Moment, NullSink, Sink, StopReason};

/// The maximum number of moments to analyse per game.
pub const MOST_MOMENTS: usize = 40;

/// The maximum number of games to play for one analysis.
pub const MOST_GAMES: u64 = 10_000;

/// The first decision of a round, or of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundStart {
    /// The round, counted from 1, or 0 before the first round.
    pub round: u32,
    /// The player's turn, counted from 1, or 0 before the first turn.
    pub turn: u32,
    /// The number of answers before this moment.
    pub answers: u64,
}

/// A sink that records the beginning of each round.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    found: Vec<RoundStart>,
    answers: u64,
}

impl Moments {
    /// Returns the first decision of the game and of each round. If there are more than
    /// [`MOST_MOMENTS`] decisions, returns an evenly spaced selection.
    #[must_use]
    pub fn chosen(&self) -> Vec<RoundStart> {
        let mut all = vec![RoundStart {
            round: 0,
            turn: 0,
            answers: 0,
        }];
        for &moment in self.found.iter().filter(|it| it.answers < self.answers) {
            // Turns that begin at the same decision count as one moment.
            if all
                .last()
                .is_some_and(|last| last.answers == moment.answers)
            {
                all.pop();
            }
            all.push(moment);
        }
        evenly(&all, MOST_MOMENTS)
    }
}

impl Sink for Moments {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        match *event {
            Event::Answered { number, .. } => self.answers = number,
            Event::TurnBegan { turn, round, .. }
                if self.found.last().is_none_or(|last| round > last.round) =>
            {
                let answers = self.answers;
                self.found.push(RoundStart {
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

/// Returns at most `most` items, evenly spaced, including the first and the last.
pub(super) fn evenly<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    if all.len() <= most || most < 2 {
        return all[..all.len().min(most)].to_vec();
    }
    let last = all.len() - 1;
    let steps = most - 1;
    (0..=steps)
        .map(|step| all[step * last / steps].clone())
        .collect()
}

/// Returns the states of a recorded game after the given numbers of answers, which must be in
/// ascending order. Omits states that the game does not reach.
///
/// # Errors
/// Returns an error if the ruleset fails.
pub fn positions(
    worker: &mut Worker<'_>,
    record: &Record,
    answers: &[u64],
) -> Result<Vec<GameState>, MatchFault> {
    let mut states: Vec<GameState> = Vec::with_capacity(answers.len());
    let mut playback = Playback::new(record, Some(0));
    for &after in answers {
        match play_to(after, worker, record, &mut playback, states.last().cloned())? {
            Some(state) => states.push(state),
            None => break,
        }
    }
    Ok(states)
}

/// Plays a recorded game on until the given number of answers, from an earlier state or from its
/// beginning. Returns `None` if the game ends before.
pub(super) fn play_to(
    after: u64,
    worker: &mut Worker<'_>,
    record: &Record,
    playback: &mut Playback,
    from: Option<GameState>,
) -> Result<Option<GameState>, MatchFault> {
    playback.stop_after(after);
    let number = record.header.game;
    let key = record.header.seed.key(number);
    let seats = &mut playback.seats;
    let finished = match from {
        None => worker.play_with(number, seats, &mut NullSink),
        Some(state) => worker.play_on(state, key, seats, &mut NullSink),
    };
    match finished.outcome {
        Err(StopReason::Halted) => Ok(Some(finished.game)),
        Err(StopReason::Rules(fault)) => Err(MatchFault::Rules(number, fault)),
        Ok(_) => Ok(None),
    }
}

/// The chances of winning from a given moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WinChances {
    /// Each seat's share of the games won. Several winners of a game share its win.
    pub shares: Vec<f64>,
    /// The share of games without a winner.
    pub nobody: f64,
}

/// Returns the chances of winning from each of these states. The results do not depend on the
/// number of threads.
///
/// # Errors
/// Returns an error if the bot can't be loaded, the ruleset fails, or a thread can't be started.
pub fn chances(
    setup: &Setup,
    states: &[GameState],
    rollouts: Rollouts<'_>,
    jobs: usize,
    mut progress: impl FnMut(u64),
) -> Result<Vec<WinChances>, MatchFault> {
    let seats = setup.bots.len();
    let mut wins = vec![vec![0.0; seats + 1]; states.len()];
    let starts = states
        .iter()
        .map(|state| RolloutStart { state, first: None });
    let starts: Vec<RolloutStart<'_>> = starts.collect();
    let mut done = 0;
    play_out(setup, &starts, rollouts, 0, jobs, |start, winners| {
        let row = &mut wins[start];
        if winners.is_empty() {
            row[seats] += 1.0;
        }
        for winner in winners.iter() {
            row[winner.index()] += 1.0 / winners.len() as f64;
        }
        done += 1;
        progress(done);
    })?;
    let share = |count: &f64| count / rollouts.games as f64;
    let chances = wins.iter().map(|row| WinChances {
        shares: row[..seats].iter().map(share).collect(),
        nobody: share(&row[seats]),
    });
    Ok(chances.collect())
}
