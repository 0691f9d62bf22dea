//! Reasons why a figure can't be computed. Reports print the reason in place of the figure.

/// The reason why a figure can't be computed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// There are no blocks, games or counts.
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
        /// The number of wins. A win shared by k players counts as 1/k.
        wins: f64,
        /// The number of wins needed.
        needed: f64,
    },
    /// The anchor, the bot that the others are compared with, has too few wins.
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
    /// A value is outside its range, infinite, or NaN.
    #[error("{what} must be from {low} to {high}, found {value}")]
    OutOfRange {
        /// The name of the value.
        what: &'static str,
        /// The invalid value.
        value: f64,
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// Two lists that must have the same length have different lengths.
    #[error("{what} differ in number: {left} and {right}")]
    LengthsDiffer {
        /// A description of the lists.
        what: &'static str,
        /// The length of the first list.
        left: usize,
        /// The length of the second list.
        right: usize,
    },
    /// A pair consists of the same bot twice or is a duplicate.
    #[error("the pair {left}, {right} must be two different bots and occur only once")]
    BadPair {
        /// The first bot, from 0.
        left: usize,
        /// The second bot, from 0.
        right: usize,
    },
    /// All blocks are equal, so the effect of chance can't be estimated.
    #[error("no margin of error: all blocks are alike")]
    NoVariation,
    /// A covariate or control is constant or a linear combination of the others.
    #[error("a covariate is constant, or depends on the others")]
    Singular,
    /// The tables fall into groups that never met.
    #[error("nothing to compare: the tables fall into groups that never met")]
    Disconnected,
    /// The search for the best fit did not converge within the maximum number of steps.
    #[error("no best fit found within {steps} steps")]
    NotConverged {
        /// The number of steps taken.
        steps: usize,
    },
}

/// Rounds to tenths. Shared wins lead to numbers such as 9.333333333333334, which is shown as 9.3.
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

pub(crate) fn enough_blocks(blocks: usize, needed: usize) -> Result<(), StatsError> {
    if blocks < needed {
        return Err(StatsError::TooFewBlocks { blocks, needed });
    }
    Ok(())
}

/// Checks that there are at least [`MIN_WINS`](crate::MIN_WINS) wins.
pub(crate) fn enough_wins(wins: f64) -> Result<(), StatsError> {
    let needed = crate::MIN_WINS;
    if wins < needed {
        return Err(StatsError::TooFewWins { wins, needed });
    }
    Ok(())
}

pub(crate) fn same_length(what: &'static str, left: usize, right: usize) -> Result<(), StatsError> {
    if left == right {
        return Ok(());
    }
    Err(StatsError::LengthsDiffer { what, left, right })
}
