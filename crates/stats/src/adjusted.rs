//! Shares adjusted for the luck of the blocks with control variates whose mean is known to be 0.
//!
//! A control is a value for each block whose true mean is known to be 0, such as the difference
//! between a bot's results with the dice and their expectation. The shares are regressed on the
//! controls, x_b = share + Σ β z_b + residual, and the constant is the share that the bot would
//! have had with average luck (Lavenberg & Welch 1981). The variance of the share is that of the
//! constant in least squares. The limits are Wilson's limits with the resulting design effect, and
//! with a t quantile with G−1−q degrees of freedom for q controls. A control whose true mean is not
//! 0 biases the share. A control must therefore not depend on anything that a bot can influence,
//! such as the number of dice it rolls or the time at which it stops.

use crate::MIN_BLOCKS;
use crate::error::{StatsError, checked_alpha, enough_blocks, same_length, within};
use crate::interval::Interval;
use crate::matrix::{SquareMatrix, dot};
use crate::moments::{count, mean, sum, variance};
use crate::shares::{design_effect, wilson};

/// The maximum number of controls.
pub const MOST_CONTROLS: usize = 20;

/// A share adjusted to average luck.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AdjustedShare {
    /// The unadjusted share.
    pub raw: f64,
    /// The share with average luck, clamped to 0 to 1.
    pub share: f64,
    /// The standard error of the adjusted share.
    pub standard_error: f64,
    /// Wilson's limits of the adjusted share.
    pub interval: Interval,
    /// The effect of one unit of each control on the share of a block.
    pub coefficients: Vec<f64>,
    /// The part of the variance that the controls explain: 1 − adjusted variance/raw variance. The
    /// value can be below 0 if they explain nothing, because the estimate of their effects adds
    /// some variance.
    pub saved: f64,
}

/// Returns a bot's share of wins, adjusted with controls whose mean is 0.
///
/// `blocks` are the bot's block means, and `games_per_block` is the number of games in each block.
/// Each list in `controls` has one value for each block.
///
/// # Errors
/// Returns an error if there are fewer blocks than [`MIN_BLOCKS`] plus one for each control, if a
/// mean is not from 0 to 1, if there are no controls or more than [`MOST_CONTROLS`], if a control
/// is a linear combination of the others, or if `alpha` is not from 1e-9 to .5.
pub fn adjusted_share(
    blocks: &[f64],
    games_per_block: usize,
    controls: &[&[f64]],
    alpha: f64,
) -> Result<AdjustedShare, StatsError> {
    checked_alpha(alpha)?;
    check(blocks, games_per_block, controls)?;
    let number = count(blocks.len());
    let raw = mean(blocks)?;
    let middles = controls
        .iter()
        .map(|control| mean(control))
        .collect::<Result<Vec<f64>, StatsError>>()?;
    let squares = cross_products(controls, &middles);
    let products: Vec<f64> = controls
        .iter()
        .zip(&middles)
        .map(|(control, middle)| {
            let parts = control.iter().zip(blocks);
            sum(parts.map(|(z, x)| (z - middle) * (x - raw)))
        })
        .collect();
    let decomposed = squares.cholesky()?;
    let coefficients = decomposed.solve(&products);
    let share = (raw - dot(&coefficients, &middles)).clamp(0.0, 1.0);
    let freedom = number - 1.0 - count(controls.len());
    let rest = rest_variance(blocks, raw, controls, &middles, &coefficients) / freedom;
    let of_share = rest * (1.0 / number + dot(&middles, &decomposed.solve(&middles)));
    let games = number * count(games_per_block);
    let effect = design_effect(share, of_share, games);
    let spread = variance(blocks)?;
    Ok(AdjustedShare {
        raw,
        share,
        standard_error: libm::sqrt(of_share),
        interval: wilson(share, games / effect, freedom, alpha)?,
        coefficients,
        saved: if spread == 0.0 {
            0.0
        } else {
            1.0 - of_share * number / spread
        },
    })
}

fn check(blocks: &[f64], games_per_block: usize, controls: &[&[f64]]) -> Result<(), StatsError> {
    let most = count(MOST_CONTROLS);
    within("controls", count(controls.len()), 1.0, most)?;
    within("games in a block", count(games_per_block), 1.0, 1e9)?;
    let needed = MIN_BLOCKS + controls.len();
    enough_blocks(blocks.len(), needed)?;
    for value in blocks {
        within("a share", *value, 0.0, 1.0 + 1e-12)?;
    }
    for control in controls {
        same_length("blocks and controls", blocks.len(), control.len())?;
        for value in *control {
            within("a control", *value, -1e9, 1e9)?;
        }
    }
    Ok(())
}

/// Returns Σ (z_i − mean)(z_j − mean) for all pairs of controls.
fn cross_products(controls: &[&[f64]], middles: &[f64]) -> SquareMatrix {
    let mut squares = SquareMatrix::zero(controls.len());
    for (row, left) in controls.iter().enumerate() {
        for (column, right) in controls.iter().enumerate() {
            let parts = left.iter().zip(*right);
            let product = sum(parts.map(|(a, b)| (a - middles[row]) * (b - middles[column])));
            squares.add(row, column, product);
        }
    }
    squares
}

/// Returns the residual sum of squares.
fn rest_variance(
    blocks: &[f64],
    raw: f64,
    controls: &[&[f64]],
    middles: &[f64],
    coefficients: &[f64],
) -> f64 {
    let rests = blocks.iter().enumerate().map(|(block, x)| {
        let mut rest = x - raw;
        for (index, control) in controls.iter().enumerate() {
            rest -= coefficients[index] * (control[block] - middles[index]);
        }
        rest * rest
    });
    sum(rests)
}
