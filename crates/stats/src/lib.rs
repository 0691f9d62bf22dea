//! Statistics of blocks: shares, differences, ratings, tests and intervals.
//!
//! All functions in this crate are pure functions of numbers. The crate uses no games, files,
//! clocks or random numbers. The unit is the **block**, a set of games that belong together (the
//! same players, with each player in each seat once). Blocks are independent, but games within a
//! block are not. `ln`, `exp` and `sqrt` come from the `libm` crate, and sums follow the order of
//! their input, so the same blocks produce the same bits on every machine. Every loop is bounded.
//! If a figure can't be computed, the result is an error with a reason ([`StatsError`]), never NaN.
//!
//! Probabilities and shares are from 0 to 1. `alpha` is the probability of a wrong statement: 0.05
//! means 95 % limits. `docs/statistics.md` shows the actual coverage of each method.
//!
//! ```
//! use risk_stats::shares::{elo, share};
//!
//! # fn main() -> Result<(), risk_stats::StatsError> {
//! // A bot's share of the four games of each of twelve blocks.
//! let blocks = [0.5, 0.25, 0.5, 0.0, 0.25, 0.5, 0.75, 0.25, 0.0, 0.5, 0.25, 0.5];
//! let found = share(&blocks, 4, 0.05)?;
//! assert!(found.interval?.contains(0.25));
//! assert_eq!(elo(found.share, 4)?.map(f64::round), Some(86.0));
//! # Ok(())
//! # }
//! ```

pub mod adjusted;
mod choice;
pub mod confidence;
pub mod distributions;
pub mod error;
pub mod fairness;
pub mod histogram;
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
pub use moments::Interval;

/// The minimum number of blocks for an interval. With fewer blocks, neither the t quantile nor the
/// design effect is reliable.
pub const MIN_BLOCKS: usize = 10;

/// The minimum number of wins for a rating from a model. With fewer wins, the coverage of the
/// intervals is too low.
pub const MIN_WINS: f64 = 10.0;
