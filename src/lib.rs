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

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(files).with_unlisted(alias));
static WITH_FIELDS: LazyLock<Library> =
    LazyLock::new(|| library().clone().with_unlisted(alias_or_frozen));

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

fn alias(kind: FileKind, name: &str) -> Option<&'static str> {
    let is_classic = kind == FileKind::Ruleset && name == "classic";
    is_classic.then(|| RULESETS.get_file("hasbro.rhai")?.contents_utf8())?
}

fn alias_or_frozen(kind: FileKind, name: &str) -> Option<&'static str> {
    let Some((name, field)) = name.split_once('@') else {
        return alias(kind, name);
    };
    let folder = match kind {
        FileKind::Map => "maps",
        FileKind::Ruleset => "rulesets",
        FileKind::Bot => "scripts",
    };
    let path = format!("{field}/{folder}/{name}.{}", kind.ending());
    FIELDS.get_file(path)?.contents_utf8()
}
