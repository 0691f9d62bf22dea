#![doc = include_str!("../README.md")]
//!
//! # Invariants
//!
//! * The crate knows no scripts: validating a map needs no script engine.
//! * Every file, list and number has a limit, which the finding names.
//! * Only `disk` and `piped` read input; `zipped` makes files in zips look like others.

mod disk;
pub mod files;
pub mod generated;
pub mod lint;
pub mod map;
mod nodes;
mod piped;
pub mod position;
mod seed;
mod synonyms;
pub mod typed_yaml;
mod yaml_reader;
pub mod zipped;

use std::path::Path;
use std::sync::Arc;

use files::{FileKind, Files};
use lint::Levels;
use map::{Borders, CheckSettings};
use risk_kernel::board::Board;
use risk_text::diag::{LoadError, TextFile};
use risk_text::{escape_control, suggest};
pub use seed::{LONGEST_SEED, Seed, SeedError};

/// Checks the map with this name or path. The suffix `,borders=two-way` makes all its borders
/// two-way.
///
/// # Errors
/// Returns an error if no such name or file exists, or if the file is not text. Problems in the map
/// itself are among the findings.
pub fn check(files: &Files, spec: &str, levels: &Levels) -> Result<map::CheckedMap, LoadError> {
    check_with(files, spec, &levels.clone().into())
}

/// Like [`check`], with more settings.
///
/// # Errors
/// As for [`check`].
pub fn check_with(
    files: &Files,
    spec: &str,
    settings: &CheckSettings,
) -> Result<map::CheckedMap, LoadError> {
    let word = spec[files::map_path(spec).len()..].strip_prefix(files::BORDERS);
    let spec = files::map_path(spec);
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
    if files::is_path(spec) || spec == piped::STDIN {
        let (name, bytes) = files::map_bytes(spec)?;
        return map::read(&name, bytes, &settings);
    }
    Ok(map::check(&text(files, FileKind::Map, spec)?, &settings))
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

/// Loads a map by name or path, or generates a map from a specification such as `grid:5x5`.
///
/// # Errors
/// Returns all findings as an error if these levels deny one of them.
pub fn load(files: &Files, spec: &str, levels: &Levels) -> Result<Arc<Board>, LoadError> {
    let checked = check(files, spec, levels)?;
    checked.board.map(Arc::new).ok_or(LoadError {
        findings: checked.findings,
    })
}

/// Returns the text of the file with this name or path.
///
/// # Errors
/// Returns an error if no such name or file exists, or if the file is too large or not UTF-8.
pub fn text(files: &Files, kind: FileKind, spec: &str) -> Result<TextFile, LoadError> {
    let is_piped = kind == FileKind::Map && spec == piped::STDIN;
    if !files::is_path(spec) && !is_piped {
        let text = files.text(kind, spec).ok_or_else(|| {
            let help = suggest::help(spec, files.names(kind));
            LoadError::new(
                "load::unknown",
                format!("no {} named `{spec}`", kind.as_str()),
                files::path_help(&help, spec, kind),
            )
        })?;
        return Ok(TextFile::new(spec, text));
    }
    if kind == FileKind::Map {
        let (name, bytes) = files::map_bytes(spec)?;
        return Ok(map::decode(&name, bytes)?.0);
    }
    files::only_scripts(Path::new(spec))?;
    files::file(Path::new(spec), files::LARGEST_SCRIPT)
}
