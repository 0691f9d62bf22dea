//! Tests of the messages to remote bots.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod bot_side;
mod leaks;
mod transports;

#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator;
