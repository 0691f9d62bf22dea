//! Events and standings as text, JSON, CSV, pictures and pages.
//!
//! A [`Story`](story::Story) is a sink that writes a game as it happens. The other modules write
//! results: counts, measurements and drawings.
//!
//! # Invariants
//!
//! * The output is returned or goes to a given writer. Nothing is printed.
//! * The same games give the same bytes on every machine.
//! * A story contains only what its reader may see. A page is self-contained.
//!
//! ```
//! use risk_engine::{Levels, Library, load_map};
//! use risk_report::map_stats::Stats;
//!
//! # fn main() -> Result<(), risk_engine::LoadError> {
//! let board = load_map(&Library::default(), "grid:3x3", &Levels::default())?;
//! let stats = Stats::new(&board);
//! assert_eq!(stats.diameter(), 2);
//! assert_eq!(stats.json(&board)["territories"], 9);
//! # Ok(())
//! # }
//! ```

pub mod analysis;
pub mod api;
pub mod api_search;
pub mod balance;
pub mod board;
pub mod comparison;
pub mod counts;
pub mod decision;
pub mod declared;
pub mod figures;
pub mod findings;
pub mod game_lines;
pub mod hints;
pub mod json;
pub mod map_stats;
pub mod odds;
pub mod page;
pub mod picture;
pub mod profile;
pub mod rules;
pub mod screen;
pub mod standings;
pub mod story;
pub mod tournament;
pub mod viewer;
pub mod web;

pub use risk_kernel::Tee;
