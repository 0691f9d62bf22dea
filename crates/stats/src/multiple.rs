//! Multiple simultaneous statements: Holm's and Bonferroni's corrections, and ranges of ranks.

use std::collections::BTreeSet;

use crate::error::{StatsError, checked_alpha, within};
use crate::moments::count;

/// Returns the p-values adjusted with Holm's method (1979), in their original order.
///
/// The i-th of n p-values in ascending order is multiplied by n−i+1. Each adjusted p-value is at
/// least the previous one. If hypotheses with adjusted p ≤ alpha are rejected, the probability that
/// any true hypothesis is rejected is at most alpha, under any dependence.
///
/// # Errors
/// Returns an error if a p-value is not from 0 to 1.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    for p in p_values {
        within("a p-value", *p, 0.0, 1.0)?;
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]).then(a.cmp(b)));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least = 0.0;
    for (done, index) in order.into_iter().enumerate() {
        let mut p = p_values[index] * count(p_values.len() - done);
        if p > 1.0 {
            p = 1.0;
        }
        if p > least {
            least = p;
        }
        adjusted[index] = least;
    }
    Ok(adjusted)
}

/// Returns the alpha for each of `statements` intervals that must be valid simultaneously
/// (Bonferroni).
///
/// # Errors
/// Returns an error if `alpha` is not from 1e-9 to .5, or if there are no statements.
pub fn bonferroni(alpha: f64, statements: usize) -> Result<f64, StatsError> {
    if statements == 0 {
        return Err(StatsError::NoData);
    }
    Ok(checked_alpha(alpha)? / count(statements))
}

/// A comparison of two bots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The first bot, from 0.
    pub left: usize,
    /// The second bot, from 0.
    pub right: usize,
    /// The result of `left` minus that of `right`, in any unit. Only the sign is used.
    pub difference: f64,
    /// The two-sided p-value of "no difference".
    pub p_value: f64,
}

/// The range of ranks that a bot may have. Rank 1 is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankRange {
    /// The best possible rank: 1 plus the number of bots that are significantly better.
    pub best: usize,
    /// The worst possible rank: the number of bots minus the number of bots that are significantly
    /// worse.
    pub worst: usize,
}

/// Returns the range of ranks of each bot. A bot is better than another if the difference is
/// significant with Holm's correction over all pairs.
///
/// The difference of a missing pair (two bots that never met) is not significant. Because p-values
/// are two-sided, a worse bot can also be called better, with a probability of at most `alpha`/2
/// for one pair.
///
/// # Errors
/// Returns an error if `alpha` is not from 1e-9 to .5, if a p-value is not from 0 to 1, or if a
/// pair consists of the same bot twice, is a duplicate, or contains a bot that is not below `bots`.
pub fn rank_ranges(bots: usize, pairs: &[Pair], alpha: f64) -> Result<Vec<RankRange>, StatsError> {
    checked_alpha(alpha)?;
    check_pairs(bots, pairs)?;
    let sure = sure_pairs(pairs, alpha)?;
    let mut ranges = vec![
        RankRange {
            best: 1,
            worst: bots
        };
        bots
    ];
    for (pair, sure) in pairs.iter().zip(sure) {
        if !sure || pair.difference == 0.0 {
            continue;
        }
        let ahead = pair.difference > 0.0;
        let better = if ahead { pair.left } else { pair.right };
        let worse = if ahead { pair.right } else { pair.left };
        ranges[better].worst -= 1;
        ranges[worse].best += 1;
    }
    Ok(ranges)
}

fn check_pairs(bots: usize, pairs: &[Pair]) -> Result<(), StatsError> {
    let highest = count(bots) - 1.0;
    let mut seen = BTreeSet::new();
    for pair in pairs {
        within("a bot in a pair", count(pair.left), 0.0, highest)?;
        within("a bot in a pair", count(pair.right), 0.0, highest)?;
        let low = pair.left.min(pair.right);
        let high = pair.left.max(pair.right);
        if low == high || !seen.insert((low, high)) {
            return Err(StatsError::BadPair {
                left: pair.left,
                right: pair.right,
            });
        }
    }
    Ok(())
}

/// Returns, for each pair, whether the two bots differ significantly with Holm's correction over
/// all pairs.
///
/// # Errors
/// Returns an error if a p-value is not from 0 to 1.
pub fn sure_pairs(pairs: &[Pair], alpha: f64) -> Result<Vec<bool>, StatsError> {
    let raw: Vec<f64> = pairs.iter().map(|pair| pair.p_value).collect();
    Ok(holm(&raw)?.into_iter().map(|p| p <= alpha).collect())
}
