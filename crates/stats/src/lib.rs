//! Statistics of blocks: shares, differences, ratings, tests and intervals.
//!
//! Every function here is a pure function of numbers: this crate knows no games, files, clocks or
//! random numbers. The unit is the **block**, a set of games that belong together (the same
//! players, each in each seat once); blocks are independent, games within one are not. `ln`, `exp`
//! and `sqrt` come from the `libm` crate and every sum runs in the order of its input, so that the
//! same blocks give the same bits on every machine. Every loop is bounded. A figure that can't be
//! computed is an error with a reason ([`StatsError`]), never a NaN.
//!
//! Chances and shares are 0 to 1; `alpha` is the chance of a wrong statement (0.05: 95 % limits).
//! `docs/statistics.md` shows how well each method keeps its promise.
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
pub mod conditional;
pub mod confidence;
pub mod distributions;
pub mod error;
pub mod fairness;
pub mod histogram;
pub mod holding;
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

/// The fewest blocks for an interval: with fewer, neither the t quantile nor the design effect can
/// be trusted.
pub const MIN_BLOCKS: usize = 10;

/// The fewest wins for which a model rates a bot: with fewer, its intervals cover too seldom.
pub const MIN_WINS: f64 = 10.0;
