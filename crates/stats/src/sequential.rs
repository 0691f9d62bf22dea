//! The sequential test of one bot against another, based on two bets that are unlikely to be won by
//! chance.
//!
//! Each block has a value x from −1 to 1, the mean of (share of A − share of B) over its games. H0
//! is E x ≤ d0, and H1 is E x ≥ d1. On every block, one bettor bets against H0 and another against
//! H1, using only the earlier blocks. Under H0, the capital of the first bettor, exp(up), is a
//! non-negative supermartingale that starts at 1. The probability that it ever reaches 1/alpha is
//! therefore at most alpha (Ville 1939), at any stopping time and for any distribution of x. The
//! same is true for H1, dn and beta.
//!
//! Before block t, the mean and the variance are estimated with a prior worth one block (mean c =
//! (d0+d1)/2, variance 1/4). The stake is D/(variance + D²) with D = d1 − d0. It is nearly the
//! stake that makes the capital grow fastest under the other hypothesis (Waudby-Smith & Ramdas
//! 2024, *Estimating means of bounded random variables by betting*, JRSS B 86, 1). The stake is
//! capped so that no block can cost more than 90 % of the capital:
//!
//! - up += ln(1 + min(stake, .9/(1+d0))·(x − d0))
//! - dn += ln(1 − min(stake, .9/(1−d1))·(x − d1))
//!
//! No likelihood is fitted to counts, so empty cells are not a problem. The verdict depends only on
//! the blocks up to the verdict. Later blocks change nothing.

use crate::error::{StatsError, within};

/// The minimum number of blocks after which a test can end. One bot must win all 12 blocks.
pub const FEWEST_BLOCKS: usize = 12;

/// The hypotheses of a test, and its error levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// The upper bound on the mean under H0, above −1.
    pub d0: f64,
    /// The lower bound on the mean under H1, above `d0` and below 1.
    pub d1: f64,
    /// The maximum probability of the verdict "better" under H0, between 0 and .5.
    pub alpha: f64,
    /// The maximum probability of the verdict "not better" under H1, between 0 and .5.
    pub beta: f64,
    /// The maximum number of blocks, at least [`FEWEST_BLOCKS`].
    pub max_blocks: usize,
}

impl Hypotheses {
    /// The usual test: is the difference above 0, or below 0.05?
    pub const USUAL: Self = Self {
        d0: 0.0,
        d1: 0.05,
        alpha: 0.05,
        beta: 0.05,
        max_blocks: 2_000,
    };
}

/// The verdict of the test after some blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H0 is rejected. A is better than B by more than d0.
    Better,
    /// H1 is rejected. A is not better than B by d1 or more.
    NotBetter,
    /// All blocks have been played, and neither hypothesis is rejected.
    Undecided,
    /// Neither hypothesis is rejected yet.
    Running,
}

/// A point on the test's path: the logarithms of both capitals after a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capitals {
    /// The logarithm of the capital against H0. H0 is rejected at ln(1/alpha).
    pub up: f64,
    /// The logarithm of the capital against H1. H1 is rejected at ln(1/beta).
    pub down: f64,
}

/// A test with the blocks added so far.
#[derive(Clone, Debug, PartialEq)]
pub struct SequentialTest {
    hypotheses: Hypotheses,
    path: Vec<Capitals>,
    sum: f64,
    squares: f64,
    verdict: Verdict,
}

impl SequentialTest {
    /// Creates a test without blocks.
    ///
    /// # Errors
    /// Returns an error unless −1 < d0 < d1 < 1, `alpha` and `beta` are between 0 and .5 (at least
    /// 1e-9), and `max_blocks` is at least [`FEWEST_BLOCKS`].
    pub fn new(hypotheses: Hypotheses) -> Result<Self, StatsError> {
        within("d0", hypotheses.d0, -0.999, 0.999)?;
        within("d1", hypotheses.d1, hypotheses.d0 + 1e-6, 0.999)?;
        // A test at the level .5 would be a coin toss.
        within("alpha", hypotheses.alpha, 1e-9, 0.5 - 1e-9)?;
        within("beta", hypotheses.beta, 1e-9, 0.5 - 1e-9)?;
        let most = crate::moments::count(hypotheses.max_blocks);
        within("max_blocks", most, 12.0, 1e12)?;
        Ok(Self {
            hypotheses,
            path: Vec::new(),
            sum: 0.0,
            squares: 0.0,
            verdict: Verdict::Running,
        })
    }

    /// Adds the next block's mean difference. After a verdict, a block changes nothing.
    ///
    /// # Errors
    /// Returns an error if the difference is not from −1 to 1.
    pub fn push(&mut self, difference: f64) -> Result<Verdict, StatsError> {
        // Rounding may make a mean of games slightly larger than 1.
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

    /// Returns the stake on the next block, computed from the earlier blocks.
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

    /// Returns the logarithms of the current capitals; 0 and 0 before the first block.
    #[must_use]
    pub fn capitals(&self) -> Capitals {
        let start = Capitals { up: 0.0, down: 0.0 };
        self.path.last().copied().unwrap_or(start)
    }

    /// Returns the hypotheses and the error levels.
    #[must_use]
    pub const fn hypotheses(&self) -> Hypotheses {
        self.hypotheses
    }

    /// Returns the number of blocks up to the verdict.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.path.len()
    }

    /// Returns the logarithms of both capitals after each block up to the verdict.
    #[must_use]
    pub fn path(&self) -> &[Capitals] {
        &self.path
    }
}

fn capped(stake: f64, most: f64) -> f64 {
    if stake < most { stake } else { most }
}
