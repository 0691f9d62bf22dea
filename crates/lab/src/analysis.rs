//! Analysis of recorded games. Separates luck from skill, and estimates the chances of winning with
//! rollouts.
//!
//! Floating-point numbers are safe in this module because they never affect a game.

pub mod chances;
pub mod decisions;
pub mod luck;
pub mod rollouts;
