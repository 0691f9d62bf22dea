//! What games say: checks of bots and rulesets, luck apart from skill, tournaments and ladders.

pub mod analysis;
pub mod check;
mod error;
pub mod ladder;
pub mod plain_files;
pub mod test_files;
pub mod tournament;

pub use error::LabError;
