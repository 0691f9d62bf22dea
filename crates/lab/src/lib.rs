//! Checks of bots and rulesets, analysis of luck and skill, tournaments and ladders.
//!
//! A [`Design`](tournament::Design) decides which bots meet; a
//! [`TournamentPlan`](tournament::TournamentPlan) plays it block by block into a folder. A
//! [`Ladder`](ladder::Ladder) plays without end. [`check`] tries a bot or a ruleset, and
//! [`analysis`] examines games move by move.
//!
//! # Invariants
//!
//! - A tournament that was stopped anywhere resumes, and ends like one that never stopped.
//! - A block counts whole or not at all, and the number of threads changes no figure.
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
