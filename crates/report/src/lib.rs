//! Events and standings as text and JSON. Everything writes to a writer it is handed.

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
pub mod json;
pub mod map_stats;
pub mod odds;
pub mod picture;
pub mod profile;
pub mod screen;
pub mod standings;
pub mod story;
pub mod tournament;
pub mod viewer;

pub use risk_kernel::Tee;
