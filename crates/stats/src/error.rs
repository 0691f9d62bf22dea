//! Reasons why a figure can't be computed, worded for reports to print in its place.

/// The reason why there is no figure.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// There are no blocks, games or counts at all.
    #[error("no data yet")]
    NoData,
    /// An interval or a test needs more blocks.
    #[error("too few blocks: expected {needed}, found {blocks}")]
    TooFewBlocks {
        /// The number of blocks.
        blocks: usize,
        /// The number of blocks needed.
        needed: usize,
    },
    /// A rating needs more wins.
    #[error("too few wins: expected {needed}, found {}", tenths(*wins))]
    TooFewWins {
        /// The number of wins; a win shared by k players counts 1/k.
        wins: f64,
        /// The number of wins needed.
        needed: f64,
    },
    /// The bot that the others are compared with has too few wins itself.
    #[error(
        "too few wins of the anchor: expected {needed}, found {}; choose another anchor",
        tenths(*wins)
    )]
    AnchorTooFewWins {
        /// The number of wins.
        wins: f64,
        /// The number of wins needed.
        needed: f64,
    },
    /// A number is outside its range, infinite or not a number.
    #[error("{what} must be {low} to {high}, found {value}")]
    OutOfRange {
        /// The name of the number.
        what: &'static str,
        /// The number.
        value: f64,
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// Two lists that go together have different lengths.
    #[error("{what}: {left} on one side, {right} on the other")]
    LengthsDiffer {
        /// The name of the lists' contents.
        what: &'static str,
        /// The length of the one list.
        left: usize,
        /// The length of the other list.
        right: usize,
    },
    /// A pair has the same bot twice, or came before.
    #[error("the pair {left}, {right} must be two bots, and unique")]
    BadPair {
        /// The one bot, from 0.
        left: usize,
        /// The other one, from 0.
        right: usize,
    },
    /// All blocks are alike, so that there is no estimate of the effect of chance.
    #[error("no margin of error: all blocks are alike")]
    NoVariation,
    /// A covariate or control is constant, or follows from the others.
    #[error("a covariate is constant, or follows from the others")]
    Singular,
    /// The tables fall into groups that never met.
    #[error("nothing to compare: the tables fall into groups that never met")]
    Disconnected,
    /// The search for the best fit didn't end within its bound.
    #[error("no best fit found within {steps} steps")]
    NotConverged {
        /// The number of steps taken.
        steps: usize,
    },
}

/// Rounds to tenths: wins may be shared by three, and 9.333333333333334 says no more than 9.3.
fn tenths(wins: f64) -> f64 {
    libm::round(wins * 10.0) / 10.0
}

/// Returns `value` if it is a number from `low` to `high`.
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

/// Returns `alpha` if it is from 1e-9 to .5.
pub(crate) fn checked_alpha(alpha: f64) -> Result<f64, StatsError> {
    within("alpha", alpha, 1e-9, 0.5)
}

pub(crate) fn same_length(what: &'static str, left: usize, right: usize) -> Result<(), StatsError> {
    if left == right {
        return Ok(());
    }
    Err(StatsError::LengthsDiffer { what, left, right })
}
