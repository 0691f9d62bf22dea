//! The public status of a match at an arena.

use serde_json::{Value, json};

/// The stage of a game, with the numbers that existing arenas use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Players may still join.
    Joining = 1,
    /// The board is being set up.
    Deploying = 2,
    /// Players are taking turns.
    Attacking = 3,
    /// The game is over.
    Over = 4,
}

/// A player's results so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerStats {
    /// The number of the player's armies on the board.
    pub armies: i64,
    /// The number of territories that the player owns.
    pub territories: u32,
    /// The player's score under the ruleset.
    pub score: i64,
}

/// Returns the public status of a game. `stats` contains one entry per player, or none if the
/// results are hidden. `board` is a list of [`cell`](super::cell)s.
#[must_use]
pub fn status(names: &[String], stats: &[PlayerStats], stage: Stage, board: &[Value]) -> Value {
    let players = names.iter().zip(stats).map(|(name, stats)| {
        json!({
            "name": name,
            "armies": stats.armies,
            "territories": stats.territories,
            "score": stats.score,
        })
    });
    json!({
        "players": names,
        "playerStats": players.collect::<Vec<_>>(),
        "gameState": stage as i32,
        "board": board,
    })
}
