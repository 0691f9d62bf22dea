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
static FIELDS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fields");

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(files));
static WITH_FIELDS: LazyLock<Library> =
    LazyLock::new(|| Library::new(|kind| [files(kind), frozen_files(kind)].concat()));

/// Returns the library of built-in maps, rulesets and bot scripts. It doesn't include bots outside
/// the program; add `risk_wire::SCHEMES` for these.
#[must_use]
pub fn library() -> &'static Library {
    &LIBRARY
}

/// Returns the library with the frozen files of all [fields](field) as well: `planner@hasbro-1` is
/// the bot `planner` as it is in the field `hasbro-1`. These names are not listed.
#[must_use]
pub fn library_with_fields() -> &'static Library {
    &WITH_FIELDS
}

/// Returns the names of the fields, in which bots are rated. The newest field of a ruleset has the
/// largest number.
#[must_use]
pub fn fields() -> Vec<&'static str> {
    let folders = FIELDS.dirs();
    folders
        .filter_map(|folder| folder.path().to_str())
        .collect()
}

/// Returns the newest field of a ruleset; `None` if it has none.
#[must_use]
pub fn newest_field(ruleset: &str) -> Option<&'static str> {
    let ruleset = if ruleset == "classic" {
        "hasbro"
    } else {
        ruleset
    };
    let number = |name: &str| {
        let number = name.strip_prefix(ruleset)?.strip_prefix('-')?;
        number.parse::<u32>().ok()
    };
    let fields = fields().into_iter();
    let numbered = fields.filter_map(|name| Some((number(name)?, name)));
    numbered.max().map(|(_, name)| name)
}

/// Returns the tournament of a field, for [`library_with_fields`]. The bot to rate takes
/// the place of its bot `rated`.
#[must_use]
pub fn field(name: &str) -> Option<&'static str> {
    let file = FIELDS.get_file(format!("{name}/tournament.yaml"))?;
    file.contents_utf8()
}

/// Returns the names and texts of the built-in files of one kind, examples included.
fn files(kind: FileKind) -> Vec<(String, String)> {
    let folder = match kind {
        FileKind::Map => &MAPS,
        FileKind::Ruleset => &RULESETS,
        FileKind::Bot => &BOTS,
    };
    let examples = folder.get_dir("examples").into_iter();
    let all = std::iter::once(folder).chain(examples);
    let mut files: Vec<_> = all.flat_map(|folder| files_in(folder, kind)).collect();
    if let Some((_, text)) = files.iter().find(|(name, _)| name == "hasbro") {
        files.push(("@classic".to_owned(), text.clone()));
    }
    files
}

fn frozen_files(kind: FileKind) -> Vec<(String, String)> {
    let folder = match kind {
        FileKind::Map => "maps",
        FileKind::Ruleset => "rulesets",
        FileKind::Bot => "scripts",
    };
    let of_field = |field| {
        let folder = FIELDS.get_dir(format!("{field}/{folder}")).into_iter();
        let files = folder.flat_map(|folder| files_in(folder, kind));
        files.map(move |(name, text)| (format!("{name}@{field}"), text))
    };
    fields().into_iter().flat_map(of_field).collect()
}

fn files_in(folder: &Dir<'_>, kind: FileKind) -> Vec<(String, String)> {
    let files = folder.files().filter(|file| {
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
