//! The kernel's own reasons for ending a game. The ruleset defines all other reasons.

/// The reason if no player is left to decide.
pub const DRAW: &str = "draw";
/// The reason if the declared number of player-turns has been played.
pub const TURN_LIMIT: &str = "limit";
/// The reason if the number of answers has reached the maximum in [`Limits`](crate::Limits).
pub const ANSWER_LIMIT: &str = "answer-limit";
/// The reason if the number of events has reached the maximum in [`Limits`](crate::Limits).
pub const EVENT_LIMIT: &str = "event-limit";
/// The reason if the number of faults has reached the maximum for one game.
pub const FAULT_LIMIT: &str = "fault-limit";
