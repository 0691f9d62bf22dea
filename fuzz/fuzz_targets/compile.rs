//! Arbitrary text as a bot and as a ruleset, compiled and checked: no panic, no hang, and never
//! more memory than is allowed. `.ci/fuzz 600 compile` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;

// Scripts run where their memory is counted.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();

#[path = "../../crates/engine/tests/it/compiled.rs"]
mod compiled;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        compiled::read(text);
    }
});
