//! Fairness of a game, measured by each seat's share of wins when the same bots play in all seats.

use std::ops::ControlFlow;

use super::plan::TournamentPlan;
use super::run::{KeptFiles, play as play_blocks};
use risk_engine::matches::{GameResult, MatchFault, Setup, play_each};
use risk_stats::StatsError;
use risk_stats::distributions::normal_quantile;
use risk_stats::fairness::{Fairness, SeatFairness, fairness_of_blocks, fairness_of_counts};
use risk_stats::multiple::holm;
use risk_stats::slope::{Measurement, Slope, slope};

/// The error level and tolerance of a fairness test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalanceQuestion {
    /// The probability of wrongly calling a fair game unfair, over all cells together.
    pub alpha: f64,
    /// The maximum difference between a seat's share and an equal share in a fair game.
    pub tolerance: f64,
}

/// The results of the games with one combination of option values.
#[derive(Clone, Debug)]
pub struct BalanceCell {
    /// The swept options with their values in this cell. Empty if no option is swept.
    pub label: Vec<(String, String)>,
    /// The number of games.
    pub games: u64,
    /// The number of games without a winner, which contain no information about seats.
    pub undecided: u64,
    /// The fairness of the seats, or the reason that it is unknown.
    pub seats: Result<SeatFairness, StatsError>,
    /// The verdict, which takes all cells into account.
    pub verdict: Fairness,
}

/// Plays `games` games with one bot in all seats. Each game has its own seed, because rotating the
/// seats would only repeat the same game.
///
/// # Errors
/// Returns an error if the ruleset fails.
pub fn alike(
    setup: &Setup,
    games: u64,
    jobs: usize,
    question: BalanceQuestion,
) -> Result<BalanceCell, MatchFault> {
    tallied(setup, games, question, |tally| {
        play_each(setup, 0..games, jobs, |result| {
            tally(&result);
            ControlFlow::Continue(())
        })
    })
}

/// Returns the cell of all games that `play` passes on.
fn tallied(
    setup: &Setup,
    games: u64,
    question: BalanceQuestion,
    play: impl FnOnce(&mut dyn FnMut(&GameResult)) -> Result<(), MatchFault>,
) -> Result<BalanceCell, MatchFault> {
    let mut wins = vec![0.0; setup.bots.len()];
    let mut undecided = 0;
    play(&mut |result| {
        undecided += u64::from(result.winners.is_empty());
        for player in result.winners.iter() {
            wins[player.index()] += 1.0 / result.winners.len() as f64;
        }
    })?;
    let seats = fairness_of_counts(&wins, question.alpha, question.tolerance);
    Ok(BalanceCell::new(games, undecided, seats))
}

/// Returns the change in the first player's advantage per unit of a swept option, over all cells.
/// Returns `None` if the option's values are not numbers.
///
/// # Errors
/// Returns an error if fewer than two of the option's values have a share.
pub fn advantage(
    cells: &[BalanceCell],
    option: &str,
    alpha: f64,
) -> Option<Result<Slope, StatsError>> {
    let mut points = Vec::new();
    for cell in cells {
        let (_, value) = cell.label.iter().find(|(name, _)| name == option)?;
        let x: f64 = value.parse().ok()?;
        let Some((seats, first)) = cell
            .seats
            .as_ref()
            .ok()
            .and_then(|seats| Some((seats.seats.len() as f64, seats.seats.first()?)))
        else {
            continue;
        };
        // The limits hold simultaneously for all seats.
        let quantile = normal_quantile(1.0 - 0.5 * alpha / seats).ok()?;
        points.push(Measurement {
            x,
            y: first.share - 1.0 / seats,
            standard_error: first.interval.half_width() / quantile,
        });
    }
    Some(slope(&points, alpha))
}

/// Plays the blocks of a plan with different bots, each of which plays in every seat.
///
/// # Errors
/// Returns an error if the ruleset fails.
pub fn mixed(
    plan: &TournamentPlan,
    jobs: usize,
    question: BalanceQuestion,
) -> Result<BalanceCell, MatchFault> {
    let numbers: Vec<u64> = (0..plan.blocks).collect();
    let mut blocks = Vec::with_capacity(numbers.len());
    let mut undecided = 0;
    play_blocks(plan, &numbers, KeptFiles::default(), jobs, |played| {
        let Ok(block) = played.block else {
            return ControlFlow::Break(());
        };
        let mut wins = vec![0.0; plan.seats];
        for game in &block.games {
            undecided += u64::from(game.winners.is_empty());
            for (seat, wins) in wins.iter_mut().enumerate() {
                *wins += game.share(seat);
            }
        }
        blocks.push(wins);
        ControlFlow::Continue(())
    })?;
    Ok(BalanceCell::new(
        plan.games(),
        undecided,
        fairness_of_blocks(&blocks, question.alpha, question.tolerance),
    ))
}

impl BalanceCell {
    fn new(games: u64, undecided: u64, seats: Result<SeatFairness, StatsError>) -> Self {
        let verdict = seats
            .as_ref()
            .map_or(Fairness::CannotTell, |seats| seats.fairness);
        Self {
            label: Vec::new(),
            games,
            undecided,
            seats,
            verdict,
        }
    }

    /// Returns the p-value of the hypothesis that all seats win equally often.
    #[must_use]
    pub fn omnibus(&self) -> Option<f64> {
        self.seats.as_ref().ok()?.omnibus.ok()
    }
}

/// Judges all cells together, because one of many cells may seem unfair by chance. A cell is unfair
/// if its test is significant after Holm's correction.
///
/// # Errors
/// Returns an error if a test's p-value is invalid.
pub fn judge(cells: &mut [BalanceCell], question: BalanceQuestion) -> Result<(), StatsError> {
    if cells.len() < 2 {
        return Ok(());
    }
    let tests: Vec<f64> = cells.iter().filter_map(BalanceCell::omnibus).collect();
    let adjusted = holm(&tests)?;
    let tested = cells.iter_mut().filter(|cell| cell.omnibus().is_some());
    for (cell, p) in tested.zip(adjusted) {
        if p <= question.alpha {
            cell.verdict = Fairness::Unfair;
        } else if cell.verdict == Fairness::Unfair {
            cell.verdict = Fairness::CannotTell;
        }
    }
    Ok(())
}
