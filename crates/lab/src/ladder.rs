//! Ladders: people hand in scripts, matches are played all the time, and the standings are those of
//! a tournament.
//!
//! A ladder lives in a folder: `plan.json` says what is played, `people.jsonl` who may hand in and
//! what they did, `log.jsonl` what was played, a line for each block, `scripts` has the scripts,
//! `records` the last games and `faults` what went wrong, for the owner of each bot alone.

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
