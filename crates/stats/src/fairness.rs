//! Checks whether all seats win equally often: seats' shares with simultaneous limits, and omnibus
//! tests.
//!
//! Each of N seats has Wilson limits at the level 1 − alpha/N (Bonferroni). All limits therefore
//! cover the true shares simultaneously with a probability of at least 1 − alpha. For independent
//! games, the omnibus p-value comes from a chi-square test on counts (Pearson 1900). For games in
//! blocks, it comes from Hotelling's T² on block means (Hotelling 1931). Games without a winner are
//! ignored.

use std::cmp::Ordering;

use crate::MIN_BLOCKS;
use crate::distributions::{MAX_TRIES, binomial_sf, chi_square_sf, f_sf};
use crate::error::{StatsError, enough_blocks, enough_wins, same_length, within};
use crate::interval::Interval;
use crate::matrix::{SquareMatrix, dot};
use crate::moments::{count, sum};
use crate::multiple::bonferroni;
use crate::shares::{share_of_counts, wilson};

/// The verdict based on the limits of all seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// All limits are within 1/N ± tolerance.
    Fair,
    /// The limits of at least one seat exclude 1/N, and not all limits are within the tolerance.
    Unfair,
    /// Neither of the above. More games are needed.
    CannotTell,
}

/// A seat's share of wins.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SeatShare {
    /// The seat's share of the games with a winner.
    pub share: f64,
    /// The seat's limits, which are valid for all seats simultaneously.
    pub interval: Interval,
    /// Whether the limits exclude 1/N.
    pub uneven: bool,
}

/// Each seat's share of wins, and whether the shares are fair.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SeatFairness {
    /// The seats in order, starting with the first mover.
    pub seats: Vec<SeatShare>,
    /// The p-value of "all seats win equally often", or the reason why there is no p-value.
    pub omnibus: Result<f64, StatsError>,
    /// The verdict based on the limits of all seats.
    pub fairness: Fairness,
}

/// Returns the fairness of seats from independent games. `wins[s]` is the number of games that seat
/// s won. A win shared by k seats counts as 1/k.
///
/// `tolerance` is the maximum distance of a share from 1/N in a fair game, such as .03.
///
/// # Errors
/// Returns an error if there are fewer than 2 seats or 10 wins, if a number is negative, if `alpha`
/// is not from 1e-9 to .5, or if the tolerance is not from 0 to 1.
pub fn fairness_of_counts(
    wins: &[f64],
    alpha: f64,
    tolerance: f64,
) -> Result<SeatFairness, StatsError> {
    let each = checked_level(wins.len(), alpha, tolerance)?;
    for number in wins {
        within("wins of a seat", *number, 0.0, 1e12)?;
    }
    let games = sum(wins.iter().copied());
    enough_wins(games)?;
    let mut seats = Vec::with_capacity(wins.len());
    for number in wins {
        let share = number / games;
        let limits = wilson(share, games, games - 1.0, each)?;
        seats.push(seat(share, limits, wins.len()));
    }
    let even = games / count(wins.len());
    let squares = wins.iter().map(|number| (number - even) * (number - even));
    let omnibus = chi_square_sf(sum(squares) / even, count(wins.len()) - 1.0);
    Ok(SeatFairness {
        fairness: judge(&seats, tolerance),
        seats,
        omnibus,
    })
}

/// Compares each seat's wins with an equal share, by exact binomial tests of independent games. If
/// all seats win equally often, the probability that any seat is not [`Ordering::Equal`] is at most
/// `alpha`, for every number of games. Tests of N seats are at the level alpha/N (Bonferroni); with
/// two seats, one test is enough.
///
/// # Errors
/// Returns an error if there are fewer than 2 seats, no wins or more than [`MAX_TRIES`], if a
/// number is negative, or if `alpha` is not from 1e-9 to .5.
pub fn uneven_seats(wins: &[f64], alpha: f64) -> Result<Vec<Ordering>, StatsError> {
    let seats = within("seats", count(wins.len()), 2.0, 1000.0)?;
    for number in wins {
        within("wins of a seat", *number, 0.0, MAX_TRIES)?;
    }
    let games = sum(wins.iter().copied());
    let tests = if wins.len() == 2 { 1 } else { wins.len() };
    let tail = bonferroni(alpha, tests)? / 2.0;
    let even = 1.0 / seats;
    let compare = |&number: &f64| -> Result<Ordering, StatsError> {
        if binomial_sf(number, games, even)? <= tail {
            return Ok(Ordering::Greater);
        }
        if binomial_sf(games - number, games, 1.0 - even)? <= tail {
            return Ok(Ordering::Less);
        }
        Ok(Ordering::Equal)
    };
    wins.iter().map(compare).collect()
}

/// Returns the fairness of seats from blocks. `blocks[b][s]` is the number of wins of seat s in
/// block b.
///
/// # Errors
/// Returns the same errors as [`fairness_of_counts`], or an error if fewer than [`MIN_BLOCKS`]
/// blocks have a winner.
pub fn fairness_of_blocks(
    blocks: &[Vec<f64>],
    alpha: f64,
    tolerance: f64,
) -> Result<SeatFairness, StatsError> {
    let number = blocks.first().map_or(0, Vec::len);
    let each = checked_level(number, alpha, tolerance)?;
    let mut games = Vec::with_capacity(blocks.len());
    for block in blocks {
        same_length("seats of two blocks", number, block.len())?;
        games.push(sum(block.iter().copied()));
    }
    enough_wins(sum(games.iter().copied()))?;
    let mut seats = Vec::with_capacity(number);
    for index in 0..number {
        let wins: Vec<f64> = blocks.iter().map(|block| block[index]).collect();
        let found = share_of_counts(&wins, &games, each)?;
        seats.push(seat(found.share, found.interval?, number));
    }
    let rests: Vec<Vec<f64>> = blocks
        .iter()
        .zip(&games)
        .filter(|(_, games)| **games > 0.0)
        .map(|(block, games)| {
            let even = games / count(number);
            block[1..].iter().map(|wins| wins - even).collect()
        })
        .collect();
    Ok(SeatFairness {
        fairness: judge(&seats, tolerance),
        seats,
        omnibus: hotelling(&rests),
    })
}

/// Returns the p-value of "all means are 0" (Hotelling 1931). With T² = G·m'S⁻¹m for d means,
/// T²·(G−d)/(d(G−1)) has an F distribution with d and G−d degrees of freedom.
///
/// # Errors
/// Returns an error if there are fewer than [`MIN_BLOCKS`] rows, if the number of rows is less than
/// the number of columns plus 3, if rows have different lengths, or if a column is constant or a
/// linear combination of the others.
pub fn hotelling(rows: &[Vec<f64>]) -> Result<f64, StatsError> {
    let width = rows.first().map_or(0, Vec::len);
    let number = count(rows.len());
    within("means to test", count(width), 1.0, 100.0)?;
    let needed = MIN_BLOCKS.max(width + 3);
    enough_blocks(rows.len(), needed)?;
    let mut middles = vec![0.0; width];
    for row in rows {
        same_length("values of two rows", width, row.len())?;
        for (sum, value) in middles.iter_mut().zip(row) {
            *sum += within("a value", *value, -1e12, 1e12)? / number;
        }
    }
    let mut covariance = SquareMatrix::zero(width);
    for row in rows {
        let apart: Vec<f64> = row.iter().zip(&middles).map(|(x, m)| x - m).collect();
        covariance.add_outer(&apart);
    }
    // The covariance S is this matrix divided by G−1.
    let solved = covariance.cholesky()?.solve(&middles);
    let t_squared = number * (number - 1.0) * dot(&middles, &solved);
    let free = number - count(width);
    f_sf(
        t_squared * free / (count(width) * (number - 1.0)),
        count(width),
        free,
    )
}

fn checked_level(seats: usize, alpha: f64, tolerance: f64) -> Result<f64, StatsError> {
    within("seats", count(seats), 2.0, 100.0)?;
    within("the tolerance", tolerance, 0.0, 1.0)?;
    bonferroni(alpha, seats)
}

fn seat(share: f64, interval: Interval, seats: usize) -> SeatShare {
    SeatShare {
        share,
        interval,
        uneven: !interval.contains(1.0 / count(seats)),
    }
}

fn judge(seats: &[SeatShare], tolerance: f64) -> Fairness {
    let even = 1.0 / count(seats.len());
    let band = Interval::around(even, tolerance);
    if seats
        .iter()
        .all(|seat| band.contains(seat.interval.low) && band.contains(seat.interval.high))
    {
        Fairness::Fair
    } else if seats.iter().any(|seat| seat.uneven) {
        Fairness::Unfair
    } else {
        Fairness::CannotTell
    }
}
