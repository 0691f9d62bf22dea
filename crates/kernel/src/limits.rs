//! Limits on the length of a game.

/// The maximum number of faults in a game without a limit on each player's faults. The game ends
/// with the reason `fault-limit` when this number is reached.
pub const MOST_FAULTS: u64 = 10_000;

/// Limits on the length of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of answers, after which the game ends with the reason `answer-limit`. The
    /// same limit applies to faults that use up a player's strikes. The game then ends with the
    /// reason `fault-limit`.
    pub answers: u64,
    /// The maximum number of events. A game with more events ends with the reason `event-limit`.
    pub events: u64,
    /// The maximum number of phases entered between two answers. Exceeding it is a fault of the
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
