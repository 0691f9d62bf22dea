//! What an arena tells everybody of its match.

use serde_json::{Value, json};

/// How far a game is, in the numbers of the arenas in the wild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Players may still join.
    Joining = 1,
    /// The board is set up.
    Deploying = 2,
    /// Turns are played.
    Attacking = 3,
    /// The game is over.
    Over = 4,
}

/// How a player stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerStats {
    /// All armies on the board.
    pub armies: i64,
    /// How many territories are owned.
    pub territories: u32,
    /// The ruleset's score.
    pub score: i64,
}

/// A game as the arena tells of it. `stats` are by player, or none where they are hidden; `board`
/// is made of [`cell`](super::cell)s.
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
