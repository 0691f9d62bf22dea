//! Tournaments, with designs, resumable runs, and results.
//!
//! A tournament is stored in a folder. `tournament.yaml` contains its plan, and the files
//! `log.*.jsonl` contain a line for each played block. All other files can be recreated from these
//! files. The subfolder `finals` contains the same files for the finals.

pub mod balance;
pub mod bot_log;
pub mod compare;
mod design;
mod finals;
pub mod folder;
mod game_line;
pub mod log;
pub mod logs;
mod plan;
mod plan_parts;
mod recorded_games;
pub mod results;
pub mod run;
mod shard;
mod spec;
pub mod timing;
pub mod unknown_pairs;

pub use design::{Design, DesignFault};
pub use finals::Finals;
pub use game_line::{GameLine, OperationsLine};
pub use plan::{BlockGame, MOST_BOTS, TournamentPlan};
pub use plan_parts::{Parts, PlanFile};
pub use recorded_games::{MOST_SHOWN, RECORDS, RecordedGame, RecordedGames, record_name};
pub use shard::Shard;
pub use spec::{DesignName, DesignSpec, FinalsSpec, Gauntlet, MOST_BLOCKS, TournamentSpec};
