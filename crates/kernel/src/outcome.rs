//! The outcome of a game.

use super::id::{Player, PlayerSet};

/// An entry in the final ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// The player in this place.
    pub player: Player,
    /// The score that the ruleset computes.
    pub score: i64,
    /// The place, from 1. Players with equal results share a place.
    pub place: u32,
}

/// The outcome of a game that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The reason, such as `conquest`, `limit`, `draw`, or a word that the ruleset defines.
    pub reason: String,
    /// The winners. Several winners share a draw. An empty set is a draw of all players.
    pub winners: PlayerSet,
    /// All players, best first.
    pub ranking: Vec<Rank>,
}

impl Outcome {
    /// Returns the scores of all players, by seat.
    #[must_use]
    pub fn scores(&self) -> Vec<i64> {
        let mut ranking: Vec<&Rank> = self.ranking.iter().collect();
        ranking.sort_unstable_by_key(|rank| rank.player);
        ranking.into_iter().map(|rank| rank.score).collect()
    }
}

/// Ranks the players: winners first, forfeited players last, and the others by score. Among players
/// with equal scores, a player who was eliminated later or not at all ranks higher. For a team, the
/// last elimination counts.
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
