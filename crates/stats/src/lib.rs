#![doc = include_str!("../README.md")]
//!
//! # Invariants
//!
//! * `ln`, `exp` and `sqrt` come from the `libm` crate, and sums follow the order of their input,
//!   so the same blocks produce the same bits on every machine.
//! * Every loop is bounded.
//! * If a figure can't be computed, the result is an error with a reason ([`StatsError`]), never
//!   NaN.
//! * Probabilities and shares are from 0 to 1. `alpha` is the probability of a wrong statement:
//!   0.05 means 95 % limits. `docs/statistics.md` shows the actual coverage of each method.

pub mod adjusted;
mod choice;
pub mod confidence;
pub mod distributions;
mod error;
pub mod fairness;
pub mod histogram;
mod interval;
mod matrix;
pub mod moments;
pub mod multiple;
mod newton;
pub mod places;
pub mod ratings;
pub mod sequential;
pub mod shares;
pub mod slope;
mod special;
pub mod winner;

pub use error::StatsError;
pub use interval::Interval;

/// The minimum number of blocks for an interval. With fewer blocks, neither the t quantile nor the
/// design effect is reliable.
pub const MIN_BLOCKS: usize = 10;

/// The minimum number of wins for a rating from a model. With fewer wins, the coverage of the
/// intervals is too low.
pub const MIN_WINS: f64 = 10.0;
