//! The public status of an arena's match.

use serde_json::{Value, json};

/// The stage of a game, in the numbers of arenas in the wild.
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

/// A player's results so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerStats {
    /// All armies on the board.
    pub armies: i64,
    /// Number of territories owned.
    pub territories: u32,
    /// The ruleset's score.
    pub score: i64,
}

/// Returns the public status of a game. `stats` are by player, or empty if they are hidden; `board`
/// consists of [`cell`](super::cell)s.
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
