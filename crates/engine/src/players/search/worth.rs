//! The worth of a position for each player, from 0 to 1.

use risk_kernel::Rules;
use risk_kernel::event::Status;
use risk_kernel::fault::RuleResult;
use risk_kernel::id::Player;
use risk_kernel::reason;
use risk_kernel::state::Ending;
use risk_kernel::view::Facts;

/// The weights of a player's shares in the scores, the territories and the units, and of the change
/// of the player's own score. With the hook `worth`, its values replace the scores, and territories
/// and units don't count.
const SCORE: f64 = 2.0;
const LAND: f64 = 1.0;
const UNITS: f64 = 1.0;
const OWN: f64 = 0.25;
/// The worth of an unfinished game stays between that of a lost and that of a won game.
const MARGIN: f64 = 0.05;
/// The worth of a game that all players win. It is more than that of most unfinished games, because
/// it is the aim if players win together.
const ALL_WIN: f64 = 0.75;
/// What a win loses if it comes after many turns, and a defeat gains. Without it, every decision is
/// as good as any once all of them win.
const LATE: f64 = 0.04;
const MANY_TURNS: f64 = 50.0;

/// Reports whether the game ended at a limit without winners. Its players are only ranked.
fn is_limit(ending: &Ending) -> bool {
    let limits = [
        reason::TURN_LIMIT,
        reason::ANSWER_LIMIT,
        reason::EVENT_LIMIT,
    ];
    ending.winners.is_empty() && limits.contains(&ending.reason.as_str())
}

/// How well the players stand: what the ruleset says of their positions, or else their scores.
struct Standing {
    values: Vec<i64>,
    is_by_worth: bool,
}

impl Standing {
    /// Uses the bot's `own` values if there are any.
    fn new(game: &Facts, own: Option<Vec<i64>>, rules: &mut dyn Rules) -> RuleResult<Self> {
        let by_rules = game.seats().map(|player| rules.worth(game, player));
        let worths = own.map_or_else(|| by_rules.collect(), |values| Ok(Some(values)))?;
        if let Some(values) = worths {
            return Ok(Self {
                values,
                is_by_worth: true,
            });
        }
        let scores = game.seats().map(|player| rules.score(game, player));
        Ok(Self {
            values: scores.collect::<Result<_, _>>()?,
            is_by_worth: false,
        })
    }
}

/// How well the players stand before the plan, and the turn.
pub(super) struct Start {
    standing: Standing,
    turn: u32,
}

impl Start {
    pub(super) fn new(
        game: &Facts,
        own: Option<Vec<i64>>,
        rules: &mut dyn Rules,
    ) -> RuleResult<Self> {
        Ok(Self {
            standing: Standing::new(game, own, rules)?,
            turn: game.turn(),
        })
    }

    /// Returns the worth of a later position for each player.
    pub(super) fn worths(
        &self,
        game: &Facts,
        own: Option<Vec<i64>>,
        rules: &mut dyn Rules,
    ) -> RuleResult<Vec<f64>> {
        if let Some(ending) = game.ending().filter(|ending| !is_limit(ending)) {
            let winners = ending.winners;
            let all = winners.len() as u32;
            let share = match all as usize == game.players() {
                true => ALL_WIN,
                false => 1.0 / f64::from(all.max(1)),
            };
            let turns = f64::from(game.turn().saturating_sub(self.turn));
            let late = LATE * (turns / MANY_TURNS).min(1.0);
            let worth = |player| match winners.has(player) {
                true => share - late,
                false => late,
            };
            return Ok(game.seats().map(worth).collect());
        }
        let Standing {
            values,
            is_by_worth,
        } = Standing::new(game, own, rules)?;
        let mut parts = vec![
            (SCORE, shares(game, &values)),
            (OWN, Some(self.changes(&values))),
        ];
        if !is_by_worth {
            let land = |player| i64::from(game.territory_count(player));
            let land: Vec<i64> = game.seats().map(land).collect();
            let units: Vec<i64> = game.seats().map(|player| game.strength(player)).collect();
            parts.push((LAND, shares(game, &land)));
            parts.push((UNITS, shares(game, &units)));
        }
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

    /// Returns how much better than before each player stands, from 0 to 1. In a game that all win
    /// or lose, and where the others have nothing, shares say nothing.
    fn changes(&self, values: &[i64]) -> Vec<f64> {
        let pairs = self.standing.values.iter().zip(values);
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
