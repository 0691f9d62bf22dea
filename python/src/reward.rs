//! What a game is worth to a player once it is over.

use risk_engine::{Outcome, Player};

/// 1 for the winner alone, 0 for a draw of all, and the sum of all players is 0: a share of the win,
/// scaled.
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
