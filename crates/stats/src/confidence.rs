//! Limits of a mean that hold at every time: a confidence sequence by betting.
//!
//! After a sequential test a t interval is wrong, because the test stopped where the mean looked
//! extreme. These limits cover the true mean at all times at once with a chance of at least
//! 1 − alpha, so at any stopping time too (Waudby-Smith & Ramdas 2024, *Estimating means of bounded
//! random variables by betting*, JRSS B 86, 1). For every m one bettor claims that the mean is
//! above m and another that it is below. With blocks scaled to 0..1, the first one's capital is
//!
//! - up(m) = 1/8·Σ_h Π_t (1 + min(stake_h,t, .9/m)·(x_t − m)), h = 10, 50, 250, …, 781,250
//! - stake_h,t = √(2 ln(2/alpha)/(variance_t·h)), where the variance is that of the blocks before
//!   the t-th and one of a prior
//!
//! If the mean is m or less, this is a non-negative supermartingale that begins with 1, so the
//! chance that it ever reaches 2/alpha is at most alpha/2 (Ville 1939). The lower limit is the m at
//! which it does; as up(m) falls with m, bisection finds it. The upper limit is the lower one of
//! 1 − x.
//!
//! Each h is a bettor with the stake that is best after h blocks; the mean of their capitals (the
//! mixture of Robbins 1970, *Annals of Mathematical Statistics* 41, 1397) is nearly as good as the
//! best of them. So the limits stay 1.6 to 1.75 times as wide as those of as many blocks fixed
//! beforehand, from 25 to many thousands of blocks. Two alternatives were considered and rejected:
//! the single stake √(2 ln(2/alpha)/(variance·t·ln(t+1))) of the same paper's hedged capital grows
//! from 1.4 to 2.7 times as wide at 4,000 blocks; its empirical Bernstein sequence is a closed
//! formula, but wider than the hedged capital.

use crate::error::{StatsError, checked_alpha, within};
use crate::moments::{Interval, count, sum};

/// The largest part of the capital that one block may cost.
const LARGEST_LOSS: f64 = 0.9;
/// Numbers of blocks after which each bettor's stake is the best.
const HORIZONS: [f64; 8] = [
    10.0, 50.0, 250.0, 1250.0, 6250.0, 31_250.0, 156_250.0, 781_250.0,
];
/// Factors multiplied before a logarithm is taken: each is from .1 to 1e9, so the product is
/// finite.
const TOGETHER: usize = 25;
/// Bisection steps: the limits are exact to 1e-9 of the range, on the safe side.
const HALVINGS: u32 = 30;

/// Returns limits of the mean that hold at all times at once, after all of `blocks`.
///
/// The blocks lie within `range`, which is known beforehand: 0 to 1 for shares, −1 to 1 for
/// differences. Without blocks the limits are the whole range.
///
/// # Errors
/// Returns an error if `alpha` is not from 1e-9 to .5, the range is empty, or a block is outside
/// it.
pub fn limits(blocks: &[f64], range: Interval, alpha: f64) -> Result<Interval, StatsError> {
    let bets = Bets::new(blocks, range, alpha)?;
    Ok(bets.limits(blocks.len()))
}

/// Returns the limits after each of the given numbers of blocks, to plot the sequence.
///
/// # Errors
/// As [`limits`], or if a number is larger than the number of blocks.
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

/// Returns about `points` numbers of blocks from 1 to `blocks`, evenly spaced; the last is
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

/// Blocks scaled to 0..1, and the scales of the stakes on them.
struct Bets {
    values: Vec<f64>,
    /// 1/√variance before each block.
    scales: Vec<f64>,
    range: Interval,
    /// The bound of a capital, 2/alpha, as a logarithm.
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
            // Means of games may exceed the range by rounding.
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

    /// Returns the limits after the first `number` blocks, in the blocks' own unit.
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

    /// Returns the largest m, up to bisection, at which the capital reaches the bound; 0 if there
    /// is none.
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
        // One logarithm for several factors: a logarithm of each would be slow.
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

/// Returns 1/√variance of the values before each, with one value of a prior: 1/2, variance 1/4.
///
/// The variance is the same for 1 − x, to the last bits.
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
