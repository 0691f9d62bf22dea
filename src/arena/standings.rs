//! What many games say: wins with intervals, by bot and by seat, lengths, endings.

use std::collections::BTreeMap;

use super::{GameResult, Setup};
use crate::kernel::rng::mix;

/// A share of games with its 95 % Wilson interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// The share.
    pub rate: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Rate {
    /// So many of so many. Of none: anything is possible.
    #[must_use]
    pub fn of(count: u64, all: u64) -> Self {
        const Z: f64 = 1.959_963_984_540_054;
        if all == 0 {
            return Self { rate: 0.0, low: 0.0, high: 1.0 };
        }
        let (n, p) = (all as f64, count as f64 / all as f64);
        let centre = p + Z * Z / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        Self { rate: p, low: ((centre - spread) / scale).max(0.0), high: ((centre + spread) / scale).min(1.0) }
    }
}

/// The spread of a number over the games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The 5th percentile.
    pub p5: u32,
    /// The 95th percentile.
    pub p95: u32,
}

impl Spread {
    fn of(mut values: Vec<u32>) -> Self {
        values.sort_unstable();
        let count = values.len().max(1);
        let at = |share: usize| values.get((values.len().saturating_sub(1)) * share / 100).copied().unwrap_or(0);
        let middle = |index: usize| f64::from(values.get(index).copied().unwrap_or(0));
        let median = if values.len().is_multiple_of(2) && !values.is_empty() {
            f64::midpoint(middle(values.len() / 2 - 1), middle(values.len() / 2))
        } else {
            middle(values.len() / 2)
        };
        let sum: u64 = values.iter().map(|&value| u64::from(value)).sum();
        Self { mean: sum as f64 / count as f64, median, p5: at(5), p95: at(95) }
    }
}

/// One player's standing.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The name.
    pub name: String,
    /// The bot as given.
    pub bot: String,
    /// Games won alone.
    pub wins: u64,
    /// Games in which nobody won, or several did and this player was one of them.
    pub draws: u64,
    /// Faults in all games.
    pub faults: u64,
    /// The share of games won.
    pub rate: Rate,
    /// Games and wins on each seat.
    pub by_seat: Vec<(u64, u64)>,
}

/// What a match says.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// How many games.
    pub games: u64,
    /// By player, in the order given.
    pub bots: Vec<Standing>,
    /// Wins on each seat.
    pub by_seat: Vec<u64>,
    /// How games ended.
    pub reasons: BTreeMap<String, u64>,
    /// Rounds.
    pub rounds: Spread,
    /// Player-turns.
    pub turns: Spread,
    /// Answers in all games.
    pub decisions: u64,
    /// Dice rounds in all games.
    pub battle_rounds: u64,
    /// A digest of all games' digests in order.
    pub digest: u64,
}

impl Standings {
    /// Counts the results of a match.
    #[must_use]
    pub fn of(setup: &Setup, results: &[GameResult]) -> Self {
        let players = setup.entrants.len();
        let mut bots: Vec<Standing> = setup
            .entrants
            .iter()
            .map(|entrant| Standing {
                name: entrant.name.clone(),
                bot: entrant.bot.clone(),
                wins: 0,
                draws: 0,
                faults: 0,
                rate: Rate::of(0, 0),
                by_seat: vec![(0, 0); players],
            })
            .collect();
        let mut by_seat = vec![0; players];
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        let mut digest = 0;
        for result in results {
            *reasons.entry(result.reason.to_string()).or_default() += 1;
            digest = mix(digest ^ result.digest).rotate_left(17);
            for (seat, &player) in setup.seating(result.number).iter().enumerate() {
                let bot = &mut bots[player];
                let won = result.winners.0 & (1 << seat) != 0;
                let alone = won && result.winners.len() == 1;
                bot.by_seat[seat].0 += 1;
                bot.by_seat[seat].1 += u64::from(alone);
                bot.wins += u64::from(alone);
                bot.draws += u64::from(result.winners.is_empty() || (won && !alone));
                bot.faults += u64::from(result.faults[seat]);
                by_seat[seat] += u64::from(alone);
            }
        }
        for bot in &mut bots {
            bot.rate = Rate::of(bot.wins, results.len() as u64);
        }
        Self {
            games: results.len() as u64,
            bots,
            by_seat,
            reasons,
            rounds: Spread::of(results.iter().map(|result| result.rounds).collect()),
            turns: Spread::of(results.iter().map(|result| result.turns).collect()),
            decisions: results.iter().map(|result| result.decisions).sum(),
            battle_rounds: results.iter().map(|result| result.battle_rounds).sum(),
            digest,
        }
    }
}
