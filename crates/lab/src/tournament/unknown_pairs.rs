//! Pairs of bots that met in too few blocks for a statement about them. They are no evidence that
//! the two are equally good.

use std::fmt;

use super::results::{PairComparison, Results};
use risk_stats::StatsError;

/// Pairs of bots that met in too few blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPairs {
    /// The number of these pairs.
    pub pairs: usize,
    /// The smallest number of blocks in which such a pair met.
    pub met: usize,
    /// The number of blocks that a statement about a pair needs.
    pub needed: usize,
    /// The number of blocks after which all these pairs should have met often enough.
    pub enough: Option<u64>,
}

impl PairComparison {
    /// Reports whether a bot is one of the two.
    #[must_use]
    pub const fn has(&self, bot: usize) -> bool {
        self.left == bot || self.right == bot
    }
}

impl Results {
    /// Returns the pairs that met in too few of these blocks: those with `bot`, or all of them.
    #[must_use]
    pub fn unknown_pairs(&self, bot: Option<usize>, blocks: u64) -> Option<UnknownPairs> {
        let pairs = self.pairs.iter();
        let pairs = pairs.filter(|pair| bot.is_none_or(|bot| pair.has(bot)));
        let few = pairs.filter_map(|pair| match pair.difference.p_value {
            Err(StatsError::TooFewBlocks { blocks, needed }) => Some((blocks, needed)),
            _ => None,
        });
        let few: Vec<(usize, usize)> = few.collect();
        let &(met, needed) = few.iter().min()?;
        let all = needed as u64 * blocks;
        Some(UnknownPairs {
            pairs: few.len(),
            met,
            needed,
            enough: (met > 0).then(|| all.div_ceil(met as u64)),
        })
    }

    /// Reports whether the games say anything about which of two bots is better.
    #[must_use]
    pub fn is_known(&self, one: usize, other: usize) -> bool {
        let mut pairs = self.pairs.iter();
        let pair = pairs.find(|pair| pair.has(one) && pair.has(other));
        pair.is_some_and(|pair| pair.difference.p_value.is_ok())
    }
}

impl fmt::Display for UnknownPairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { met, needed, .. } = self;
        write!(
            f,
            "two bots must have met in {needed} blocks, and some met in {met}"
        )?;
        match self.enough {
            Some(enough) => write!(f, "; about {enough} blocks are enough"),
            None => Ok(()),
        }
    }
}
