//! Arbitrary answers of bots over HTTP: no panic, no hang, every message bounded. `.ci/fuzz 600
//! answers` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;

// Scripts run where their memory is counted.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();

#[path = "../../crates/arena/tests/it/wire_inputs.rs"]
#[expect(dead_code, reason = "each target reads one kind of input")]
mod wire_inputs;

fuzz_target!(|data: &[u8]| wire_inputs::answers(data));
