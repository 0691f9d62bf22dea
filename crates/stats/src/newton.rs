//! A bounded Newton's method that finds the best fit of a concave log-likelihood.

use crate::error::{StatsError, enough_blocks};
use crate::matrix::{SquareMatrix, dot};

/// The maximum number of steps. Usually 8 steps are enough, and the penalty keeps the worst case
/// below 50 steps.
const STEPS: usize = 200;
/// The maximum change of a parameter in one step. The limit is needed because the curvature is
/// misleading far from the best fit.
const LONGEST_STEP: f64 = 2.0;
/// The step size below which the search ends.
const SHORTEST_STEP: f64 = 1e-12;
/// The size below which a step that no longer shrinks is attributed to rounding, so that the search
/// ends.
const ROUNDING_STEP: f64 = 1e-7;
/// The maximum number of times that a step is halved if it makes the fit worse.
const HALVINGS: u32 = 30;

#[derive(Clone, Debug)]
pub(crate) struct Likelihood {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
    /// The negated second derivatives, which are positive definite for a concave log-likelihood.
    pub(crate) information: SquareMatrix,
}

#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub(crate) parameters: Vec<f64>,
    /// The information at the best fit, including the penalty.
    pub(crate) information: SquareMatrix,
}

/// Returns the parameters with the largest log-likelihood. The search starts at 0 and changes
/// parameters by at most 2 in each step. Returns an error if parameters are linearly dependent
/// ([`StatsError::Singular`]), or if 200 steps are not enough.
pub(crate) fn maximise(
    size: usize,
    likelihood: impl Fn(&[f64]) -> Likelihood,
) -> Result<Fit, StatsError> {
    let mut parameters = vec![0.0; size];
    let mut here = likelihood(&parameters);
    let mut before = f64::INFINITY;
    for _ in 0..STEPS {
        let mut step = here.information.cholesky()?.solve(&here.gradient);
        let mut length = longest(&step);
        if !length.is_finite() {
            return Err(StatsError::Singular);
        }
        if length > LONGEST_STEP {
            scale(&mut step, LONGEST_STEP / length);
            length = LONGEST_STEP;
        }
        let (next, there) = improve(&likelihood, &parameters, &here, step);
        parameters = next;
        here = there;
        if length < SHORTEST_STEP || (length < ROUNDING_STEP && length >= before) {
            return Ok(Fit {
                parameters,
                information: here.information,
            });
        }
        before = length;
    }
    Err(StatsError::NotConverged { steps: STEPS })
}

/// Halves the step until the fit is not worse, except for rounding. Then applies the step.
fn improve(
    likelihood: &impl Fn(&[f64]) -> Likelihood,
    from: &[f64],
    here: &Likelihood,
    mut step: Vec<f64>,
) -> (Vec<f64>, Likelihood) {
    let allowed = here.value - 1e-9 * (1.0 + here.value.abs());
    for _ in 0..HALVINGS {
        let next = moved(from, &step);
        let there = likelihood(&next);
        if there.value >= allowed {
            return (next, there);
        }
        scale(&mut step, 0.5);
    }
    let next = moved(from, &step);
    let there = likelihood(&next);
    (next, there)
}

fn moved(from: &[f64], step: &[f64]) -> Vec<f64> {
    from.iter().zip(step).map(|(at, by)| at + by).collect()
}

fn scale(step: &mut [f64], factor: f64) {
    for by in step {
        *by *= factor;
    }
}

fn longest(step: &[f64]) -> f64 {
    step.iter().fold(0.0, |most, by| {
        if by.abs() > most || by.is_nan() {
            by.abs()
        } else {
            most
        }
    })
}

/// Returns the sandwich estimator H⁻¹ (Σ S_b S_b') H⁻¹ · G/(G−1) of a fit (Huber 1967; Liang &
/// Zeger 1986). S_b is the score of block b minus the mean score. Returns an error if there are
/// fewer than 2 blocks, or if H can't be inverted.
pub(crate) fn sandwich(
    information: &SquareMatrix,
    scores: &[Vec<f64>],
) -> Result<SquareMatrix, StatsError> {
    let blocks = crate::moments::count(scores.len());
    enough_blocks(scores.len(), 2)?;
    let size = information.size();
    let mut middle = vec![0.0; size];
    for score in scores {
        for (sum, value) in middle.iter_mut().zip(score) {
            *sum += value / blocks;
        }
    }
    let decomposed = information.cholesky()?;
    let mut covariance = SquareMatrix::zero(size);
    // Computing H⁻¹ S_b before the outer products keeps the result exactly symmetric.
    for score in scores {
        let centred: Vec<f64> = score.iter().zip(&middle).map(|(s, m)| s - m).collect();
        covariance.add_outer(&decomposed.solve(&centred));
    }
    let mut scaled = SquareMatrix::zero(size);
    for row in 0..size {
        for column in 0..size {
            let cell = covariance.get(row, column) * blocks / (blocks - 1.0);
            scaled.add(row, column, cell);
        }
    }
    Ok(scaled)
}

/// Returns the variance of Σ wᵢ·parameterᵢ.
pub(crate) fn variance_of(covariance: &SquareMatrix, weights: &[f64]) -> f64 {
    dot(weights, &covariance.times(weights))
}
