#![doc = include_str!("../README.md")]
//!
//! # Where to find what
//!
//! A [`TournamentPlan`](tournament::TournamentPlan) plays a [`Design`](tournament::Design), and a
//! [`Ladder`](ladder::Ladder) plays without end. [`rating`] plays against a frozen field. [`check`]
//! tests a bot or a ruleset, and [`analysis`] examines games move by move.
//!
//! # Invariants
//!
//! - An interrupted tournament can be resumed at any point, with the same results as an
//!   uninterrupted tournament.
//! - A block counts as a whole or not at all. Results do not depend on the number of threads.
//! - Files are read and written only in the folders of tournaments and ladders.

pub mod analysis;
pub mod check;
pub mod ladder;
pub mod plain_files;
pub mod rating;
pub mod test_files;
pub mod tournament;
