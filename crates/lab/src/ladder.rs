//! Ladders, which are continuous competitions of submitted scripts. Matches are played
//! continuously, and the standings use the same statistics as a tournament.
//!
//! A ladder is stored in a folder. `plan.json` contains its plan, `people.jsonl` lists the people
//! and their actions, and `log.jsonl` contains a line for each played block. The folder `scripts`
//! contains the scripts, `records` the latest games, and `faults` the faults of each bot, which
//! only its owner can see.

mod folder;
mod games;
mod journal;
mod people;
mod person_names;
mod play;
mod referee;
mod roster;
mod schedule;
mod standings;
mod state;

pub use folder::LadderFolder;
pub use games::{GameFilter, GameOutcome, Page, PlayedGame};
pub use journal::JournalEntry;
pub use referee::{FaultNote, OpenGame, WatchedGame};
pub use roster::{Person, Roster, Version, check_bot_name};
pub use standings::{LadderStandings, StandingRow};
pub use state::{Ladder, LadderConfig, LadderFault, VersionTotals};
