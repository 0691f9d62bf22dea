//! The badges, markers and tracks that a ruleset declares in `board:`. Screens show them, and they
//! don't affect the game.

use super::board::Board;
use super::id::{Counter, Territory};

/// The declarations of `board:`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardHints {
    /// The badge of each kind of units, by unit: up to three characters beside its number. Empty if
    /// the ruleset declares none.
    pub badges: Vec<String>,
    /// The markers on the map, in the order of their keys.
    pub markers: Vec<Marker>,
    /// The tracks beside the map.
    pub tracks: Vec<Track>,
}

/// A mark for the territories that have a certain key in the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The key in the map's territories.
    pub key: String,
    /// What players call it: `mothership`.
    pub title: String,
    /// Where it is drawn.
    pub place: MarkerPlace,
    /// The table's counter whose bit N is set once the marker of territory N is gone; `None` if
    /// markers stay.
    pub gone: Option<Counter>,
}

/// The place of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerPlace {
    /// At each territory with the key.
    Each,
    /// Once, in the middle of the territories with the key.
    Middle,
}

/// A row of spaces, on which a counter stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// The counter, which all players see. Its value is the number of spaces passed.
    pub counter: Counter,
    /// The title.
    pub title: String,
    /// What stands on each space: up to three characters.
    pub spaces: Vec<String>,
    /// The counter of pieces on the next spaces, which all players see.
    pub ahead: Option<Counter>,
    /// Whether each player has a track. If not, the counters are the table's.
    pub of_players: bool,
}

impl Marker {
    /// Returns the territories with the marker's key, in order.
    pub fn territories<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = Territory> + 'a {
        let has = |&at: &Territory| board.info(at).data.contains_key(&self.key);
        board.territories().filter(has)
    }

    /// Reports whether the marker of a territory is gone. `of_table` returns the table's value of a
    /// counter.
    pub fn is_gone(&self, at: Territory, of_table: impl Fn(Counter) -> i64) -> bool {
        let bits = self.gone.map_or(0, of_table);
        let bit = u32::try_from(at.index()).ok();
        bit.and_then(|bit| bits.checked_shr(bit))
            .is_some_and(|bits| bits & 1 == 1)
    }
}
