//! Comparison of two bots in each other's seats, block by block, until a sequential test ends.

use std::collections::BTreeMap;

use super::log::BlockLine;
use super::plan::TournamentPlan;
use risk_stats::StatsError;
use risk_stats::confidence::limits;
use risk_stats::moments::Interval;
use risk_stats::sequential::{Hypotheses, SequentialTest, Verdict};

/// The results of two bots, bots 0 and 1 of a plan whose design exchanges them.
#[derive(Clone, Debug)]
pub struct Comparison {
    names: [String; 2],
    /// By name, the compared bot that a bot is, or is like.
    sides: BTreeMap<String, usize>,
    test: SequentialTest,
    level: f64,
    /// The mean difference of each block that counts.
    differences: Vec<f64>,
    /// The sums of shares of either bot, over blocks.
    shares: [f64; 2],
    /// Blocks after one that is still missing.
    waiting: BTreeMap<u64, BlockLine>,
    next: u64,
    /// Pairs of games with exchanged seats.
    pub pairs: u64,
    /// Pairs whose games ended in the same state: the bots played alike.
    pub alike: u64,
    /// Games without a winner.
    pub undecided: u64,
    /// Games that count.
    pub games: u64,
    /// Faults of either bot.
    pub faults: [u64; 2],
}

impl Comparison {
    /// Makes a comparison without games.
    ///
    /// # Errors
    /// When the hypotheses are invalid: see [`SequentialTest::new`].
    pub fn new(plan: &TournamentPlan, hypotheses: Hypotheses) -> Result<Self, StatsError> {
        let name = |bot: usize| plan.setup.bots[bot].name.clone();
        let bots = (0..plan.setup.bots.len()).map(|bot| (name(bot), plan.design.side(bot)));
        Ok(Self {
            names: [name(0), name(1)],
            sides: bots
                .filter_map(|(name, side)| Some((name, side?)))
                .collect(),
            test: SequentialTest::new(hypotheses)?,
            level: hypotheses.alpha,
            differences: Vec::new(),
            shares: [0.0; 2],
            waiting: BTreeMap::new(),
            next: 0,
            pairs: 0,
            alike: 0,
            undecided: 0,
            games: 0,
            faults: [0; 2],
        })
    }

    /// Takes a block, which counts as soon as all before it are there. After a verdict no block
    /// counts: the verdict is a function of the first blocks alone.
    ///
    /// # Errors
    /// When a block has impossible numbers.
    pub fn take(&mut self, block: BlockLine) -> Result<Verdict, StatsError> {
        self.waiting.insert(block.block, block);
        while self.test.verdict() == Verdict::Running
            && let Some(block) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            self.count(&block)?;
        }
        Ok(self.test.verdict())
    }

    fn count(&mut self, block: &BlockLine) -> Result<(), StatsError> {
        let mut sums = [0.0; 2];
        let mut played = [0.0; 2];
        for game in &block.games {
            self.games += 1;
            self.undecided += u64::from(game.winners.is_empty());
            for (seat, name) in game.seats.iter().enumerate() {
                let Some(&bot) = self.sides.get(name) else {
                    continue;
                };
                sums[bot] += game.share(seat);
                played[bot] += 1.0;
                self.faults[bot] += u64::from(game.faults[seat]);
            }
        }
        for pair in block.games.chunks_exact(2) {
            self.pairs += 1;
            self.alike += u64::from(pair[0].digest == pair[1].digest);
        }
        let mean = |bot: usize| {
            if played[bot] > 0.0 {
                sums[bot] / played[bot]
            } else {
                0.0
            }
        };
        let difference = mean(0) - mean(1);
        self.shares[0] += mean(0);
        self.shares[1] += mean(1);
        self.differences.push(difference);
        self.test.push(difference).map(|_| ())
    }

    /// Returns the verdict so far.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.test.verdict()
    }

    /// Returns the test with its path.
    #[must_use]
    pub const fn test(&self) -> &SequentialTest {
        &self.test
    }

    /// Returns the number of blocks that count.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.differences.len()
    }

    /// Returns the names of the two bots.
    #[must_use]
    pub const fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// Returns the mean share of wins of either bot; 0 before the first block.
    #[must_use]
    pub fn shares(&self) -> [f64; 2] {
        self.shares
            .map(|sum| sum / self.differences.len().max(1) as f64)
    }

    /// Returns limits of the difference of shares that hold at any stopping time.
    ///
    /// # Errors
    /// As [`limits`].
    pub fn interval(&self) -> Result<Interval, StatsError> {
        let range = Interval {
            low: -1.0,
            high: 1.0,
        };
        limits(&self.differences, range, self.level)
    }
}
