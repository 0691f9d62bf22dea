//! Checks of bots and rulesets, analysis of luck and skill, tournaments and ladders.
//!
//! A [`Design`](tournament::Design) decides which bots meet. A
//! [`TournamentPlan`](tournament::TournamentPlan) plays the design block by block and writes the
//! results to a folder. A [`Ladder`](ladder::Ladder) plays without end. [`check`] tests a bot or a
//! ruleset, and [`analysis`] examines games move by move.
//!
//! # Invariants
//!
//! - An interrupted tournament can be resumed at any point, with the same results as an
//!   uninterrupted tournament.
//! - A block counts as a whole or not at all. Results do not depend on the number of threads.
//! - Files are read and written only in the folders of tournaments and ladders.
//!
//! ```
//! use risk_lab::tournament::Design;
//!
//! // Two of three bots meet at a table: three tables, and each bot in each seat in a block.
//! let design = Design::all(3, 2, 6)?;
//! assert_eq!(design.cycle(), 3);
//! assert_eq!(design.table(2), [1, 2]);
//! assert_eq!(design.block(2, |_| {}), [[1, 2], [2, 1]]);
//! # Ok::<(), risk_lab::tournament::DesignFault>(())
//! ```

pub mod analysis;
pub mod check;
mod error;
pub mod ladder;
pub mod plain_files;
pub mod test_files;
pub mod tournament;

pub use error::LabError;
