//! Bots and variants of rulesets made of random calls, played for some turns: no panic and no hang
//! for any calls. `.ci/fuzz 600 scripts` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;

// Scripts run where their memory is counted.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();

#[path = "../../crates/engine/tests/it/random_scripts.rs"]
mod random_scripts;

fuzz_target!(|data: &[u8]| {
    let _ = random_scripts::play(data);
});
