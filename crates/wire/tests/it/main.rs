//! Tests of the messages to remote bots.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod bot_side;
mod bot_spec;
mod callback;
mod headers;
mod http_twin;
mod leaks;
mod misbehaving;
mod naming;
mod panics;
mod remote;
mod transports;

use risk_engine::record::{read, verify};
use risk_engine::{Library, Setup, Worker};
use risk_kernel::FinishedGame;
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

/// Plays the first game of a match, and checks that its record replays without the bots. Returns
/// the game and the record.
fn played(setup: &Setup) -> (FinishedGame, String) {
    let (finished, text) = games::recorded(&mut Worker::new(setup).unwrap(), 0);
    assert!(finished.outcome.is_ok(), "{:?}", finished.outcome);
    let record = read(&text).unwrap();
    let again = record.header.setup(setup.rules.clone()).unwrap();
    let verified = verify(&record, &mut Worker::new(&again).unwrap());
    assert!(verified.unwrap().whole, "{text}");
    (finished, text)
}

#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator::new();
