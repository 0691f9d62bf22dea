//! The sequential test of one bot against another: two bets that can't be won by chance.
//!
//! A block gives x, the mean over its games of (share of A − share of B), from −1 to 1. H0 says E
//! x ≤ d0, H1 says E x ≥ d1. One bettor bets against H0 and another against H1, on every block,
//! using only the blocks before it. Under H0 the capital of the first, exp(up), is a non-negative
//! supermartingale that begins with 1; so the chance that it ever reaches 1/alpha is at most alpha
//! (Ville 1939), at any stopping time and for any distribution of x. The same holds for H1, dn and
//! beta.
//!
//! Before block t the mean and the variance are estimated with one block of a prior worth (mean
//! c = (d0+d1)/2, variance 1/4), and the stake is D/(variance + D²) with D = d1 − d0: nearly the
//! one that lets the capital grow fastest at the other hypothesis (Waudby-Smith & Ramdas 2024,
//! *Estimating means of bounded random variables by betting*, JRSS B 86, 1). It is capped so that
//! no block costs more than nine tenths of the capital:
//!
//! - up += ln(1 + min(stake, .9/(1+d0))·(x − d0))
//! - dn += ln(1 − min(stake, .9/(1−d1))·(x − d1))
//!
//! No likelihood is fitted to counts, so there are no empty cells to fill. The verdict is a
//! function of the blocks up to it: later blocks change nothing.

use crate::error::{StatsError, within};

/// The fewest blocks after which a test can end: twelve that are all won.
pub const FEWEST_BLOCKS: usize = 12;

/// The hypotheses of a test, and its error levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// H0: the mean is at most this; above −1.
    pub d0: f64,
    /// H1: the mean is at least this; above `d0` and below 1.
    pub d1: f64,
    /// The chance of saying "better" under H0, between 0 and .5.
    pub alpha: f64,
    /// The chance of saying "not better" under H1, between 0 and .5.
    pub beta: f64,
    /// The most blocks, at least [`FEWEST_BLOCKS`].
    pub max_blocks: usize,
}

/// The verdict of the test after some blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H0 is rejected: A is better than B by more than d0.
    Better,
    /// H1 is rejected: A is not better than B by d1.
    NotBetter,
    /// All blocks are played and neither is rejected.
    Undecided,
    /// Neither is rejected yet.
    Running,
}

/// One point of the test's path: the logarithms of both capitals after a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capitals {
    /// The capital against H0, which is rejected at ln(1/alpha).
    pub up: f64,
    /// The capital against H1, which is rejected at ln(1/beta).
    pub down: f64,
}

/// A test and the blocks that it has taken.
#[derive(Clone, Debug, PartialEq)]
pub struct SequentialTest {
    hypotheses: Hypotheses,
    path: Vec<Capitals>,
    sum: f64,
    squares: f64,
    verdict: Verdict,
}

impl SequentialTest {
    /// Makes a test that has taken no blocks.
    ///
    /// # Errors
    /// Returns an error unless −1 < d0 < d1 < 1, `alpha` and `beta` are between 0 and .5 (at least
    /// 1e-9), and `max_blocks` is at least [`FEWEST_BLOCKS`].
    pub fn new(hypotheses: Hypotheses) -> Result<Self, StatsError> {
        let Hypotheses {
            d0,
            d1,
            alpha,
            beta,
            max_blocks,
        } = hypotheses;
        within("d0", d0, -0.999, 0.999)?;
        within("d1", d1, d0 + 1e-6, 0.999)?;
        // A level of .5 would be a coin toss.
        within("alpha", alpha, 1e-9, 0.5 - 1e-9)?;
        within("beta", beta, 1e-9, 0.5 - 1e-9)?;
        let most = crate::moments::count(max_blocks);
        within("max_blocks", most, 12.0, 1e12)?;
        Ok(Self {
            hypotheses,
            path: Vec::new(),
            sum: 0.0,
            squares: 0.0,
            verdict: Verdict::Running,
        })
    }

    /// Takes the next block's mean difference; after a verdict, a block changes nothing.
    ///
    /// # Errors
    /// Returns an error if the difference is not from −1 to 1.
    pub fn push(&mut self, difference: f64) -> Result<Verdict, StatsError> {
        // A mean of games may exceed 1 by rounding.
        within("a difference", difference, -1.0 - 1e-12, 1.0 + 1e-12)?;
        if self.verdict != Verdict::Running {
            return Ok(self.verdict);
        }
        let x = difference.clamp(-1.0, 1.0);
        let Hypotheses { d0, d1, .. } = self.hypotheses;
        let stake = self.stake();
        let against_h0 = capped(stake, 0.9 / (1.0 + d0));
        let against_h1 = capped(stake, 0.9 / (1.0 - d1));
        let last = self.capitals();
        let next = Capitals {
            up: last.up + libm::log(1.0 + against_h0 * (x - d0)),
            down: last.down + libm::log(1.0 - against_h1 * (x - d1)),
        };
        self.path.push(next);
        self.sum += x;
        self.squares += x * x;
        self.verdict = self.judge(next);
        Ok(self.verdict)
    }

    /// Returns the stake on the next block, from those before it.
    fn stake(&self) -> f64 {
        let Hypotheses { d0, d1, .. } = self.hypotheses;
        let centre = 0.5 * (d0 + d1);
        let number = crate::moments::count(self.path.len() + 1);
        let mean = (self.sum + centre) / number;
        let variance = (self.squares + 0.25 + centre * centre) / number - mean * mean;
        let apart = d1 - d0;
        let variance = if variance > 1e-6 { variance } else { 1e-6 };
        apart / (variance + apart * apart)
    }

    fn judge(&self, now: Capitals) -> Verdict {
        if now.up >= self.bound_up() {
            Verdict::Better
        } else if now.down >= self.bound_down() {
            Verdict::NotBetter
        } else if self.path.len() >= self.hypotheses.max_blocks {
            Verdict::Undecided
        } else {
            Verdict::Running
        }
    }

    /// Returns the bound of `up`, ln(1/alpha).
    #[must_use]
    pub fn bound_up(&self) -> f64 {
        -libm::log(self.hypotheses.alpha)
    }

    /// Returns the bound of `down`, ln(1/beta).
    #[must_use]
    pub fn bound_down(&self) -> f64 {
        -libm::log(self.hypotheses.beta)
    }

    /// Returns the verdict so far.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns both capitals now; 0 and 0 before the first block.
    #[must_use]
    pub fn capitals(&self) -> Capitals {
        let start = Capitals { up: 0.0, down: 0.0 };
        self.path.last().copied().unwrap_or(start)
    }

    /// Returns the number of blocks that count: those up to the verdict.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.path.len()
    }

    /// Returns both capitals after each block that counts.
    #[must_use]
    pub fn path(&self) -> &[Capitals] {
        &self.path
    }
}

/// Tests blocks in their order, up to the verdict or the last of them.
///
/// # Errors
/// As [`SequentialTest::new`] and [`SequentialTest::push`]; blocks after the verdict are not
/// checked.
pub fn test_blocks(hypotheses: Hypotheses, blocks: &[f64]) -> Result<SequentialTest, StatsError> {
    let mut test = SequentialTest::new(hypotheses)?;
    for block in blocks {
        if test.push(*block)? != Verdict::Running {
            break;
        }
    }
    Ok(test)
}

/// Estimates how many blocks a test takes if the mean is d0 or d1:
/// 2·ln(1/level)·variance/(d1−d0)² + 12, with the larger of both bounds; halfway between d0 and d1
/// it takes about 1.7 times as many.
///
/// # Errors
/// As [`SequentialTest::new`], or if the variance of a block is not from 0 to 1.
pub fn expected_blocks(hypotheses: Hypotheses, block_variance: f64) -> Result<f64, StatsError> {
    let test = SequentialTest::new(hypotheses)?;
    within("variance", block_variance, 0.0, 1.0)?;
    let up = test.bound_up();
    let down = test.bound_down();
    let bound = if up > down { up } else { down };
    let apart = hypotheses.d1 - hypotheses.d0;
    Ok(2.0 * bound * block_variance / (apart * apart) + 12.0)
}

fn capped(stake: f64, most: f64) -> f64 {
    if stake < most { stake } else { most }
}
