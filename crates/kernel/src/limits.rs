//! How long a game may go on.

/// Faults in one game whose players are asked again without end; then it ends
/// with reason `fault-limit`.
pub const MOST_FAULTS: u64 = 10_000;

/// How long a game may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Answers in one game; then it ends with reason `answer-limit`. As many faults that use up a
    /// player's strikes end it with reason `fault-limit`.
    pub answers: u64,
    /// Events in one game; once there are more it ends with reason `event-limit`.
    pub events: u64,
    /// Phases entered without an answer between; more is a fault of the ruleset.
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
