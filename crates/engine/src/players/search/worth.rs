//! The worth of a position for each player, from 0 to 1.

use risk_kernel::Rules;
use risk_kernel::event::Status;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::Player;
use risk_kernel::reason;
use risk_kernel::state::{Ending, GameState};
use risk_kernel::view::Facts;

/// The weights of a player's shares in the scores, the territories and the units, and of the change
/// of the player's own score, for rulesets without the hook `worth`.
const SCORE: f64 = 2.0;
const LAND: f64 = 1.0;
const UNITS: f64 = 1.0;
const OWN: f64 = 0.25;
/// The worth of an unfinished game stays between that of a lost and that of a won game.
const MARGIN: f64 = 0.05;
/// The worth of a game that all players win. It is more than that of most unfinished games, because
/// it is the aim if players win together.
const ALL_WIN: f64 = 0.75;

/// Reports whether the game ended at a limit without winners. Its players are only ranked.
fn is_limit(ending: &Ending) -> bool {
    let limits = [
        reason::TURN_LIMIT,
        reason::ANSWER_LIMIT,
        reason::EVENT_LIMIT,
    ];
    ending.winners.is_empty() && limits.contains(&ending.reason.as_str())
}

/// The scores before the plan, by seat.
pub(super) struct Start(Vec<i64>);

impl Start {
    pub(super) fn new(game: &Facts, rules: &mut dyn Rules) -> Result<Self, RuleFault> {
        game.seats()
            .map(|player| rules.score(game, player))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Returns the worth of a later position for each player.
    pub(super) fn worths(
        &self,
        game: GameState,
        rules: &mut dyn Rules,
    ) -> Result<Vec<f64>, RuleFault> {
        let game = &Facts::new(game);
        if let Some(ending) = game.ending().filter(|ending| !is_limit(ending)) {
            let winners = ending.winners;
            let all = winners.len() as u32;
            let share = match all as usize == game.players() {
                true => ALL_WIN,
                false => 1.0 / f64::from(all.max(1)),
            };
            let won = |player| if winners.has(player) { share } else { 0.0 };
            return Ok(game.seats().map(won).collect());
        }
        let mut compared = Vec::new();
        for player in game.seats() {
            compared.extend(rules.worth(game, player)?);
        }
        if compared.len() == game.players() {
            let equal = || vec![1.0 / game.players() as f64; game.players()];
            return Ok(spread(game, &shares(game, &compared).unwrap_or_else(equal)));
        }
        let scores = game.seats().map(|player| rules.score(game, player));
        let scores = scores.collect::<Result<Vec<i64>, _>>()?;
        let land = game
            .seats()
            .map(|player| i64::from(game.territory_count(player)));
        let units = game.seats().map(|player| game.strength(player));
        let parts = [
            (SCORE, shares(game, &scores)),
            (LAND, shares(game, &land.collect::<Vec<_>>())),
            (UNITS, shares(game, &units.collect::<Vec<_>>())),
            (OWN, Some(self.changes(&scores))),
        ];
        let mut sum = vec![0.0; game.players()];
        let mut weights = 0.0;
        for (weight, shares) in parts {
            let Some(shares) = shares else { continue };
            weights += weight;
            for (sum, share) in sum.iter_mut().zip(shares) {
                *sum += weight * share;
            }
        }
        sum.iter_mut().for_each(|sum| *sum /= weights);
        Ok(spread(game, &sum))
    }

    fn changes(&self, scores: &[i64]) -> Vec<f64> {
        let pairs = self.0.iter().zip(scores);
        let change = |(&before, &now): (&i64, &i64)| {
            let (before, now) = (before as f64, now as f64);
            0.5 + 0.5 * (now - before) / (before.abs() + now.abs()).max(1.0)
        };
        pairs.map(change).collect()
    }
}

/// Returns each player's share; `None` if nobody has anything.
fn shares(game: &Facts, values: &[i64]) -> Option<Vec<f64>> {
    let all: f64 = values.iter().map(|value| value.unsigned_abs() as f64).sum();
    if all == 0.0 {
        return None;
    }
    let players = game.players() as f64;
    let mean = values.iter().map(|&value| value as f64).sum::<f64>() / players;
    let share = |&value: &i64| 1.0 / players + (value as f64 - mean) / all;
    Some(values.iter().map(share).collect())
}

/// Keeps worths apart from those of lost and won games. A player who is out has lost.
fn spread(game: &Facts, worths: &[f64]) -> Vec<f64> {
    let mut all = vec![0.0; game.players()];
    for (index, &worth) in worths.iter().enumerate() {
        if game.status(Player::from_index(index)) != Status::Eliminated {
            all[index] = MARGIN + (1.0 - 2.0 * MARGIN) * worth;
        }
    }
    all
}
