//! Map files of any bytes: no panic, no hang, and what is read is written and read again.
//! `cargo +nightly fuzz run maps CORPUS tests/maps` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;
use risk_cli::load::diag::{TextFile, brief, render};
use risk_cli::load::map::write::{Target, write};
use risk_cli::load::{lint::Levels, map};

fuzz_target!(|data: &[u8]| {
    let checked = match map::read("fuzzed.map", data.to_vec(), &Levels::default()) {
        Ok(checked) => checked,
        Err(failure) => {
            let _ = render(&failure.findings, false, 80);
            return;
        }
    };
    let some: Vec<_> = checked.findings.iter().take(20).cloned().collect();
    let _ = render(&some, false, 80);
    let _ = brief(&checked.findings.iter().collect::<Vec<_>>());
    if let Some(board) = checked.board {
        let written = write(&board, Target::Yaml);
        let again = map::check(&TextFile::new("written.yaml", &written.text), &Levels::default());
        assert!(again.board.is_some(), "{:?}\n{}", again.findings, written.text);
    }
});
