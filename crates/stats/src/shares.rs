//! Shares of wins: Wilson's interval with a design effect, and Elo against the table.
//!
//! With G blocks of m games each, n = Gm, p the mean of the block means x_b, and v = var(x)/G the
//! variance of p:
//!
//! - deff = v / (p(1−p)/n), the design effect (Kish 1965); 1 if v = 0 or p is 0 or 1
//! - n_e = n/deff, the effective number of games (Korn & Graubard 1998; Dean & Pagano 2015)
//! - q, the t quantile with G−1 degrees of freedom at 1 − alpha/2
//! - limits: (p + q²/2n_e)/(1 + q²/n_e) ± q/(1 + q²/n_e)·√(p(1−p)/n_e + q²/4n_e²) (Wilson 1927)

use crate::MIN_BLOCKS;
use crate::distributions::t_quantile;
use crate::error::{StatsError, checked_alpha, enough_blocks, same_length, within};
use crate::interval::Interval;
use crate::moments::{Mean, count, mean, mean_with_limits, sum, variance};

/// A share of wins with its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Share {
    /// The number of blocks.
    pub blocks: usize,
    /// The number of games, blocks × games in a block.
    pub games: f64,
    /// The share, from 0 to 1.
    pub share: f64,
    /// The variance of the share divided by its variance for the same number of independent games.
    /// Below 1, the blocks save games.
    pub design_effect: f64,
    /// Wilson's limits with the design effect, or the reason why there are no limits.
    pub interval: Result<Interval, StatsError>,
}

/// Returns one bot's share of wins from its block means.
///
/// `games_per_block` is the number of games in each block.
///
/// # Errors
/// Returns an error if there are no blocks or no games in them, if a mean is not from 0 to 1, or if
/// `alpha` is not from 1e-9 to .5.
pub fn share(blocks: &[f64], games_per_block: usize, alpha: f64) -> Result<Share, StatsError> {
    checked_alpha(alpha)?;
    if games_per_block == 0 {
        return Err(StatsError::NoData);
    }
    for value in blocks {
        within("a share", *value, 0.0, 1.0 + 1e-12)?;
    }
    let p = mean(blocks)?.clamp(0.0, 1.0);
    let number = count(blocks.len());
    let games = number * count(games_per_block);
    let of_mean = if blocks.len() < 2 {
        0.0
    } else {
        variance(blocks)? / number
    };
    Ok(with_limits(p, of_mean, games, blocks.len(), alpha))
}

/// Returns the variance of a share divided by its variance for the same number of independent
/// games; 1 if there is no variance or the share is 0 or 1.
pub(crate) fn design_effect(share: f64, variance_of_share: f64, games: f64) -> f64 {
    let independent = share * (1.0 - share) / games;
    // A share that is 1 except for rounding has no design effect either.
    if variance_of_share <= 0.0 || independent <= 1e-15 / games {
        return 1.0;
    }
    variance_of_share / independent
}

/// Returns Wilson's limits of a share among `effective_games` games, with a t quantile.
///
/// # Errors
/// Returns an error if the share is not from 0 to 1, if there are no games, if the degrees of
/// freedom are below 1, or if `alpha` is not from 1e-9 to .5.
pub fn wilson(
    share: f64,
    effective_games: f64,
    freedom: f64,
    alpha: f64,
) -> Result<Interval, StatsError> {
    checked_alpha(alpha)?;
    let p = within("a share", share, 0.0, 1.0)?;
    let n = within("games", effective_games, 1e-9, f64::MAX)?;
    let q = t_quantile(1.0 - 0.5 * alpha, freedom)?;
    let rest = q * q / n;
    let centre = (p + 0.5 * rest) / (1.0 + rest);
    let under_root = p * (1.0 - p) / n + 0.25 * rest / n;
    let half = q / (1.0 + rest) * libm::sqrt(under_root);
    let mut limits = Interval::around(centre, half).kept_within(0.0, 1.0);
    // The limit is set exactly because rounding would produce 1e-18.
    if p == 0.0 {
        limits.low = 0.0;
    }
    if p == 1.0 {
        limits.high = 1.0;
    }
    Ok(limits)
}

/// Returns a share for blocks with different numbers of games: wins/games, both summed over blocks.
///
/// The variance is that of a ratio, G/(G−1)·Σ(wins_b − p·games_b)²/n² (Cochran 1977, chapter 6).
/// With blocks of equal size, the result is that of [`share()`]. Blocks without games are ignored.
///
/// # Errors
/// Returns an error if there are no games, if a block has more wins than games, if a number is
/// negative or not finite, if the lists differ in length, or if `alpha` is not from 1e-9 to .5.
pub fn share_of_counts(wins: &[f64], games: &[f64], alpha: f64) -> Result<Share, StatsError> {
    checked_alpha(alpha)?;
    same_length("counts of wins and games", wins.len(), games.len())?;
    let mut won = 0.0;
    let mut played = 0.0;
    let mut blocks = 0;
    for (w, g) in wins.iter().zip(games) {
        within("games in a block", *g, 0.0, 1e12)?;
        within("wins in a block", *w, 0.0, *g + 1e-9)?;
        won += w;
        played += g;
        blocks += usize::from(*g > 0.0);
    }
    if blocks == 0 {
        return Err(StatsError::NoData);
    }
    let p = (won / played).clamp(0.0, 1.0);
    let rests = wins.iter().zip(games).map(|(w, g)| w - p * g);
    let squares = sum(rests.map(|rest| rest * rest));
    let number = count(blocks);
    let of_share = if blocks < 2 || squares < 1e-18 * number {
        0.0
    } else {
        number / (number - 1.0) * squares / (played * played)
    };
    Ok(with_limits(p, of_share, played, blocks, alpha))
}

/// Returns a share, with Wilson's limits if there are at least [`MIN_BLOCKS`] blocks.
fn with_limits(share: f64, variance: f64, games: f64, blocks: usize, alpha: f64) -> Share {
    let design_effect = design_effect(share, variance, games);
    let enough = enough_blocks(blocks, MIN_BLOCKS);
    let limits = |()| wilson(share, games / design_effect, count(blocks) - 1.0, alpha);
    Share {
        blocks,
        games,
        share,
        design_effect,
        interval: enough.and_then(limits),
    }
}

/// Returns the difference between two bots' shares, computed from the means of the blocks in which
/// both played. The t limits are clamped to −1 to 1.
///
/// Use this function to decide whether two bots differ. Overlapping intervals of their shares do
/// not show that they are equal.
///
/// # Errors
/// Returns an error if the lists differ in length or are empty, if a value is not finite, or if
/// `alpha` is not from 1e-9 to .5.
pub fn difference(left: &[f64], right: &[f64], alpha: f64) -> Result<Mean, StatsError> {
    same_length("blocks of two bots", left.len(), right.len())?;
    let apart: Vec<f64> = left.iter().zip(right).map(|(a, b)| a - b).collect();
    let mut found = mean_with_limits(&apart, alpha)?;
    found.interval = found.interval.map(|limits| limits.kept_within(-1.0, 1.0));
    Ok(found)
}

/// The number of Elo points in one nat, 400/ln 10.
pub const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// Returns the Elo against the table, 400·log10(s/(1−s)·(N−1)). The result is 0 for the share 1/N,
/// and `None` for the shares 0 and 1 because their Elo is infinite.
///
/// # Errors
/// Returns an error if the share is not from 0 to 1, or if there are fewer than 2 seats.
pub fn elo(share: f64, seats: usize) -> Result<Option<f64>, StatsError> {
    within("a share", share, 0.0, 1.0)?;
    let others = within("seats", count(seats), 2.0, f64::MAX)? - 1.0;
    if share == 0.0 || share == 1.0 {
        return Ok(None);
    }
    Ok(Some(
        ELO_PER_NAT * libm::log(share / (1.0 - share) * others),
    ))
}

/// The limits of an Elo; `None` for a limit that is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloLimits {
    /// The lower limit.
    pub low: Option<f64>,
    /// The upper limit.
    pub high: Option<f64>,
}

/// Converts the limits of a share to limits of Elo against the table.
///
/// # Errors
/// Returns the same errors as [`elo`].
pub fn elo_limits(limits: Interval, seats: usize) -> Result<EloLimits, StatsError> {
    Ok(EloLimits {
        low: elo(limits.low, seats)?,
        high: elo(limits.high, seats)?,
    })
}
