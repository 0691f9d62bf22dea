//! The kinds of input files, their limits, and their reading from disk.

use std::path::Path;

use risk_text::diag::{Finding, LoadError};
use risk_text::escape_control;

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

/// The size limit of a map file, in bytes.
pub const LARGEST_MAP: u64 = 4 << 20;

/// The size limit of a script, in bytes.
pub const LARGEST_SCRIPT: u64 = 1 << 20;

impl FileKind {
    pub(crate) const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Map => &["yaml", "yml", "map"],
            Self::Ruleset | Self::Bot => &["rhai"],
        }
    }

    /// Returns the file extension for this kind in a files.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Map => "yaml",
            Self::Ruleset | Self::Bot => "rhai",
        }
    }
}

/// Reports whether the name of a file ends in `.rhai`.
#[must_use]
pub fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rhai")
}

/// Returns a path for messages.
pub(crate) fn shown(path: &Path) -> String {
    escape_control(&path.display().to_string()).into_owned()
}

/// Reads a file on disk. Returns its name for messages, and its content.
pub(crate) fn bytes(path: &Path, most: u64) -> Result<(String, Vec<u8>), LoadError> {
    let name = shown(path);
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

pub(crate) fn unread(name: &str, why: &str) -> LoadError {
    let text = format!("can't read {name}: {why}");
    LoadError::one(Finding::error("load::file", text))
}

pub(crate) fn too_large(name: &str, most: u64, size: u64) -> LoadError {
    unread(
        name,
        &format!("expected at most {most} bytes, found {size}"),
    )
}

pub(crate) fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
