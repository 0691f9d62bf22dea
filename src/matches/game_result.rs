//! What is kept of one game of many.

use std::sync::Arc;

use crate::kernel::id::PlayerSet;
use crate::kernel::outcome::Outcome;
use crate::kernel::state::GameState;

/// What is kept of one game of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The number of the game, from 0.
    pub number: u64,
    /// The winning seats.
    pub winners: PlayerSet,
    /// Why it ended.
    pub reason: Arc<str>,
    /// How many rounds had begun when it ended.
    pub rounds: u32,
    /// How many turns of players had begun when it ended.
    pub turns: u32,
    /// How many answers were taken from all players.
    pub decisions: u64,
    /// How often dice were rolled for a fight.
    pub battle_rounds: u64,
    /// Faults of the players, by seat.
    pub faults: Vec<u32>,
    /// The digest of the last state.
    pub digest: u64,
}

impl GameResult {
    pub(super) fn new(number: u64, game: &GameState, outcome: &Outcome) -> Self {
        Self {
            number,
            winners: outcome.winners,
            reason: outcome.reason.as_str().into(),
            rounds: game.round(),
            turns: game.turn(),
            decisions: game.answers(),
            battle_rounds: game.battle_rounds(),
            faults: game.seats().map(|player| game.strikes(player)).collect(),
            digest: game.digest(),
        }
    }
}
