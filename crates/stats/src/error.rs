//! Why a figure can't be computed, in words that a report can print in its place.

use std::error::Error;
use std::fmt;

/// Why there is no figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatsError {
    /// There are no blocks, games or counts at all.
    NoData,
    /// An interval or a test needs more blocks.
    TooFewBlocks {
        /// Blocks there are.
        blocks: usize,
        /// Blocks it takes.
        needed: usize,
    },
    /// A rating needs more wins.
    TooFewWins {
        /// Wins there are; a win shared by k players counts 1/k.
        wins: f64,
        /// Wins it takes.
        needed: f64,
    },
    /// The bot that the others are compared with has too few wins itself.
    AnchorTooFewWins {
        /// Wins there are.
        wins: f64,
        /// Wins it takes.
        needed: f64,
    },
    /// A number is outside its range, infinite or not a number.
    OutOfRange {
        /// What the number stands for.
        what: &'static str,
        /// The number that was given or came out.
        value: f64,
        /// The least it may be.
        low: f64,
        /// The most it may be.
        high: f64,
    },
    /// Two lists that go together have different lengths.
    LengthsDiffer {
        /// What they hold.
        what: &'static str,
        /// Length of the one.
        left: usize,
        /// Length of the other.
        right: usize,
    },
    /// A pair of bots is of one bot, or came before.
    BadPair {
        /// The one bot, from 0.
        left: usize,
        /// The other one, from 0.
        right: usize,
    },
    /// All blocks are alike, so that nothing tells how far chance goes.
    NoVariation,
    /// A covariate or control is constant, or follows from the others.
    Singular,
    /// The tables fall into groups that never met.
    Disconnected,
    /// The search for the best fit didn't end within its bound.
    NotConverged {
        /// How many steps were taken.
        steps: usize,
    },
}

impl fmt::Display for StatsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoData => write!(f, "there is nothing to count yet"),
            Self::TooFewBlocks { blocks, needed } => {
                write!(f, "too few blocks: {blocks}, it takes {needed}")
            }
            Self::TooFewWins { wins, needed } => {
                write!(f, "too few wins: {}, it takes {needed}", tenths(*wins))
            }
            Self::AnchorTooFewWins { wins, needed } => {
                write!(
                    f,
                    "the anchor has too few wins: {}, it takes {needed}; name another one",
                    tenths(*wins)
                )
            }
            Self::OutOfRange {
                what,
                value,
                low,
                high,
            } => {
                write!(f, "{what} is {value}, it must be from {low} to {high}")
            }
            Self::LengthsDiffer { what, left, right } => {
                write!(f, "{what}: {left} on one side, {right} on the other")
            }
            Self::BadPair { left, right } => {
                write!(
                    f,
                    "the pair {left}, {right} must be of two bots and come once"
                )
            }
            Self::NoVariation => write!(f, "all blocks are alike, so there is no margin of error"),
            Self::Singular => {
                write!(f, "a covariate is constant or follows from the others")
            }
            Self::Disconnected => {
                write!(
                    f,
                    "the tables fall into groups that never met, so nothing compares them"
                )
            }
            Self::NotConverged { steps } => {
                write!(f, "no best fit was found within {steps} steps")
            }
        }
    }
}

/// Wins may be shared by three: 9.333333333333334 says no more than 9.3.
fn tenths(wins: f64) -> f64 {
    libm::round(wins * 10.0) / 10.0
}

impl Error for StatsError {}

/// `value`, if it is a number from `low` to `high`.
pub(crate) fn within(
    what: &'static str,
    value: f64,
    low: f64,
    high: f64,
) -> Result<f64, StatsError> {
    if value >= low && value <= high {
        return Ok(value);
    }
    Err(StatsError::OutOfRange {
        what,
        value,
        low,
        high,
    })
}

/// `alpha`, if it is a chance of error that makes sense: from 1e-9 to .5.
pub(crate) fn checked_alpha(alpha: f64) -> Result<f64, StatsError> {
    within("alpha", alpha, 1e-9, 0.5)
}

/// Whether two lists that go together are equally long.
pub(crate) fn same_length(what: &'static str, left: usize, right: usize) -> Result<(), StatsError> {
    if left == right {
        return Ok(());
    }
    Err(StatsError::LengthsDiffer { what, left, right })
}
