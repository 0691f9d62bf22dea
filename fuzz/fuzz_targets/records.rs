//! Records of arbitrary bytes, and real ones forged: no panic, no hang, and no forged turn or end
//! is believed. `.ci/fuzz 600 records` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;

// Scripts run where their memory is counted.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();

#[path = "../../crates/engine/tests/it/random_records.rs"]
mod random_records;

fuzz_target!(|data: &[u8]| {
    let _ = random_records::play(data);
});
