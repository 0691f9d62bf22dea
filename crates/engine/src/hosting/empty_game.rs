//! Games for data that needs no match.

use std::sync::Arc;

use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;

/// Returns a game on an empty board, without a seed of its own.
#[must_use]
pub fn empty_game(board: &Arc<Board>, decl: &Arc<Declaration>, players: usize) -> GameState {
    let key = GameKey::of_numbers(0, 0);
    GameState::new(Arc::clone(board), Arc::clone(decl), players, key)
}
