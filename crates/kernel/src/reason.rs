//! The reasons for which the kernel itself ends a game. All others are words of the ruleset.

/// No player is left to decide.
pub const DRAW: &str = "draw";
/// The declared number of player-turns has been played.
pub const TURN_LIMIT: &str = "limit";
/// The number of answers reached its maximum in [`Limits`](crate::Limits).
pub const ANSWER_LIMIT: &str = "answer-limit";
/// The number of events reached its maximum in [`Limits`](crate::Limits).
pub const EVENT_LIMIT: &str = "event-limit";
/// The number of faults reached the maximum for one game.
pub const FAULT_LIMIT: &str = "fault-limit";
