//! The slope of a straight line through values with known standard errors.
//!
//! The method is weighted least squares with weights w = 1/se²: slope = Σw(x−x̄)(y−ȳ)/Σw(x−x̄)².
//! The standard error of the slope is 1/√Σw(x−x̄)², because the errors are known and not estimated
//! from the residuals (Aitken 1935). The limits are those of a normal distribution.

use crate::distributions::{normal_cdf, normal_quantile};
use crate::error::{StatsError, checked_alpha, within};
use crate::interval::Interval;
use crate::moments::sum;

/// A measured value y at position x, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// The position of the measurement.
    pub x: f64,
    /// The measured value.
    pub y: f64,
    /// The standard error of y, above 0.
    pub standard_error: f64,
}

/// The change of y per unit of x.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Slope {
    /// The slope, by least squares.
    pub slope: f64,
    /// The standard error of the slope.
    pub standard_error: f64,
    /// The limits of the slope at the requested level.
    pub interval: Interval,
    /// The p-value of "no change".
    pub p_value: f64,
}

/// Returns the slope of the line through the points.
///
/// # Errors
/// Returns an error if there are no points or all x are the same ([`StatsError::Singular`]), if a
/// number is not finite, if a standard error is not above 0, or if `alpha` is not from 1e-9 to .5.
pub fn slope(points: &[Measurement], alpha: f64) -> Result<Slope, StatsError> {
    checked_alpha(alpha)?;
    for point in points {
        within("x", point.x, -1e12, 1e12)?;
        within("y", point.y, -1e12, 1e12)?;
        within("a standard error", point.standard_error, 1e-12, 1e12)?;
    }
    let weight = |point: &Measurement| 1.0 / (point.standard_error * point.standard_error);
    let all = sum(points.iter().map(weight));
    let mean = |value: fn(&Measurement) -> f64| {
        sum(points.iter().map(|point| weight(point) * value(point))) / all
    };
    let x = mean(|point| point.x);
    let y = mean(|point| point.y);
    let apart = |point: &Measurement| point.x - x;
    let squares = sum(points
        .iter()
        .map(|point| weight(point) * apart(point) * apart(point)));
    let is_spread = points.iter().any(|point| point.x != points[0].x);
    if !is_spread || squares <= 0.0 {
        return Err(StatsError::Singular);
    }
    let products = points
        .iter()
        .map(|point| weight(point) * apart(point) * (point.y - y));
    let slope = sum(products) / squares;
    let standard_error = 1.0 / libm::sqrt(squares);
    let half = normal_quantile(1.0 - 0.5 * alpha)? * standard_error;
    let z = slope / standard_error;
    Ok(Slope {
        slope,
        standard_error,
        interval: Interval::around(slope, half),
        p_value: 2.0 * normal_cdf(if z > 0.0 { -z } else { z }),
    })
}
