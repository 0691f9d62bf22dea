//! Comparison of two bots that exchange seats, block by block, until a sequential test ends.

use std::collections::BTreeMap;

use super::design::Design;
use super::log::BlockLine;
use super::plan::TournamentPlan;
use risk_engine::{Seats, Setup};
use risk_stats::confidence::limits;
use risk_stats::sequential::{Hypotheses, SequentialTest, Verdict};
use risk_stats::{Interval, StatsError};

/// Plans the comparison of the first two bots of a match, with its other bots as fillers. `replace`
/// seats the two in turn instead of at one table. The number of bots must fit the ruleset.
#[must_use]
pub fn plan(setup: Setup, blocks: u64, replace: bool) -> TournamentPlan {
    let bots = setup.bots.len();
    let design = if replace {
        Design::replace(bots)
    } else {
        Design::swap(bots)
    };
    let seats = Seats::Fixed;
    let setup = Setup { seats, ..setup };
    TournamentPlan::new(setup, bots - usize::from(replace), blocks, design)
}

/// The results of the compared bots, which are bots 0 and 1 of a plan whose design exchanges them.
#[derive(Clone, Debug)]
pub struct Comparison {
    names: [String; 2],
    /// The index of the compared bot that each bot is identical to or represents, by name.
    sides: BTreeMap<String, usize>,
    test: SequentialTest,
    level: f64,
    /// The mean difference in each counted block.
    differences: Vec<f64>,
    /// The sums of both bots' shares over all blocks.
    shares: [f64; 2],
    /// Blocks that are waiting for an earlier block.
    waiting: BTreeMap<u64, BlockLine>,
    next: u64,
    /// The number of pairs of games with exchanged seats.
    pub pairs: u64,
    /// The number of pairs whose games ended in the same state, which means that the bots played
    /// alike.
    pub alike: u64,
    /// The number of games without a winner.
    pub undecided: u64,
    /// The number of counted games.
    pub games: u64,
    /// The number of faults of each bot.
    pub faults: [u64; 2],
}

impl Comparison {
    /// Creates a comparison without games.
    ///
    /// # Errors
    /// Returns an error if the hypotheses are invalid, see [`SequentialTest::new`].
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

    /// Adds a block, which is counted as soon as all earlier blocks are present. Blocks after a
    /// verdict are not counted, so the verdict depends only on the first blocks.
    ///
    /// # Errors
    /// Returns an error if a block contains impossible numbers.
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

    /// Returns the sequential test with its path.
    #[must_use]
    pub const fn test(&self) -> &SequentialTest {
        &self.test
    }

    /// Returns the number of counted blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.differences.len()
    }

    /// Returns the names of the two bots.
    #[must_use]
    pub const fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// Returns each bot's mean share of wins, or 0 before the first block.
    #[must_use]
    pub fn shares(&self) -> [f64; 2] {
        self.shares
            .map(|sum| sum / self.differences.len().max(1) as f64)
    }

    /// Returns the limits of the difference in shares. They are valid at any stopping time.
    ///
    /// # Errors
    /// Returns the same errors as [`limits`].
    pub fn interval(&self) -> Result<Interval, StatsError> {
        let range = Interval {
            low: -1.0,
            high: 1.0,
        };
        limits(&self.differences, range, self.level)
    }
}
