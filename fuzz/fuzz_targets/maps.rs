//! Map files of any bytes: no panic, no hang; what is read is the same board when it was written
//! and read again, and every form for other programs can be written. It runs with
//! `.ci/fuzz 600 maps` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;

// Scripts run where their memory is counted.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator;

#[path = "../../tests/it/map_bytes.rs"]
mod map_bytes;

fuzz_target!(|data: &[u8]| {
    let _ = map_bytes::read(data);
});
