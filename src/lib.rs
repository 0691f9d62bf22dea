//! The rulesets, maps and bots of risk-cli, as a [`Library`] in which the engine looks up names.
//!
//! The engine itself is in [`risk_engine`]; this crate only contains the files. With this library,
//! a match can use every name that the program knows:
//!
//! ```
//! use risk_engine::{MatchSpec, NullSink, Worker};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = MatchSpec::new("hasbro")
//!     .bots(["outnumber", "holder", "greedy"])
//!     .seed(7)
//!     .load(risk_cli::library())?;
//! let mut worker = Worker::new(&setup)?;
//! let finished = worker.play(0, &mut NullSink);
//! assert!(finished.outcome.is_ok());
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! `cli` builds the program, and `pictures` adds its PNG output. Both are on by default. If you
//! only need the library, turn them off with `default-features = false`.

use risk_maps::files::FileKind;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use risk_engine::Library;

static MAPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/maps");
static RULESETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rulesets");
static BOTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scripts");

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(files));

/// Returns the library of built-in maps, rulesets and bot scripts. It doesn't include bots outside
/// the program; add `risk_wire::SCHEMES` for these.
#[must_use]
pub fn library() -> &'static Library {
    &LIBRARY
}

/// Returns the names and texts of the built-in files of one kind, examples included.
fn files(kind: FileKind) -> Vec<(String, String)> {
    let folder = match kind {
        FileKind::Map => &MAPS,
        FileKind::Ruleset => &RULESETS,
        FileKind::Bot => &BOTS,
    };
    let examples = folder.get_dir("examples").into_iter().flat_map(Dir::files);
    let files = folder.files().chain(examples).filter(|file| {
        let ending = file.path().extension();
        ending.is_some_and(|ending| ending == kind.ending())
    });
    files
        .filter_map(|file| {
            let name = file.path().file_stem()?.to_str()?;
            Some((name.to_owned(), file.contents_utf8()?.to_owned()))
        })
        .collect()
}
