//! Ladders: people submit scripts, matches are played all the time, and the standings are those of
//! a tournament.
//!
//! A ladder is a folder: `plan.json` is its plan, `people.jsonl` lists the people and their
//! actions, `log.jsonl` has a line for each block played, `scripts` has the scripts, `records` the
//! last games, and `faults` the faults of each bot, for its owner alone.

mod folder;
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
pub use journal::JournalEntry;
pub use referee::{FaultNote, OpenGame, WatchedGame};
pub use roster::{Person, Roster, Version, check_bot_name};
pub use standings::{LadderStandings, StandingRow};
pub use state::{Ladder, LadderConfig, LadderFault, Page, PlayedGame, Summary};
