//! The state that is carried from one order to the next during an execution of orders.

use crate::id::{MAX_PLAYERS, Player, PlayerSet, Territory};
use crate::state::GameState;

/// The armies that may still advance and the players at peace while orders are executed.
#[derive(Clone, Debug)]
pub struct ExecutionState {
    /// The number of armies that may still advance, by territory.
    ready: Vec<i32>,
    /// The players at peace with each player, by seat.
    peace: [PlayerSet; MAX_PLAYERS],
}

impl ExecutionState {
    pub(super) fn new(game: &GameState) -> Self {
        let board = game.board();
        Self {
            ready: board.territories().map(|at| game.armies(at)).collect(),
            peace: [PlayerSet::default(); MAX_PLAYERS],
        }
    }

    /// Returns the number of armies on a territory that may still advance: armies that were present
    /// and have not been ordered away. Armies that arrive later are not included.
    #[must_use]
    pub fn ready(&self, at: Territory) -> i32 {
        self.ready[at.index()]
    }

    /// Sets the number of armies on a territory that may still advance.
    pub fn set_ready(&mut self, at: Territory, armies: i32) {
        self.ready[at.index()] = armies;
    }

    /// Reports whether there is peace between two players.
    #[must_use]
    pub fn at_peace(&self, one: Player, other: Player) -> bool {
        self.peace[one.index()].has(other)
    }

    /// Makes peace between two players until all orders are executed.
    pub fn make_peace(&mut self, one: Player, other: Player) {
        let set = &mut self.peace;
        set[one.index()] = set[one.index()].with(other);
        set[other.index()] = set[other.index()].with(one);
    }
}
