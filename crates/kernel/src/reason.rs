//! The reasons for which the kernel itself ends a game. All others are words of the ruleset.

/// Nobody plays on.
pub const DRAW: &str = "draw";
/// The declared number of player-turns has been played.
pub const TURN_LIMIT: &str = "limit";
/// There were as many answers as [`Limits`](crate::Limits) allow.
pub const ANSWER_LIMIT: &str = "answer-limit";
/// There were more events than [`Limits`](crate::Limits) allow.
pub const EVENT_LIMIT: &str = "event-limit";
/// There were more faults than one game may have.
pub const FAULT_LIMIT: &str = "fault-limit";
