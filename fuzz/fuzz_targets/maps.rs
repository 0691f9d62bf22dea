//! Map files of any bytes: no panic, no hang. `cargo +nightly fuzz run maps` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;
use risk_cli::load::diag::{TextFile, render};
use risk_cli::load::{lint::Levels, map};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let checked = map::check(&TextFile::new("fuzzed.yaml", text), &Levels::default());
    let _ = render(&checked.findings, false, 80);
});
