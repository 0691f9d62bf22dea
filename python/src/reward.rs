//! The result of a game.

use risk_engine::{Outcome, Player};
use risk_kernel::reason;
use serde_json::json;

/// Returns the scaled share of the win: 1 for a single winner, 0 for a draw of all players. The
/// rewards of all players add up to 0.
pub(crate) fn of(outcome: &Outcome, seat: usize) -> f32 {
    let players = outcome.ranking.len();
    if players < 2 {
        return if outcome.winners.is_empty() { 0.0 } else { 1.0 };
    }
    let winners = outcome.winners.len();
    let share = if winners == 0 {
        1.0 / players as f32
    } else if outcome.winners.has(Player::from_index(seat)) {
        1.0 / winners as f32
    } else {
        0.0
    };
    (players as f32 * share - 1.0) / (players as f32 - 1.0)
}

/// Reports whether a limit has ended the game, and not its rules.
pub(crate) fn is_truncated(outcome: &Outcome) -> bool {
    let limits = [
        reason::TURN_LIMIT,
        reason::ANSWER_LIMIT,
        reason::EVENT_LIMIT,
        reason::FAULT_LIMIT,
    ];
    outcome.winners.is_empty() && limits.contains(&&*outcome.reason)
}

/// Returns the place of each player, by seat.
pub(crate) fn places(outcome: &Outcome) -> Vec<u32> {
    let mut places = vec![0; outcome.ranking.len()];
    for rank in &outcome.ranking {
        places[rank.player.index()] = rank.place;
    }
    places
}

pub(crate) fn outcome_value(outcome: &Outcome) -> serde_json::Value {
    let rank = |rank: &risk_engine::Rank| json!({ "player": rank.player.index(), "score": rank.score, "place": rank.place });
    json!({
        "reason": outcome.reason,
        "winners": outcome.winners.iter().map(Player::index).collect::<Vec<_>>(),
        "ranking": outcome.ranking.iter().map(rank).collect::<Vec<_>>(),
    })
}
