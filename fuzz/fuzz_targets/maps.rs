//! Map files of any bytes: no panic, no hang; what is read is the same board when it was written and read again, and
//! every form for other programs can be written.
//! `.ci/fuzz 600 maps` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;
use risk_cli::kernel::board::Board;
use risk_cli::load::diag::{TextFile, brief, render};
use risk_cli::load::map::write::{Target, write};
use risk_cli::load::{lint::Levels, map};
use risk_cli::record::map_hash;

/// A board that is written down is the same one when it is read.
fn comes_back(board: &Board) {
    let written = write(board, Target::Yaml);
    let again = map::check(&TextFile::new("written.yaml", &written.text), &Levels::default());
    let Some(read) = again.board else { panic!("{:?}\n{}", again.findings, written.text) };
    assert_eq!(map_hash(&read), map_hash(board), "{}", written.text);
    for target in [Target::Domination, Target::Conquest, Target::Dot, Target::Graphml] {
        let _ = write(board, target);
    }
}

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
        comes_back(&board);
    }
});
