//! The numbers that an isolated process is told: any are taken or refused, and those that are taken
//! come back as they were. `.ci/fuzz 600 numbers` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;

// Scripts run where their memory is counted.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator;

#[path = "../../crates/engine/tests/it/numbers.rs"]
mod numbers;

fuzz_target!(|data: &[u8]| {
    numbers::read(data);
});
