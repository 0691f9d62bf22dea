//! Map files: what they say, and what is wrong with them.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod corpus;
mod drawings;
mod map_files;
mod maps;
mod shapes;
mod slips;

use risk_kernel::board::Board;
use risk_maps::map::{CheckSettings, check};
use risk_text::diag::TextFile;

/// Reads one of the maps of the program.
fn board(name: &str) -> Board {
    let path = format!("{}/../../maps/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let checked = check(&TextFile::new(name, &text), &CheckSettings::default());
    checked.board.unwrap()
}
