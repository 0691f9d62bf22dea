//! Fairness of a game, measured by each seat's share of wins when the same bots play in all seats.

use std::ops::ControlFlow;

use super::plan::TournamentPlan;
use super::run::{BlockNumbers, play};
use risk_engine::MatchFault;
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

/// Plays the blocks of a plan. The design is [`Design::single`] for one bot in all seats, or one in
/// which each bot plays in every seat.
///
/// # Errors
/// Returns an error if the ruleset fails.
///
/// [`Design::single`]: super::Design::single
pub fn measure(
    plan: &TournamentPlan,
    jobs: usize,
    question: BalanceQuestion,
) -> Result<BalanceCell, MatchFault> {
    // Blocks of one game are independent games, of which only the sum is needed.
    let is_single = plan.design.games_per_block() == 1;
    let mut blocks: Vec<Vec<f64>> = Vec::new();
    let mut undecided = 0;
    let all = BlockNumbers::From(0, plan.blocks);
    play(plan, all, jobs, |block, _| {
        if !is_single || blocks.is_empty() {
            blocks.push(vec![0.0; plan.seats]);
        }
        let wins = blocks.last_mut().expect("just pushed");
        for game in &block.games {
            undecided += u64::from(game.winners.is_empty());
            for (seat, wins) in wins.iter_mut().enumerate() {
                *wins += game.share(seat);
            }
        }
        ControlFlow::Continue(())
    })?;
    let BalanceQuestion { alpha, tolerance } = question;
    let seats = match blocks.as_slice() {
        [wins] if is_single => fairness_of_counts(wins, alpha, tolerance),
        _ => fairness_of_blocks(&blocks, alpha, tolerance),
    };
    let fairness = seats.as_ref().map(|seats| seats.fairness);
    Ok(BalanceCell {
        label: Vec::new(),
        games: plan.games(),
        undecided,
        verdict: fairness.unwrap_or(Fairness::CannotTell),
        seats,
    })
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

impl BalanceCell {
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
