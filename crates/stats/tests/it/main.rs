//! The tests of the statistics.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod stats;
