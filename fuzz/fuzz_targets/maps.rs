//! Map files of arbitrary bytes: no panic, no hang; a board that is written and read again stays
//! the same, and it can be written in every form for other programs. `.ci/fuzz 600 maps` in the
//! project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;

// Scripts run where their memory is counted.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();

#[path = "../../crates/report/tests/it/map_bytes.rs"]
mod map_bytes;

fuzz_target!(|data: &[u8]| {
    let _ = map_bytes::read(data);
});
