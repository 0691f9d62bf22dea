//! The tests of tournaments and analysis.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod checks;
mod designs;
mod luck;
mod positions;
mod rollouts;
mod script_calls;
mod teams;
mod told_chances;

#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator::new();
