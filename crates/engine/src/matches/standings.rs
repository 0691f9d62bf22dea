//! Statistics of many games: wins with intervals, by bot and by seat, lengths, and reasons for
//! ending.

use std::collections::BTreeMap;

use super::{GameResult, Setup};
use crate::load::bot_spec::BotSpec;
use risk_kernel::rng::mix;

/// A share of games with its 95 % Wilson interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// The share, from 0 to 1.
    pub rate: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Rate {
    /// Returns the share of `count` in `all`. If `all` is 0, the interval is 0 to 1.
    #[must_use]
    pub fn new(count: u64, all: u64) -> Self {
        const Z: f64 = 1.959_963_984_540_054;
        if all == 0 {
            return Self {
                rate: 0.0,
                low: 0.0,
                high: 1.0,
            };
        }
        let n = all as f64;
        let p = count as f64 / all as f64;
        let centre = p + Z * Z / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        Self {
            rate: p,
            low: ((centre - spread) / scale).max(0.0),
            high: ((centre + spread) / scale).min(1.0),
        }
    }
}

/// The distribution of a number over all games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean, or 0 if there are no games.
    pub mean: f64,
    /// The 50th percentile.
    pub median: f64,
    /// The 5th percentile, rounded outwards: of few values, the smallest.
    pub p5: u32,
    /// The 95th percentile, rounded outwards: of few values, the largest.
    pub p95: u32,
}

impl Spread {
    fn from_counts(values: &BTreeMap<u32, u64>) -> Self {
        let count: u64 = values.values().sum();
        let at = |index: u64| {
            let mut before = 0;
            let found = values.iter().find(|&(_, times)| {
                before += times;
                before > index
            });
            found.map_or(0, |(&value, _)| value)
        };
        let last = count.saturating_sub(1);
        let middle = f64::from(at(count / 2));
        let even = count > 0 && count.is_multiple_of(2);
        let median = if even {
            f64::midpoint(f64::from(at(count / 2 - 1)), middle)
        } else {
            middle
        };
        let sum: u64 = values
            .iter()
            .map(|(&value, times)| u64::from(value) * times)
            .sum();
        Self {
            mean: sum as f64 / count.max(1) as f64,
            median,
            p5: at(last * 5 / 100),
            p95: at((last * 95).div_ceil(100)),
        }
    }
}

/// One player's statistics.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Standing {
    /// The name under which the bot plays.
    pub name: String,
    /// The bot as given.
    pub bot: String,
    /// The number of games won alone.
    pub wins: u64,
    /// The number of games with several winners, including this player, or without a winner.
    pub draws: u64,
    /// The number of faults in all games.
    pub faults: u64,
    /// The share of games won alone.
    pub rate: Rate,
    /// The number of games, and of games won alone, in each seat.
    pub by_seat: Vec<(u64, u64)>,
}

/// The statistics of a match.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Standings {
    /// The number of games.
    pub games: u64,
    /// The statistics of the players, in the given order.
    pub bots: Vec<Standing>,
    /// The number of games won alone from each seat.
    pub by_seat: Vec<u64>,
    /// The number of games that ended for each reason.
    pub reasons: BTreeMap<String, u64>,
    /// The number of rounds per game.
    pub rounds: Spread,
    /// The number of player turns per game.
    pub turns: Spread,
    /// The number of answers in all games.
    pub decisions: u64,
    /// The number of dice rounds in all games.
    pub battle_rounds: u64,
    /// A digest of the digests of all games, in order.
    pub digest: u64,
}

impl Standings {
    /// Summarizes the results of a match.
    #[must_use]
    pub fn from_results(setup: &Setup, results: &[GameResult]) -> Self {
        let mut tally = Tally::new(setup);
        results.iter().for_each(|result| tally.add(result));
        tally.finish()
    }
}

/// The maximum number of reasons counted separately. A ruleset may invent any number of reasons.
const MOST_REASONS: usize = 1_000;
const OTHER_REASONS: &str = "other reasons";

/// A running summary of a match's results. It does not store the results.
#[derive(Clone)]
pub struct Tally<'a> {
    setup: &'a Setup,
    counted: Standings,
    rounds: BTreeMap<u32, u64>,
    turns: BTreeMap<u32, u64>,
}

impl<'a> Tally<'a> {
    /// Starts a summary without games.
    #[must_use]
    pub fn new(setup: &'a Setup) -> Self {
        let players = setup.bots.len();
        let standing = |spec: &BotSpec| Standing {
            name: spec.name.clone(),
            bot: spec.bot.clone(),
            wins: 0,
            draws: 0,
            faults: 0,
            rate: Rate::new(0, 0),
            by_seat: vec![(0, 0); players],
        };
        let rounds = BTreeMap::new();
        let turns = BTreeMap::new();
        let counted = Standings {
            games: 0,
            bots: setup.bots.iter().map(standing).collect(),
            by_seat: vec![0; players],
            reasons: BTreeMap::new(),
            rounds: Spread::from_counts(&rounds),
            turns: Spread::from_counts(&turns),
            decisions: 0,
            battle_rounds: 0,
            digest: 0,
        };
        Self {
            setup,
            counted,
            rounds,
            turns,
        }
    }

    /// Adds the result of the next game. Games must come in their order.
    pub fn add(&mut self, result: &GameResult) {
        let all = &mut self.counted;
        all.games += 1;
        let full = all.reasons.len() >= MOST_REASONS && !all.reasons.contains_key(&*result.reason);
        let reason = if full { OTHER_REASONS } else { &result.reason };
        *all.reasons.entry(reason.to_owned()).or_default() += 1;
        all.digest = mix(all.digest ^ result.digest).rotate_left(17);
        all.decisions += result.decisions;
        all.battle_rounds += result.battle_rounds;
        *self.rounds.entry(result.rounds).or_default() += 1;
        *self.turns.entry(result.turns).or_default() += 1;
        for (seat, &player) in self.setup.seating(result.number).iter().enumerate() {
            let bot = &mut all.bots[player];
            let won = result.winners.0 & (1 << seat) != 0;
            let alone = won && !result.shared;
            bot.by_seat[seat].0 += 1;
            bot.by_seat[seat].1 += u64::from(alone);
            bot.wins += u64::from(alone);
            bot.draws += u64::from(result.winners.is_empty() || (won && !alone));
            bot.faults += u64::from(result.faults[seat]);
            all.by_seat[seat] += u64::from(alone);
        }
    }

    /// Returns the statistics of all games that were added.
    #[must_use]
    pub fn finish(self) -> Standings {
        let mut all = self.counted;
        for bot in &mut all.bots {
            bot.rate = Rate::new(bot.wins, all.games);
        }
        (all.rounds, all.turns) = (
            Spread::from_counts(&self.rounds),
            Spread::from_counts(&self.turns),
        );
        all
    }
}
