//! docs later
pub mod kernel;
