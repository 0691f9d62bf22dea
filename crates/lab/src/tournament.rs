//! Tournaments: designs, runs that can be resumed after any interruption, and results.
//!
//! A tournament is a folder: `tournament.yaml` is its plan, `log.*.jsonl` have a line for each
//! block played, and everything else can be made from these two. Finals have the same files in the
//! subfolder `finals`.

pub mod balance;
pub mod bot_log;
pub mod compare;
mod design;
mod finals;
pub mod folder;
mod game_line;
pub mod holdings;
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

pub use design::{Design, DesignFault};
pub use finals::Finals;
pub use game_line::{GameLine, OperationsLine};
pub use plan::{MOST_BOTS, Seating, TournamentPlan};
pub use plan_parts::{Parts, PlanFile};
pub use recorded_games::{MOST_SHOWN, RECORDS, RecordedGame, RecordedGames, record_name};
pub use shard::Shard;
pub use spec::{DesignName, DesignSpec, FinalsSpec, Gauntlet, MOST_BLOCKS, TournamentSpec};
