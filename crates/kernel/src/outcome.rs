//! How a game ended.

use super::fault::RuleFault;
use super::id::{Player, PlayerSet};
use super::state::GameState;

/// One line of the final ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// The player in this place.
    pub player: Player,
    /// The ruleset's score.
    pub score: i64,
    /// The place, from 1; equals share it.
    pub place: u32,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why: `conquest`, `limit`, `draw`, or a word of the ruleset.
    pub reason: String,
    /// Who won; several share a draw, none at all is a draw of all.
    pub winners: PlayerSet,
    /// Everybody, best first.
    pub ranking: Vec<Rank>,
}

impl Outcome {
    /// The scores of all players, by seat.
    #[must_use]
    pub fn scores(&self) -> Vec<i64> {
        let mut ranking: Vec<&Rank> = self.ranking.iter().collect();
        ranking.sort_unstable_by_key(|rank| rank.player);
        ranking.into_iter().map(|rank| rank.score).collect()
    }
}

/// A game that was played, to the end or not.
#[derive(Debug)]
pub struct Finished {
    /// The last state.
    pub game: GameState,
    /// How it ended, or why it did not.
    pub outcome: Result<Outcome, Stop>,
}

/// Why a game stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The ruleset made a fault.
    #[error("the ruleset failed: {0}")]
    Rules(#[from] RuleFault),
    /// Whoever runs the game wanted it to stop.
    #[error("the game was stopped")]
    Halted,
}

/// The ranking: winners first, those who forfeited last, otherwise by score; equal scores of
/// players who are out are told apart by who was out last, of a team the last one.
#[must_use]
pub(super) fn ranking(
    scores: &[i64],
    winners: PlayerSet,
    forfeited: PlayerSet,
    out_order: &[Player],
    team: impl Fn(Player) -> PlayerSet,
) -> Vec<Rank> {
    let out = |player: Player| {
        let place = out_order.iter().position(|&other| other == player);
        place.unwrap_or(out_order.len())
    };
    let key = |player: Player| {
        let out = team(player).iter().map(out).max();
        (
            winners.has(player),
            !forfeited.has(player),
            scores[player.index()],
            out,
        )
    };
    let mut order: Vec<Player> = (0..scores.len()).map(Player::from_index).collect();
    order.sort_by(|&a, &b| key(b).cmp(&key(a)).then(a.cmp(&b)));
    let mut ranks: Vec<Rank> = Vec::with_capacity(order.len());
    for (index, &player) in order.iter().enumerate() {
        let place = match ranks.last() {
            Some(last) if key(last.player) == key(player) => last.place,
            _ => index as u32 + 1,
        };
        ranks.push(Rank {
            player,
            score: scores[player.index()],
            place,
        });
    }
    ranks
}
