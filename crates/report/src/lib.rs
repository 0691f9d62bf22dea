#![doc = include_str!("../README.md")]
//!
//! # Invariants
//!
//! * The output is returned or goes to a given writer. Nothing is printed.
//! * The same games give the same bytes on every machine.
//! * A [`Story`](story::Story) contains only what its reader may see. A page is self-contained.

pub mod analysis;
pub mod api;
pub mod api_search;
pub mod balance;
pub mod board;
pub mod checks;
pub mod comparison;
pub mod counts;
pub mod decision;
pub mod declared;
pub mod figures;
#[cfg(feature = "findings")]
pub mod findings;
pub mod game_lines;
pub mod groups;
pub mod hints;
pub mod json;
pub mod map_stats;
pub mod odds;
#[cfg(feature = "pages")]
pub mod page;
pub mod picture;
pub mod profile;
pub mod rating;
pub mod rules;
pub mod screen;
pub mod standings;
pub mod story;
pub mod tournament;
pub mod viewer;
pub mod web;

pub use risk_kernel::Tee;
