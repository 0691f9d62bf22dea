#![doc = include_str!("../README.md")]
//!
//! # Where to find what
//!
//! [`play`] asks people at a [`Console`] or on pages ([`PageDesk`]), and writes the record to a
//! [`GameFile`]. [`PageSheets`] has a sheet for each person and one for spectators.
//!
//! # Invariants
//!
//! * The crate knows no network, file, thread or clock, so that it also builds for a browser.
//! * A sheet contains only what its viewer may see. What others do in secret changes neither its
//!   text nor its version.
//! * The record contains each answer before the next question, apart from the answers in a secret
//!   phase that several people give at the same time.

mod adviser;
mod aims;
mod attack_list;
mod attack_report;
mod attacks;
mod card_sets;
mod commands;
mod console;
mod desk;
mod game;
mod interruption;
mod offered;
mod page;
mod page_prompt;
mod pages;
mod parameters;
mod phase_plan;
mod planner;
mod prompt;
mod reading;
mod record_in_memory;
mod requests;
mod scene;
mod seat;
mod secret_round;
mod shared_table;
mod sheets;
mod spelling;
mod terminal;
mod terrain;
mod viewer_story;
mod why_not;

pub use console::{Console, Line, NextWords};
pub use desk::{Onlookers, PageCommand, PageDesk, PageReply, PersonRequest, TableDetails};
pub use game::{GameEnd, GameFile, PeopleGame, PeopleTable, hides_nothing, play};
pub use interruption::TableError;
pub use record_in_memory::RecordInMemory;
pub use requests::NOT_OPEN;
pub use sheets::{PageSheets, Viewer};
