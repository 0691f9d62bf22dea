//! Zips that hold a ruleset and its files. The path `R.zip/R.rhai` names a file in a zip, as if the
//! zip were a folder. Zips are read into memory, and nothing is unpacked to disk.

#[cfg(feature = "zip")]
mod archive;

use std::borrow::Cow;
use std::path::Path;

use crate::disk::{bytes, is_script, shown};
use risk_text::diag::LoadError;
use risk_text::suggest;

#[cfg(feature = "zip")]
pub use archive::{parse, write};

/// The size limit of a zip, in bytes.
pub const LARGEST_ZIP: u64 = 8 << 20;

/// Reports whether the name of a file ends in `.zip`. Without the feature `zip`, no file is a zip.
#[must_use]
pub fn is_zip(path: &Path) -> bool {
    cfg!(feature = "zip") && path.extension().is_some_and(|ending| ending == "zip")
}

/// Returns the zip of a file in a zip: `R.zip` for `R.zip/R.rhai`.
#[must_use]
pub fn zip_of(path: &Path) -> Option<&Path> {
    path.parent().filter(|zip| is_zip(zip) && zip.is_file())
}

/// Returns the file on disk that contains this one: its zip, or the file itself.
#[must_use]
pub fn on_disk(path: &Path) -> &Path {
    zip_of(path).unwrap_or(path)
}

/// Reads all files of a zip: their names and contents.
///
/// # Errors
/// Returns an error if the zip can't be read, is damaged or too large, or contains anything but
/// plain scripts and maps with different names.
pub fn read(zip: &Path) -> Result<Vec<(String, Vec<u8>)>, LoadError> {
    let (name, bytes) = bytes(zip, LARGEST_ZIP)?;
    parse(&name, &bytes)
}

/// Returns the content of a file in a zip.
pub(crate) fn content(zip: &Path, path: &Path) -> Result<Vec<u8>, LoadError> {
    let mut files = read(zip)?;
    let name = shown(Path::new(path.file_name().unwrap_or_default()));
    if let Some(at) = files.iter().position(|(it, _)| *it == name) {
        return Ok(files.swap_remove(at).1);
    }
    let help = suggest::help(&name, files.iter().map(|(name, _)| name.as_str()));
    let text = format!("no file `{name}` in {}", shown(zip));
    LoadError::refuse("load::zip", text, help)
}

/// Returns the path of the only map in a zip, or any other path as it is.
pub(crate) fn map_in(path: &Path) -> Result<Cow<'_, Path>, LoadError> {
    if !is_zip(path) {
        return Ok(path.into());
    }
    let mut files = read(path)?;
    files.retain(|(name, _)| !is_script(Path::new(name)));
    if let [(name, _)] = &files[..] {
        return Ok(path.join(name).into());
    }
    let (zip, found) = (shown(path), files.len());
    let text = format!("expected one map in {zip}, found {found}");
    LoadError::refuse(
        "load::zip",
        text,
        format!("give a path such as {zip}/world.yaml"),
    )
}

#[cfg(not(feature = "zip"))]
fn parse(zip: &str, _: &[u8]) -> Result<Vec<(String, Vec<u8>)>, LoadError> {
    LoadError::refuse("load::zip", format!("can't read {zip}"), "unpack the zip")
}
