//! Tests of the kernel, with rules of a few lines.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod borders;
mod groups;
mod kernel_rows;
mod laws;
mod mutators;
mod routes;
mod sights;
mod streams;
