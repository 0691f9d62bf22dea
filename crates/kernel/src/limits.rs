//! Limits on the length of a game.

/// The maximum number of faults in one game whose players are asked again without a limit. The game
/// then ends with reason `fault-limit`.
pub const MOST_FAULTS: u64 = 10_000;

/// Limits on the length of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of answers; the game then ends with reason `answer-limit`. The same
    /// number of faults that use up a player's strikes ends it with reason `fault-limit`.
    pub answers: u64,
    /// The maximum number of events; a game with more ends with reason `event-limit`.
    pub events: u64,
    /// The maximum number of phases entered without an answer in between; more is a fault of the
    /// ruleset.
    pub idle: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answers: 1_000_000,
            events: 20_000_000,
            idle: 10_000,
        }
    }
}
