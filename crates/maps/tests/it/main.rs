//! Map files: what they say, and what is wrong with them.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod corpus;
mod drawings;
mod map_files;
mod maps;
mod rule_slips;
mod shapes;
mod slips;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use risk_kernel::board::Board;
use risk_maps::files::{FileKind, Files};
use risk_maps::lint::Levels;

/// Returns the project's root.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the maps of the program.
fn library() -> &'static Files {
    static MAPS: LazyLock<Files> = LazyLock::new(|| {
        Files::new(|kind| {
            let folder = std::fs::read_dir(root().join("maps")).unwrap();
            let paths = folder.map(|entry| entry.unwrap().path());
            let named = paths.filter(|_| kind == FileKind::Map).map(|path| {
                let name = path.file_stem().unwrap().to_str().unwrap();
                (name.to_owned(), std::fs::read_to_string(&path).unwrap())
            });
            named.collect()
        })
    });
    &MAPS
}

/// Reads one of the maps of the program.
fn board(name: &str) -> Arc<Board> {
    risk_maps::load(library(), name, &Levels::default()).unwrap()
}
