//! What a recorded game says: luck apart from skill, and who was about to win, by playing on.
//!
//! Floating point is fine here: nothing of this enters a game.

pub mod chances;
pub mod decisions;
pub mod luck;
pub mod rollouts;
