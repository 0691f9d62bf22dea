//! Analysis of recorded games: luck apart from skill, and chances of winning from rollouts.
//!
//! Floating point is fine here: none of these numbers enters a game.

pub mod chances;
pub mod decisions;
pub mod luck;
pub mod rollouts;
