#![doc = include_str!("../README.md")]
//!
//! # Invariants
//!
//! * The crate uses no thread, clock, file, socket or random number. The page chooses seeds.
//! * A reply depends only on the requests so far.
//! * Games with people are those of `risk-people`, and matches those of `risk-engine`.

mod desk;
mod exports;
mod files;
mod game;
mod link;
mod linked_seat;
mod messages;
mod playground;
mod replay;
mod replies;
#[cfg(feature = "tools")]
mod tools;
mod work;

pub use exports::{playground_buffer, playground_handle, playground_length, playground_room};
pub use link::{FORMAT, LONGEST_LINK};
pub use messages::{Kind, OptionEntry, OwnFile, Reply, Request, RulesetEntry, schema};
pub use playground::Playground;
