//! Limits of a mean that are valid at all times: a confidence sequence by betting.
//!
//! After a sequential test, a t interval is wrong because the test stopped when the mean looked
//! extreme. These limits cover the true mean at all times simultaneously with a probability of at
//! least 1 − alpha, and therefore also at any stopping time (Waudby-Smith & Ramdas 2024,
//! *Estimating means of bounded random variables by betting*, JRSS B 86, 1). For every m, one
//! bettor claims that the mean is above m, and another claims that it is below m. With blocks
//! scaled to 0..1, the capital of the first bettor is
//!
//! - up(m) = 1/8·Σ_h Π_t (1 + min(stake_h,t, .9/m)·(x_t − m)), h = 10, 50, 250, …, 781,250
//! - stake_h,t = √(2 ln(2/alpha)/(variance_t·h)), where variance_t is the variance of the blocks
//!   before block t and one block of a prior
//!
//! If the mean is at most m, the capital is a non-negative supermartingale that starts at 1, so the
//! probability that it ever reaches 2/alpha is at most alpha/2 (Ville 1939). The lower limit is the
//! m for which up(m) reaches 2/alpha. Bisection finds this m because up(m) decreases as m
//! increases. The upper limit is computed from the lower limit of the mean of 1 − x.
//!
//! Each h is a bettor whose stake is optimal after h blocks. The mean of their capitals (the
//! mixture of Robbins 1970, *Annals of Mathematical Statistics* 41, 1397) is nearly as good as the
//! best of them. From 25 to many thousands of blocks, the limits are 1.6 to 1.75 times as wide as
//! limits for the same number of blocks fixed in advance. Two alternatives were considered and
//! rejected. With the single stake √(2 ln(2/alpha)/(variance·t·ln(t+1))) of the same paper's hedged
//! capital, this factor grows from 1.4 to 2.7 at 4,000 blocks. The paper's empirical Bernstein
//! sequence is a closed formula, but it is wider than the hedged capital.

use crate::error::{StatsError, checked_alpha, within};
use crate::interval::Interval;
use crate::moments::{count, sum};

/// The maximum part of the capital that can be lost in one block.
const LARGEST_LOSS: f64 = 0.9;
/// The numbers of blocks after which each bettor's stake is optimal.
const HORIZONS: [f64; 8] = [
    10.0, 50.0, 250.0, 1250.0, 6250.0, 31_250.0, 156_250.0, 781_250.0,
];
/// The number of factors that are multiplied before a logarithm is taken. Each factor is from .1 to
/// 1e9, so the product is finite.
const TOGETHER: usize = 25;
/// The number of bisection steps. The limits are exact to 1e-9 of the range, and errors make the
/// interval wider.
const HALVINGS: u32 = 30;

/// Returns limits of the mean after all of `blocks`. The limits are valid at all times
/// simultaneously.
///
/// All blocks are within `range`, which must be known in advance: 0 to 1 for shares, −1 to 1 for
/// differences. Without blocks, the limits are the whole range.
///
/// # Errors
/// Returns an error if `alpha` is not from 1e-9 to .5, if the range is empty, or if a block is
/// outside the range.
pub fn limits(blocks: &[f64], range: Interval, alpha: f64) -> Result<Interval, StatsError> {
    let bets = Bets::new(blocks, range, alpha)?;
    Ok(bets.limits(blocks.len()))
}

/// Returns the limits after each of the given numbers of blocks, for a plot of the sequence.
///
/// # Errors
/// Returns the same errors as [`limits`], or an error if a number is larger than the number of
/// blocks.
pub fn sequence(
    blocks: &[f64],
    range: Interval,
    alpha: f64,
    after: &[usize],
) -> Result<Vec<Interval>, StatsError> {
    let bets = Bets::new(blocks, range, alpha)?;
    let mut found = Vec::with_capacity(after.len());
    for number in after {
        within(
            "a number of blocks",
            count(*number),
            0.0,
            count(blocks.len()),
        )?;
        found.push(bets.limits(*number));
    }
    Ok(found)
}

/// Returns about `points` evenly spaced numbers of blocks from 1 to `blocks`. The last number is
/// `blocks`.
#[must_use]
pub fn points(blocks: usize, points: usize) -> Vec<usize> {
    let mut found: Vec<usize> = (1..=points)
        .map(|point| blocks.saturating_mul(point) / points)
        .filter(|number| *number > 0)
        .collect();
    found.dedup();
    found
}

/// Blocks scaled to 0..1, and the scales of the stakes.
struct Bets {
    values: Vec<f64>,
    /// The value of 1/√variance before each block.
    scales: Vec<f64>,
    range: Interval,
    /// The logarithm of the bound on the capital, 2/alpha.
    bound: f64,
}

impl Bets {
    fn new(blocks: &[f64], range: Interval, alpha: f64) -> Result<Self, StatsError> {
        checked_alpha(alpha)?;
        within("a range's end", range.low, -1e9, 1e9)?;
        within("a range's end", range.high, range.low + 1e-9, 1e9)?;
        let width = range.high - range.low;
        let mut values = Vec::with_capacity(blocks.len());
        for block in blocks {
            // Rounding may push means of games slightly outside the range.
            let slack = 1e-12 * width;
            within("a block", *block, range.low - slack, range.high + slack)?;
            values.push(((block - range.low) / width).clamp(0.0, 1.0));
        }
        Ok(Self {
            scales: scales(&values),
            values,
            range,
            bound: libm::log(2.0 / alpha),
        })
    }

    /// Returns the limits after the first `number` blocks, in the original unit.
    fn limits(&self, number: usize) -> Interval {
        let values = &self.values[..number];
        let mirrored: Vec<f64> = values.iter().map(|x| 1.0 - x).collect();
        let low = self.lower_limit(values);
        let high = 1.0 - self.lower_limit(&mirrored);
        let width = self.range.high - self.range.low;
        Interval {
            low: self.range.low + width * low,
            high: self.range.low + width * high,
        }
    }

    /// Returns the largest m for which the capital reaches the bound, to the precision of the
    /// bisection; 0 if there is no such m.
    fn lower_limit(&self, values: &[f64]) -> f64 {
        let mut low = 0.0;
        let mut high = 1.0;
        for _ in 0..HALVINGS {
            let m = 0.5 * (low + high);
            if self.ln_capital(values, m) >= self.bound {
                low = m;
            } else {
                high = m;
            }
        }
        low
    }

    /// Returns the logarithm of the capital that bets on a mean above m.
    fn ln_capital(&self, values: &[f64], m: f64) -> f64 {
        let most = LARGEST_LOSS / m;
        let best = HORIZONS.map(|horizon| libm::sqrt(2.0 * self.bound / horizon));
        let mut ln = [0.0; HORIZONS.len()];
        // One logarithm for several factors is faster than one for each factor.
        for (xs, scales) in values.chunks(TOGETHER).zip(self.scales.chunks(TOGETHER)) {
            let mut products = [1.0; HORIZONS.len()];
            for (x, scale) in xs.iter().zip(scales) {
                for (product, best) in products.iter_mut().zip(&best) {
                    let wanted = best * scale;
                    let stake = if wanted < most { wanted } else { most };
                    *product *= 1.0 + stake * (x - m);
                }
            }
            for (ln, product) in ln.iter_mut().zip(&products) {
                *ln += libm::log(*product);
            }
        }
        let largest = ln.iter().fold(
            f64::NEG_INFINITY,
            |most, ln| if *ln > most { *ln } else { most },
        );
        let together = sum(ln.iter().map(|ln| libm::exp(ln - largest)));
        largest + libm::log(together / count(HORIZONS.len()))
    }
}

/// Returns 1/√variance of the values before each value. The variance includes one value of a prior
/// with mean 1/2 and variance 1/4.
///
/// The variance is the same for 1 − x, except in the last bits.
fn scales(values: &[f64]) -> Vec<f64> {
    let mut sum = 0.5;
    let mut squares = 0.25;
    let mut scales = Vec::with_capacity(values.len());
    for (before, value) in values.iter().enumerate() {
        let seen = count(before + 1);
        scales.push(1.0 / libm::sqrt(squares / seen));
        sum += value;
        let apart = value - sum / (seen + 1.0);
        squares += apart * apart;
    }
    scales
}
