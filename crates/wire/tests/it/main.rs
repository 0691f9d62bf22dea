//! Tests of the messages to remote bots.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod bot_side;
mod bot_spec;
mod headers;
mod http_twin;
mod leaks;
mod naming;
mod panics;
mod transports;

use risk_engine::{Library, Setup};
use risk_testing::games;
use std::sync::LazyLock;

/// The library of the program, with the schemes of remote bots.
fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> =
        LazyLock::new(|| games::library().clone().with_schemes(risk_wire::SCHEMES));
    &LIBRARY
}

/// Sets up a match with bots of this library.
fn setup(
    ruleset: &str,
    map: Option<&str>,
    bots: &[&str],
    seed: u64,
    options: &[(&str, &str)],
) -> Setup {
    games::setup_from(library(), ruleset, map, bots, seed, options)
}

#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator;
