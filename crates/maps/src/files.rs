//! Names and paths of input files, and their reading with limits.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::disk::{self, plain, shown, too_large, unread};
pub use crate::disk::{FileKind, LARGEST_MAP, LARGEST_SCRIPT, is_script};
use crate::{piped, zipped};
use risk_text::diag::{Finding, LoadError, TextFile};
use risk_text::{DecodeError, decode, escape_control};

/// Named files: the texts that a program carries. Cloning is cheap.
///
/// ```
/// use risk_maps::files::{FileKind, Files};
///
/// let files = Files::new(|kind| match kind {
///     FileKind::Map => vec![("pair".to_owned(), "name: pair\nterritories: {}\n".to_owned())],
///     FileKind::Ruleset | FileKind::Bot => Vec::new(),
/// });
/// assert_eq!(files.names(FileKind::Map), ["pair"]);
/// ```
#[derive(Clone, Default)]
pub struct Files {
    listed: Arc<[BTreeMap<String, String>; 3]>,
    unlisted: Option<FindText>,
}

/// Returns the text of a file of a kind and a name.
pub type FindText = fn(FileKind, &str) -> Option<&'static str>;

impl Files {
    /// Creates the files. For each kind, `files` returns names without extensions, each with its
    /// text.
    #[must_use]
    pub fn new(files: impl Fn(FileKind) -> Vec<(String, String)>) -> Self {
        Self::default().adding(files)
    }

    /// Adds files to these, as in [`Files::new`]. A file replaces one with its name.
    #[must_use]
    pub fn adding(&self, files: impl Fn(FileKind) -> Vec<(String, String)>) -> Self {
        let mut listed = (*self.listed).clone();
        for kind in FileKind::ALL {
            listed[kind as usize].extend(files(kind));
        }
        Self {
            listed: Arc::new(listed),
            unlisted: self.unlisted,
        }
    }

    /// Adds a search for names that are not listed.
    #[must_use]
    pub fn with_unlisted(self, unlisted: FindText) -> Self {
        Self {
            unlisted: Some(unlisted),
            ..self
        }
    }

    /// Returns the listed names of a kind, sorted.
    #[must_use]
    pub fn names(&self, kind: FileKind) -> Vec<&str> {
        let names = self.listed[kind as usize].keys();
        names.map(String::as_str).collect()
    }

    /// Returns the text of a file, or `None` if there is no such name.
    #[must_use]
    pub fn text(&self, kind: FileKind, name: &str) -> Option<&str> {
        let listed = self.listed[kind as usize].get(name).map(String::as_str);
        listed.or_else(|| self.unlisted?(kind, name))
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(FileKind::ALL.map(|kind| self.names(kind)))
            .finish()
    }
}

/// Refuses a file that is not a script before reading it, because an error would quote its text.
pub(crate) fn only_scripts(path: &Path) -> Result<(), LoadError> {
    let name = shown(path);
    // A missing file is reported when it is read.
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let text = match (is_script(path), is_script(&real)) {
        (true, true) => return Ok(()),
        (true, false) => {
            format!("{name} is not a script: the name of the linked file doesn't end in .rhai")
        }
        _ => format!("{name} is not a script: the name doesn't end in .rhai"),
    };
    LoadError::refuse("load::file", text, "give the path of a .rhai file")
}

/// Reports whether a file is in the current folder or below it, with symlinks resolved. If the file
/// doesn't exist, only its path is checked.
#[must_use]
pub fn is_below_here(path: &Path) -> bool {
    is_below(path, Path::new("."))
}

/// Reports whether a file is in a folder or below it, as [`is_below_here`] does.
#[must_use]
pub fn is_below(path: &Path, folder: &Path) -> bool {
    let path = zipped::on_disk(path);
    match (std::fs::canonicalize(path), std::fs::canonicalize(folder)) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => path
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir)),
    }
}

/// Returns an absolute path as seen from the current folder, if both have a folder in common; other
/// names and paths as they are. A record names its files in this way: it is sent to others, whose
/// folders have other names.
#[must_use]
pub fn from_here(spec: &str) -> String {
    let seen = || {
        let path = Path::new(spec).is_absolute().then(|| Path::new(spec))?;
        let here = std::env::current_dir().ok()?;
        let common = path.components().zip(here.components());
        let common = common.take_while(|(a, b)| a == b).count();
        let is_folder = |part| matches!(part, Component::Normal(_));
        if !path.components().take(common).any(is_folder) {
            return None;
        }
        let up = here.components().skip(common);
        let up: PathBuf = up.map(|_| Component::ParentDir).collect();
        let start = if up.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &up
        };
        let rest: PathBuf = path.components().skip(common).collect();
        Some(start.join(rest).display().to_string())
    };
    seen().unwrap_or_else(|| spec.to_owned())
}

/// Extends the help for an unknown name with advice on specifying a file instead.
#[must_use]
pub fn path_help(help: &str, spec: &str, kind: FileKind) -> String {
    let stop = if help.ends_with('?') { "" } else { "." };
    format!(
        "{help}{stop} For a file, write its path, for example ./{spec}.{}",
        kind.ending()
    )
}

/// Reports whether the text is a path rather than a name.
#[must_use]
pub fn is_path(spec: &str) -> bool {
    spec.contains(['/', '\\']) || Path::new(spec).extension().is_some()
}

/// Resolves a name or path from a file in this folder. A relative path is relative to the folder.
#[must_use]
pub fn from_folder(folder: &Path, spec: &str) -> String {
    let is_address = spec.contains("://") || spec.starts_with("cmd:");
    let is_here = folder.as_os_str().is_empty();
    if is_here || is_address || !is_path(spec) || Path::new(spec).is_absolute() {
        return spec.to_owned();
    }
    let path = Path::new(spec);
    let path = path.strip_prefix(".").unwrap_or(path);
    folder.join(path).display().to_string()
}

/// Reads a text file, and removes its byte-order mark.
///
/// # Errors
/// Returns an error if the file can't be read, is larger than `most` bytes, or is not UTF-8.
pub fn file(path: &Path, most: u64) -> Result<TextFile, LoadError> {
    let (name, bytes) = bytes(path, most)?;
    decoded(&name, bytes)
}

/// Returns the text of a file's bytes, without its byte-order mark.
///
/// # Errors
/// Returns an error if the bytes are not UTF-8.
pub fn decoded(name: &str, bytes: Vec<u8>) -> Result<TextFile, LoadError> {
    decode(bytes)
        .map(|text| TextFile::new(name, &text))
        .map_err(|refused| not_text(name, &refused))
}

pub(crate) fn not_text(name: &str, refused: &DecodeError) -> LoadError {
    let text = format!("can't read {name}: {}", refused.text);
    LoadError::new("load::file", text, refused.help)
}

/// Reads a file, which may be in a zip. Returns its name for messages, and its content.
///
/// # Errors
/// Returns an error if the file can't be read, or is larger than `most` bytes.
pub fn bytes(path: &Path, most: u64) -> Result<(String, Vec<u8>), LoadError> {
    let Some(zip) = zipped::zip_of(path) else {
        return disk::bytes(path, most);
    };
    let (name, bytes) = (shown(path), zipped::content(zip, path)?);
    if bytes.len() as u64 > most {
        return Err(too_large(&name, most, bytes.len() as u64));
    }
    Ok((name, bytes))
}

/// Expands an argument into names and paths. A folder expands to all files of this kind in it. A
/// built-in name takes precedence over a folder with the same name.
///
/// # Errors
/// Returns an error if the folder can't be read, or if it contains no such file.
pub fn inside(files: &Files, kind: FileKind, spec: &str) -> Result<Vec<String>, LoadError> {
    let endings = kind.endings();
    let path = Path::new(spec);
    if !path.is_dir() || files.text(kind, spec).is_some() {
        return Ok(vec![spec.to_owned()]);
    }
    let failed = |text: String| LoadError::one(Finding::error("load::file", text));
    let entries =
        std::fs::read_dir(path).map_err(|error| failed(format!("can't read {spec}: {error}")))?;
    let mut files: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            endings
                .iter()
                .any(|ending| path.extension().is_some_and(|has| has == *ending))
        })
        .filter(|path| !is_definition(path))
        .map(|path| path.display().to_string())
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(failed(format!(
            "no .{} file in the folder {spec}",
            endings.join(" or .")
        )));
    }
    Ok(files)
}

/// Reports whether this is a definition file, which `ruleset api --definitions` writes for editors.
fn is_definition(path: &Path) -> bool {
    let stem = path.file_stem().map(Path::new);
    stem.and_then(Path::extension).is_some_and(|it| it == "d") && is_script(path)
}

/// Reads a map from a file, a pipe or standard input.
pub(crate) fn map_bytes(spec: &str) -> Result<(String, Vec<u8>), LoadError> {
    let path = Path::new(spec);
    if !is_piped(spec) {
        return bytes(&zipped::map_in(path)?, LARGEST_MAP);
    }
    let name = match spec {
        piped::STDIN => "stdin".to_owned(),
        _ => escape_control(spec).into_owned(),
    };
    let bytes = piped::read(path, LARGEST_MAP).map_err(|error| unread(&name, &plain(&error)))?;
    if bytes.len() as u64 > LARGEST_MAP {
        return Err(unread(
            &name,
            &format!("expected at most {LARGEST_MAP} bytes, found more"),
        ));
    }
    Ok((name, bytes))
}

pub(crate) const BORDERS: &str = ",borders=";

/// Returns a map's name or path without the suffix for its borders: `./old.map` for
/// `./old.map,borders=two-way`.
#[must_use]
pub fn map_path(spec: &str) -> &str {
    spec.rfind(BORDERS).map_or(spec, |at| &spec[..at])
}

/// Reports whether a map comes from standard input or from a pipe: it can't be read later.
#[must_use]
pub fn is_piped(spec: &str) -> bool {
    let path = map_path(spec);
    let is_pipe = |meta: std::fs::Metadata| !meta.is_file() && !meta.is_dir();
    path == piped::STDIN || std::fs::metadata(path).is_ok_and(is_pipe)
}
