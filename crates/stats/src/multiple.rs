//! Many statements at once: Holm's and Bonferroni's corrections, and ranks as ranges.

use std::collections::BTreeSet;

use crate::error::{StatsError, checked_alpha, within};
use crate::moments::count;

/// Returns the p-values adjusted by Holm (1979), in their original order.
///
/// Of n p-values in rising order the i-th is multiplied by n−i+1, and is at least the one before
/// it. "Adjusted p ≤ alpha" is wrong about any true hypothesis with a chance of at most alpha,
/// under any dependence.
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

/// Returns the alpha of each of `statements` intervals that are to be right all at once
/// (Bonferroni).
///
/// # Errors
/// Returns an error if `alpha` is not from 1e-9 to .5, or there are no statements.
pub fn bonferroni(alpha: f64, statements: usize) -> Result<f64, StatsError> {
    if statements == 0 {
        return Err(StatsError::NoData);
    }
    Ok(checked_alpha(alpha)? / count(statements))
}

/// A comparison of two bots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The one bot, from 0.
    pub left: usize,
    /// The other bot, from 0.
    pub right: usize,
    /// Left minus right, in any unit: only its sign counts here.
    pub difference: f64,
    /// The two-sided p-value of "no difference".
    pub p_value: f64,
}

/// The ranks that a bot may have, 1 being the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankRange {
    /// 1 + the number of bots that are surely better.
    pub best: usize,
    /// The number of bots less the number that are surely worse.
    pub worst: usize,
}

/// Returns the range of ranks of each bot, where Holm over all pairs decides who is surely better.
///
/// A missing pair (two bots that never met) is not sure. As p-values are two-sided, a bot can also
/// be called better though it is worse, with a chance of at most `alpha`/2 for one pair.
///
/// # Errors
/// Returns an error if `alpha` is not from 1e-9 to .5, a p-value is not from 0 to 1, or a pair has
/// the same bot twice, comes twice or names a bot that is not below `bots`.
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
        within("a bot of a pair", count(pair.left), 0.0, highest)?;
        within("a bot of a pair", count(pair.right), 0.0, highest)?;
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

/// Reports which pairs surely differ, by Holm over all of them.
///
/// # Errors
/// Returns an error if a p-value is not from 0 to 1.
pub fn sure_pairs(pairs: &[Pair], alpha: f64) -> Result<Vec<bool>, StatsError> {
    let raw: Vec<f64> = pairs.iter().map(|pair| pair.p_value).collect();
    Ok(holm(&raw)?.into_iter().map(|p| p <= alpha).collect())
}
