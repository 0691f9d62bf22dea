//! From names to checked values. The only reader of input files besides `record`.
//!
//! A word is the name of a built-in map, ruleset or bot; anything with a slash or an ending is a path.
//! All problems of a file are gathered before any is reported.

pub mod diag;
pub mod entrant;
pub mod lint;
pub mod made;
pub mod map;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use include_dir::{Dir, File, include_dir};

use crate::kernel::board::Board;
use crate::script::{Ruleset, Script, Source};
use crate::suggest;
use diag::{Failure, Finding, TextFile};
use lint::Levels;

static MAPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/maps");
static RULESETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rulesets");
static BOTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scripts");

/// The largest map file that is read, in bytes.
pub const LARGEST_MAP: u64 = 4 << 20;
/// The largest script that is read, in bytes.
pub const LARGEST_SCRIPT: u64 = 1 << 20;
/// The most files beside a script that it may import.
const MOST_SIBLINGS: usize = 200;

/// What kind of file a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A map.
    Map,
    /// A ruleset.
    Ruleset,
    /// A bot.
    Bot,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Ruleset => "ruleset",
            Self::Bot => "bot",
        }
    }

    fn dir(self) -> &'static Dir<'static> {
        match self {
            Self::Map => &MAPS,
            Self::Ruleset => &RULESETS,
            Self::Bot => &BOTS,
        }
    }

    const fn ending(self) -> &'static str {
        match self {
            Self::Map => "yaml",
            Self::Ruleset | Self::Bot => "rhai",
        }
    }

    /// The files that are built in: those of the folder, and its examples.
    fn files(self) -> impl Iterator<Item = &'static File<'static>> {
        let examples = self.dir().get_dir("examples").into_iter().flat_map(Dir::files);
        let files = self.dir().files().chain(examples);
        files.filter(move |file| file.path().extension().is_some_and(|ending| ending == self.ending()))
    }

    /// The names of what is built in, sorted.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.files().filter_map(|file| file.path().file_stem()?.to_str()).collect();
        names.sort_unstable();
        names
    }
}

/// The text behind a name or a path.
///
/// # Errors
/// When there is no such name or file, or it is too large or not UTF-8.
pub fn text(kind: Kind, spec: &str) -> Result<TextFile, Failure> {
    if !is_path(spec) {
        let file = kind.files().find(|file| file.path().file_stem().is_some_and(|stem| stem == spec));
        let text = file.and_then(|file| file.contents_utf8()).ok_or_else(|| {
            let help = suggest::help(spec, kind.names());
            Failure::one(
                Finding::error("load::unknown", format!("there is no {} named `{spec}`", kind.word()))
                    .help(path_help(&help, spec, kind)),
            )
        })?;
        return Ok(TextFile::new(spec, text));
    }
    if kind == Kind::Map {
        let (name, bytes) = bytes(Path::new(spec), LARGEST_MAP)?;
        return Ok(map::decode(&name, bytes)?.0);
    }
    file(Path::new(spec), LARGEST_SCRIPT)
}

/// Checks a map by name or path.
///
/// # Errors
/// When there is no such name or file, or it is no text. What is wrong with the map itself is among the findings.
pub fn check_map(spec: &str, levels: &Levels) -> Result<map::Checked, Failure> {
    if let Some(board) = made::parse(spec) {
        return Ok(map::Checked { board: Some(board?), findings: Vec::new(), form: None });
    }
    if is_path(spec) {
        let (name, bytes) = bytes(Path::new(spec), LARGEST_MAP)?;
        return map::read(&name, bytes, levels);
    }
    Ok(map::check(&text(Kind::Map, spec)?, levels))
}

/// A suggestion for a name, and how to give a file instead.
fn path_help(help: &str, spec: &str, kind: Kind) -> String {
    let stop = if help.ends_with('?') { "" } else { "." };
    format!("{help}{stop} A file is given by its path, ./{spec}.{} say", kind.ending())
}

/// Is this a path and not a name?
#[must_use]
pub fn is_path(spec: &str) -> bool {
    spec.contains(['/', '\\']) || Path::new(spec).extension().is_some()
}

/// A file's text.
///
/// # Errors
/// When it can't be read, is larger than `most` bytes, or is not UTF-8.
pub fn file(path: &Path, most: u64) -> Result<TextFile, Failure> {
    let (name, bytes) = bytes(path, most)?;
    String::from_utf8(bytes).map(|text| TextFile::new(&name, &text)).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let text = format!("can't read {name}: it is not UTF-8 text; the first bad byte is in line {line}");
        Failure::one(Finding::error("load::file", text))
    })
}

/// A file's name as it is shown, and what is in it.
fn bytes(path: &Path, most: u64) -> Result<(String, Vec<u8>), Failure> {
    let name = path.display().to_string();
    let failed = |text: String| Failure::one(Finding::error("load::file", text));
    let meta = std::fs::metadata(path).map_err(|error| failed(format!("can't read {name}: {}", plain(&error))))?;
    if !meta.is_file() {
        return Err(failed(format!("can't read {name}: it is not a file")));
    }
    if meta.len() > most {
        return Err(failed(format!("can't read {name}: it has {} bytes, and {most} are the most", meta.len())));
    }
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path)
        .and_then(|file| std::io::Read::read_to_end(&mut std::io::Read::take(file, most + 1), &mut bytes));
    read.map_err(|error| failed(format!("can't read {name}: {}", plain(&error))))?;
    Ok((name, bytes))
}

fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// The names and paths that an argument stands for: a folder for all files in it that end so.
///
/// # Errors
/// When the folder can't be read, or has no such file.
pub fn inside(spec: &str, endings: &[&str]) -> Result<Vec<String>, Failure> {
    let path = Path::new(spec);
    if !path.is_dir() {
        return Ok(vec![spec.to_owned()]);
    }
    let failed = |text: String| Failure::one(Finding::error("load::file", text));
    let entries = std::fs::read_dir(path).map_err(|error| failed(format!("can't read {spec}: {error}")))?;
    let mut files: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| endings.iter().any(|ending| path.extension().is_some_and(|has| has == *ending)))
        .map(|path| path.display().to_string())
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(failed(format!("there is no .{} file in the folder {spec}", endings.join(" or ."))));
    }
    Ok(files)
}

/// A map by name or path, or made from words such as `grid:5x5`.
///
/// # Errors
/// Every finding that is denied under these levels.
pub fn map(spec: &str, levels: &Levels) -> Result<Arc<Board>, Failure> {
    let checked = check_map(spec, levels)?;
    checked.board.map(Arc::new).ok_or(Failure { findings: checked.findings })
}

/// A script by name or path, with the files it may import.
///
/// # Errors
/// As [`text`].
pub fn script(kind: Kind, spec: &str) -> Result<Script, Failure> {
    let file = text(kind, spec)?;
    let source = Source { name: file.name.clone(), text: file.text.clone() };
    Ok(Script { source, siblings: Arc::new(siblings(kind, spec)?) })
}

fn siblings(kind: Kind, spec: &str) -> Result<BTreeMap<String, Source>, Failure> {
    let mut found = BTreeMap::new();
    if !is_path(spec) {
        for name in kind.names() {
            let file = text(kind, name)?;
            found.insert(name.to_owned(), Source { name: file.name.clone(), text: file.text.clone() });
        }
        return Ok(found);
    }
    let folder =
        Path::new(spec).parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(found) };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "rhai"));
    paths.sort();
    // A neighbour that can't be read is none: importing it says so.
    for path in paths.iter().take(MOST_SIBLINGS) {
        if let (Some(stem), Ok(file)) = (path.file_stem().and_then(|stem| stem.to_str()), file(path, LARGEST_SCRIPT)) {
            found.insert(stem.to_owned(), Source { name: file.name.clone(), text: file.text.clone() });
        }
    }
    Ok(found)
}

/// A ruleset by name or path, with those it extends.
///
/// # Errors
/// Everything that is wrong with its declarations.
pub fn ruleset(spec: &str) -> Result<Ruleset, Failure> {
    const MOST_LEVELS: usize = 8;
    let mut scripts = vec![script(Kind::Ruleset, spec)?];
    let mut folder = Path::new(spec).parent().map(Path::to_path_buf).unwrap_or_default();
    loop {
        let last = scripts.last().expect("the list begins with one script");
        let Some(base) = Ruleset::extends(last).map_err(|fault| Failure::one(fault.into()))? else { break };
        let base_spec = if is_path(&base) && Path::new(&base).is_relative() {
            folder.join(&base).display().to_string()
        } else {
            base
        };
        if scripts.iter().any(|script| *script.source.name == *base_spec) || scripts.len() == MOST_LEVELS {
            let text = format!("the ruleset {spec} extends itself, or more than {MOST_LEVELS} others");
            return Err(Failure::one(Finding::error("ruleset::extends", text)));
        }
        if is_path(&base_spec) {
            folder = Path::new(&base_spec).parent().map(Path::to_path_buf).unwrap_or_default();
        }
        scripts.push(script(Kind::Ruleset, &base_spec)?);
    }
    Ruleset::read(scripts).map_err(Failure::from)
}
