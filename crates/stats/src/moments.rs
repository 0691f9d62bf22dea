//! Means, variances and limits of block data, summed in block order.

use crate::MIN_BLOCKS;
use crate::distributions::{t_quantile, t_two_sided};
use crate::error::{StatsError, checked_alpha, enough_blocks, same_length};
use crate::interval::Interval;

/// The maximum difference between block means that is attributed to rounding. Different shares of
/// wins differ by at least about 1e-4.
const ROUNDING: f64 = 1e-9;

/// A mean of blocks with its t limits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Mean {
    /// The number of blocks.
    pub blocks: usize,
    /// The mean of the block means.
    pub mean: f64,
    /// The standard error of the mean, s/√G; 0 if all blocks are equal.
    pub standard_error: f64,
    /// The limits mean ± t(G−1)·s/√G, or the reason why there are no limits.
    pub interval: Result<Interval, StatsError>,
    /// The two-sided p-value of "the true mean is 0", or the reason why there is no p-value.
    ///
    /// If all blocks have the same mean and it is not 0, this is the p-value of the sign test,
    /// 2^(1−G).
    pub p_value: Result<f64, StatsError>,
}

/// Returns the sum of the values, added in order; 0 if there are no values.
pub(crate) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |sum, value| sum + value)
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) fn count(number: usize) -> f64 {
    number as f64
}

/// Returns the arithmetic mean.
///
/// # Errors
/// Returns an error if the list is empty or contains a value that is not finite.
pub fn mean(values: &[f64]) -> Result<f64, StatsError> {
    if values.is_empty() {
        return Err(StatsError::NoData);
    }
    let mean = sum(values.iter().copied()) / count(values.len());
    crate::error::within("a mean", mean, f64::MIN, f64::MAX)
}

/// Returns the variance of the values around their mean, with the divisor n − 1; 0 if the values
/// differ only by rounding.
///
/// # Errors
/// Returns an error if there are fewer than 2 values, or if a value is not finite.
pub fn variance(values: &[f64]) -> Result<f64, StatsError> {
    covariance(values, values).map(|variance| {
        if variance < ROUNDING * ROUNDING {
            0.0
        } else {
            variance
        }
    })
}

/// Returns the covariance of two lists of paired values, with the divisor n − 1.
///
/// # Errors
/// Returns an error if the lists differ in length, have fewer than 2 values, or contain a value
/// that is not finite.
pub fn covariance(left: &[f64], right: &[f64]) -> Result<f64, StatsError> {
    same_length("values of two lists", left.len(), right.len())?;
    enough_blocks(left.len(), 2)?;
    let middle_left = mean(left)?;
    let middle_right = mean(right)?;
    let products = left
        .iter()
        .zip(right)
        .map(|(a, b)| (a - middle_left) * (b - middle_right));
    Ok(sum(products) / (count(left.len()) - 1.0))
}

/// Returns the mean of block values with t limits, mean ± t(G−1; 1−alpha/2)·s/√G ("Student" 1908).
///
/// # Errors
/// Returns an error if there are no blocks, if a value is not finite, or if `alpha` is not from
/// 1e-9 to .5.
pub fn mean_with_limits(blocks: &[f64], alpha: f64) -> Result<Mean, StatsError> {
    checked_alpha(alpha)?;
    let middle = mean(blocks)?;
    let number = count(blocks.len());
    let spread = if blocks.len() < 2 {
        0.0
    } else {
        variance(blocks)?
    };
    let standard_error = libm::sqrt(spread / number);
    let enough = enough_blocks(blocks.len(), MIN_BLOCKS);
    let limits = enough.and_then(|()| t_limits(middle, standard_error, number - 1.0, alpha));
    let p_value = enough.and_then(|()| mean_p_value(middle, standard_error, number));
    Ok(Mean {
        blocks: blocks.len(),
        mean: middle,
        standard_error,
        interval: limits,
        p_value,
    })
}

/// Returns the limits estimate ± t(freedom)·standard error. A standard error of 0 means that all
/// blocks are equal.
pub(crate) fn t_limits(
    estimate: f64,
    standard_error: f64,
    freedom: f64,
    alpha: f64,
) -> Result<Interval, StatsError> {
    if standard_error == 0.0 {
        return Err(StatsError::NoVariation);
    }
    let quantile = t_quantile(1.0 - 0.5 * alpha, freedom)?;
    Ok(Interval::around(estimate, quantile * standard_error))
}

fn mean_p_value(middle: f64, standard_error: f64, blocks: f64) -> Result<f64, StatsError> {
    if standard_error == 0.0 {
        if middle.abs() < ROUNDING {
            return Ok(1.0);
        }
        return Ok(libm::exp2(1.0 - blocks));
    }
    t_two_sided(middle / standard_error, blocks - 1.0)
}
