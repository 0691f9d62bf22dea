//! What holds while orders are executed, from one order to the next.

use crate::id::{MAX_PLAYERS, Player, PlayerSet, Territory};
use crate::state::GameState;

/// Which armies may still go, and who is at peace, while orders are executed.
#[derive(Clone, Debug)]
pub struct UnderWay {
    /// How many armies can still go, by territory.
    ready: Vec<i32>,
    /// By seat: with whom.
    peace: [PlayerSet; MAX_PLAYERS],
}

impl UnderWay {
    /// Everybody is ready, nobody is at peace.
    pub(super) fn new(game: &GameState) -> Self {
        let board = game.board();
        Self {
            ready: board.territories().map(|at| game.armies(at)).collect(),
            peace: [PlayerSet::default(); MAX_PLAYERS],
        }
    }

    /// How many armies on a territory may still go: those that stood there and were not ordered
    /// away yet. They are no more than that, whatever came to stand there.
    #[must_use]
    pub fn ready(&self, at: Territory) -> i32 {
        self.ready[at.index()]
    }

    /// Says how many armies on a territory may still go.
    pub fn set_ready(&mut self, at: Territory, armies: i32) {
        self.ready[at.index()] = armies;
    }

    /// Is there peace between two players?
    #[must_use]
    pub fn at_peace(&self, one: Player, other: Player) -> bool {
        self.peace[one.index()].has(other)
    }

    /// Two players make peace, until all orders are executed.
    pub fn make_peace(&mut self, one: Player, other: Player) {
        let set = &mut self.peace;
        set[one.index()] = set[one.index()].with(other);
        set[other.index()] = set[other.index()].with(one);
    }
}
