//! Loads names and paths into checked values. Only this module and `record` read input files.
//!
//! A plain word is the name of a built-in map, ruleset or bot; anything with a slash or an
//! extension is a path. All problems in a file are collected before any is reported.

pub mod bot_spec;
pub mod diag;
pub mod generated;
mod library;
pub mod lint;
pub mod map;
mod nodes;
mod piped;
pub mod position;
mod synonyms;
pub mod typed_yaml;
mod yaml_reader;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::script::{Ruleset, Script, ScriptFault, Source};
use diag::{Finding, LoadError, TextFile};
pub use library::Library;
use lint::Levels;
use map::{Borders, CheckSettings};
pub use piped::is_piped;
use risk_kernel::board::Board;
use risk_text::suggest;
use risk_text::{DecodeError, decode, escape_control};

/// The size limit of a map file, in bytes.
pub const LARGEST_MAP: u64 = 4 << 20;
/// The size limit of a script, in bytes.
pub const LARGEST_SCRIPT: u64 = 1 << 20;
const MOST_SIBLINGS: usize = 200;

risk_text::named! {
    /// The kind of file that a name or path refers to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FileKind {
        /// A map: territories and their borders.
        Map = "map",
        /// A ruleset: a script with a manifest.
        Ruleset = "ruleset",
        /// A bot: a script with hooks.
        Bot = "bot",
    }
}

impl FileKind {
    const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Map => &["yaml", "yml", "map"],
            Self::Ruleset | Self::Bot => &["rhai"],
        }
    }

    /// Returns the file extension for this kind in a library.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Map => "yaml",
            Self::Ruleset | Self::Bot => "rhai",
        }
    }
}

/// Returns the text of the file with this name or path.
///
/// # Errors
/// Returns an error if no such name or file exists, or if the file is too large or not UTF-8.
pub fn text(library: &Library, kind: FileKind, spec: &str) -> Result<TextFile, LoadError> {
    let is_piped = kind == FileKind::Map && spec == piped::STDIN;
    if !is_path(spec) && !is_piped {
        let text = library.text(kind, spec).ok_or_else(|| {
            let help = suggest::help(spec, library.names(kind));
            LoadError::new(
                "load::unknown",
                format!("no {} named `{spec}`", kind.as_str()),
                path_help(&help, spec, kind),
            )
        })?;
        return Ok(TextFile::new(spec, text));
    }
    if kind == FileKind::Map {
        let (name, bytes) = map_bytes(spec)?;
        return Ok(map::decode(&name, bytes)?.0);
    }
    only_scripts(Path::new(spec))?;
    file(Path::new(spec), LARGEST_SCRIPT)
}

/// Refuses a file that is not a script before reading it, because an error would quote its text.
fn only_scripts(path: &Path) -> Result<(), LoadError> {
    let name = escape_control(&path.display().to_string()).into_owned();
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

fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rhai")
}

/// Returns the folder of a file, with symlinks resolved.
fn home(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path)
        .ok()?
        .parent()
        .map(Path::to_path_buf)
}

/// Reports whether a file is in the current folder or below it, with symlinks resolved. If the file
/// doesn't exist, only its path is checked.
#[must_use]
pub fn is_below_here(path: &Path) -> bool {
    match (std::fs::canonicalize(path), std::fs::canonicalize(".")) {
        (Ok(path), Ok(here)) => path.starts_with(here),
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

/// Checks the map with this name or path. The suffix `,borders=two-way` makes all its borders
/// two-way.
///
/// # Errors
/// Returns an error if no such name or file exists, or if the file is not text. Problems in the map
/// itself are among the findings.
pub fn check_map(
    library: &Library,
    spec: &str,
    levels: &Levels,
) -> Result<map::CheckedMap, LoadError> {
    check_map_with(library, spec, &levels.clone().into())
}

/// Like [`check_map`], with more settings.
///
/// # Errors
/// As for [`check_map`].
pub fn check_map_with(
    library: &Library,
    spec: &str,
    settings: &CheckSettings,
) -> Result<map::CheckedMap, LoadError> {
    let word = spec[map_path(spec).len()..].strip_prefix(BORDERS);
    let spec = map_path(spec);
    let borders = word.map(|word| borders(spec, word)).transpose()?;
    if let Some(board) = generated::parse(spec) {
        return Ok(map::CheckedMap {
            board: Some(board?),
            findings: Vec::new(),
            form: None,
        });
    }
    let settings = CheckSettings {
        borders: borders.unwrap_or(settings.borders),
        ..settings.clone()
    };
    if is_path(spec) || spec == piped::STDIN {
        let (name, bytes) = map_bytes(spec)?;
        return map::read(&name, bytes, &settings);
    }
    Ok(map::check(&text(library, FileKind::Map, spec)?, &settings))
}

const BORDERS: &str = ",borders=";

/// Returns a map's name or path without the suffix for its borders: `./old.map` for
/// `./old.map,borders=two-way`.
#[must_use]
pub fn map_path(spec: &str) -> &str {
    spec.rfind(BORDERS).map_or(spec, |at| &spec[..at])
}

fn borders(spec: &str, word: &str) -> Result<Borders, LoadError> {
    let fail = |text: String, help: String| LoadError::refuse("map::borders", text, help);
    if generated::is_made(spec) {
        return fail(
            format!("`borders` can't be set for {spec}: all its borders are two-way"),
            format!("write {spec}"),
        );
    }
    match Borders::from_name(word) {
        Some(borders) => Ok(borders),
        None => fail(
            format!(
                "expected `two-way` or `as-listed` for `borders`, found `{}`",
                escape_control(word)
            ),
            format!("write {spec},borders=two-way, for example"),
        ),
    }
}

/// Extends the help for an unknown name with advice on specifying a file instead.
fn path_help(help: &str, spec: &str, kind: FileKind) -> String {
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
    decode(bytes)
        .map(|text| TextFile::new(&name, &text))
        .map_err(|refused| not_text(&name, &refused))
}

fn not_text(name: &str, refused: &DecodeError) -> LoadError {
    let text = format!("can't read {name}: {}", refused.text);
    LoadError::new("load::file", text, refused.help)
}

fn bytes(path: &Path, most: u64) -> Result<(String, Vec<u8>), LoadError> {
    let name = escape_control(&path.display().to_string()).into_owned();
    let failed = |error: &std::io::Error| unread(&name, &plain(error));
    let meta = std::fs::metadata(path).map_err(|error| failed(&error))?;
    if !meta.is_file() {
        return Err(unread(&name, "not a file"));
    }
    if meta.len() > most {
        return Err(too_large(&name, most, meta.len()));
    }
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| {
        std::io::Read::read_to_end(&mut std::io::Read::take(file, most + 1), &mut bytes)
    });
    read.map_err(|error| failed(&error))?;
    // The file may have grown in the meantime, or its metadata may lack a size.
    if bytes.len() as u64 > most {
        return Err(too_large(&name, most, bytes.len() as u64));
    }
    Ok((name, bytes))
}

/// Reads a map from a file, a pipe or standard input.
fn map_bytes(spec: &str) -> Result<(String, Vec<u8>), LoadError> {
    let path = Path::new(spec);
    if !is_piped(spec) {
        return bytes(path, LARGEST_MAP);
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

fn unread(name: &str, why: &str) -> LoadError {
    let text = format!("can't read {name}: {why}");
    LoadError::one(Finding::error("load::file", text))
}

fn too_large(name: &str, most: u64, size: u64) -> LoadError {
    unread(
        name,
        &format!("expected at most {most} bytes, found {size}"),
    )
}

fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// Expands an argument into names and paths. A folder expands to all files of this kind in it. A
/// built-in name takes precedence over a folder with the same name.
///
/// # Errors
/// Returns an error if the folder can't be read, or if it contains no such file.
pub fn inside(library: &Library, kind: FileKind, spec: &str) -> Result<Vec<String>, LoadError> {
    let endings = kind.endings();
    let path = Path::new(spec);
    if !path.is_dir() || library.text(kind, spec).is_some() {
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

/// Loads a map by name or path, or generates a map from a specification such as `grid:5x5`.
///
/// # Errors
/// Returns all findings as an error if these levels deny one of them.
pub fn map(library: &Library, spec: &str, levels: &Levels) -> Result<Arc<Board>, LoadError> {
    let checked = check_map(library, spec, levels)?;
    checked.board.map(Arc::new).ok_or(LoadError {
        findings: checked.findings,
    })
}

/// Loads a script by name or path, with the files that it may import.
///
/// # Errors
/// Returns an error if no such script exists, or if its file or folder can't be read.
pub fn script(library: &Library, kind: FileKind, spec: &str) -> Result<Script, LoadError> {
    let file = text(library, kind, spec)?;
    let source = Source::new(file.name, file.text);
    Ok(Script {
        source,
        siblings: Arc::new(siblings(library, kind, spec)?),
        set: BTreeMap::new(),
    })
}

fn siblings(
    library: &Library,
    kind: FileKind,
    spec: &str,
) -> Result<BTreeMap<String, Source>, LoadError> {
    let mut found = BTreeMap::new();
    if !is_path(spec) {
        for name in library.names(kind) {
            let file = text(library, kind, name)?;
            found.insert(name.to_owned(), Source::new(file.name, file.text));
        }
        return Ok(found);
    }
    let Some(home) = home(Path::new(spec)) else {
        return Ok(found);
    };
    let given = Path::new(spec)
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or_else(|| Path::new("."));
    // A script that is a symlink imports from the folder of its target.
    let folder = if std::fs::canonicalize(given).is_ok_and(|given| given == home) {
        given
    } else {
        &home
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(found);
    };
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.retain(|path| is_script(path) && is_in(path, &home));
    paths.sort();
    // Skip an unreadable file; importing it reports the error.
    for path in paths.iter().take(MOST_SIBLINGS) {
        if let (Some(stem), Ok(file)) = (
            path.file_stem().and_then(|stem| stem.to_str()),
            file(path, LARGEST_SCRIPT),
        ) {
            found.insert(stem.to_owned(), Source::new(file.name, file.text));
        }
    }
    Ok(found)
}

/// Reports whether this is the path of a script in the folder, with symlinks resolved.
fn is_in(path: &Path, folder: &Path) -> bool {
    std::fs::canonicalize(path).is_ok_and(|real| is_script(&real) && real.parent() == Some(folder))
}

/// Returns the path of a base ruleset that a script names by path. It must be in the same folder.
fn beside(script: &str, base: &str) -> Result<String, LoadError> {
    let folder = Path::new(script).parent().unwrap_or_else(|| Path::new(""));
    let path = folder.join(Path::new(base).strip_prefix(".").unwrap_or(Path::new(base)));
    let mut parts = Path::new(base)
        .components()
        .filter(|part| *part != Component::CurDir);
    let bare = matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(_)), None)
    );
    let inside = bare
        && is_script(&path)
        && (!path.exists() || home(Path::new(script)).is_some_and(|home| is_in(&path, &home)));
    if inside {
        return Ok(path.display().to_string());
    }
    let base = escape_control(base);
    let script = escape_control(script);
    let text = format!("{script} extends `{base}`, which is not a script in the same folder");
    let help = "write the name of a built-in ruleset, or a script in the same folder, for example \
                \"./base.rhai\"";
    LoadError::refuse("ruleset::extends", text, help)
}

/// Points to a key of a ruleset in errors about the file that the key names.
pub(crate) fn at_key(scripts: &[Script], key: &str, mut error: LoadError) -> LoadError {
    let sources = scripts.iter().map(|script| &script.source);
    let place = rhai_guard::syntax::at_key(sources, key, ScriptFault::new("", ""));
    let place = Finding::from(place).place;
    for finding in &mut error.findings {
        let is_of_key = ["load::", "ruleset::"]
            .iter()
            .any(|kind| finding.code.starts_with(kind));
        if is_of_key && finding.place.is_none() {
            finding.place.clone_from(&place);
        }
    }
    error
}

/// Returns a ruleset's own map. A relative path is relative to the folder of its script.
pub(crate) fn own_map(ruleset: &Ruleset) -> String {
    let map = &ruleset.manifest.map;
    let script = ruleset.sources().next().map(|source| source.name.clone());
    match script.as_deref().map(Path::new).and_then(Path::parent) {
        Some(folder) if !generated::is_made(map) => from_folder(folder, map),
        _ => map.clone(),
    }
}

/// Loads a ruleset by name or path, together with the rulesets that it extends.
///
/// # Errors
/// Returns an error if a script can't be loaded, or the list of all problems in its declarations.
pub fn ruleset(library: &Library, spec: &str) -> Result<Ruleset, LoadError> {
    const MOST_LEVELS: usize = 8;
    let mut scripts = vec![script(library, FileKind::Ruleset, spec)?];
    let mut path = spec.to_owned();
    loop {
        let last = scripts.last().expect("the list begins with one script");
        let Some(base) = Ruleset::extends(last).map_err(|fault| LoadError::one(fault.into()))?
        else {
            break;
        };
        let place = |error| at_key(std::slice::from_ref(last), "extends", error);
        let base_spec = if is_path(&base) {
            beside(&path, &base).map_err(place)?
        } else {
            base
        };
        if scripts
            .iter()
            .any(|script| *script.source.name == *base_spec)
            || scripts.len() == MOST_LEVELS
        {
            let text =
                format!("the ruleset {spec} extends itself or more than {MOST_LEVELS} others");
            let help = "remove `extends` from one of the scripts";
            let finding = Finding::error("ruleset::extends", text).help(help);
            return Err(place(LoadError::one(finding)));
        }
        let base = script(library, FileKind::Ruleset, &base_spec).map_err(place)?;
        scripts.push(base);
        path = base_spec;
    }
    let ruleset = Ruleset::read(scripts).map_err(LoadError::from)?;
    let known: Vec<&str> = library.bots().collect();
    if let Some(bot) = ruleset
        .manifest
        .bots
        .iter()
        .find(|bot| !known.contains(&bot.as_str()))
    {
        let text = format!("`bots` names `{bot}`, which is not a built-in bot");
        let fault = ruleset.fault(
            "bots",
            "ruleset::bots",
            text,
            suggest::help(bot, known.iter().copied()),
        );
        return Err(LoadError::one(fault.into()));
    }
    Ok(ruleset)
}
