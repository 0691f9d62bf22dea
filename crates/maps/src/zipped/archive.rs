//! The format of zips.

use std::io::Write as _;
use std::path::Path;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use rawzip::{
    CompressionMethod, DataDescriptorOutput, ZipFileHeaderRecord, ZipVerification, crc32,
};
use rawzip::{ZipArchive, ZipArchiveWriter, ZipSliceEntry, time::UtcDateTime};

use crate::disk::{FileKind, LARGEST_MAP, LARGEST_SCRIPT, is_script};
use risk_text::diag::LoadError;
use risk_text::escape_control;

/// The size limit of all files of a zip together, in bytes.
const MOST_UNPACKED: u64 = 8 << 20;

/// Returns the names and contents of the files of a zip, in order.
///
/// # Errors
/// Returns an error, with the zip's name, if the zip is damaged or too large, or if one of its
/// entries is not a plain script or map with a name of its own.
pub fn parse(zip: &str, bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, LoadError> {
    let refused = |text: String| {
        let help = "correct the files, and pack them again: `risk-cli ruleset pack R -o R.zip`";
        LoadError::new("load::zip", text, help)
    };
    let damaged = |error| refused(format!("{zip} is not a zip, or it is damaged: {error}"));
    let archive = ZipArchive::from_slice(bytes).map_err(damaged)?;
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut left = MOST_UNPACKED;
    for entry in archive.entries() {
        let entry = entry.map_err(damaged)?;
        let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
        let unexpected = |expected: &str| {
            let name = escape_control(&name);
            refused(format!("`{name}` in {zip}: expected {expected}"))
        };
        let most = limit(&entry, &name, &files).map_err(unexpected)?.min(left);
        let local = archive.get_entry(entry.wayfinder()).map_err(damaged)?;
        let content = unpacked(&local, entry.compression_method(), most).ok_or_else(|| {
            unexpected(&format!(
                "at most {most} bytes, stored or deflated, that fit their checksum"
            ))
        })?;
        left -= content.len() as u64;
        files.push((name, content));
    }
    Ok(files)
}

/// Returns the size limit of an entry, or what is expected of entries. `before` are the ones before
/// it.
fn limit(
    entry: &ZipFileHeaderRecord<'_>,
    name: &str,
    before: &[(String, Vec<u8>)],
) -> Result<u64, &'static str> {
    // A byte that is not UTF-8 became U+FFFD.
    let is_flat = !name.contains(['/', '\\', ':', '\u{fffd}']) && escape_control(name) == name;
    let ending = Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str());
    let is_map = ending.is_some_and(|ending| FileKind::Map.endings().contains(&ending));
    if !is_flat || !is_map && !is_script(Path::new(name)) {
        return Err("a name in UTF-8 without a folder that ends in .rhai, .yaml, .yml or .map");
    }
    if before
        .iter()
        .any(|(it, _)| it.to_lowercase() == name.to_lowercase())
    {
        return Err("names that differ by more than upper and lower case");
    }
    if entry.flags().is_encrypted() || entry.mode().is_symlink() {
        return Err("a file without a password, and no link");
    }
    if before.len() == 100 {
        return Err("at most 100 files");
    }
    Ok(if is_map { LARGEST_MAP } else { LARGEST_SCRIPT })
}

/// Returns the content of an entry if it has at most `most` bytes, independently of the size that
/// it claims, and if it fits its size and checksum.
fn unpacked(entry: &ZipSliceEntry<'_>, method: CompressionMethod, most: u64) -> Option<Vec<u8>> {
    let most = usize::try_from(most).ok()?;
    let content = match method {
        CompressionMethod::STORE => entry.data().to_vec(),
        // One byte more shows that the content is too large.
        CompressionMethod::DEFLATE => decompress_to_vec_with_limit(entry.data(), most + 1).ok()?,
        _ => return None,
    };
    let found = ZipVerification {
        crc: crc32(&content),
        uncompressed_size: content.len() as u64,
    };
    (content.len() <= most && entry.claim_verifier() == found).then_some(content)
}

/// Returns a zip of these files. The same files give the same bytes.
#[must_use]
pub fn write(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    // The first time that the format can express.
    let start = UtcDateTime::from_unix(315_532_800);
    let pack = || {
        let mut zip = ZipArchiveWriter::new(Vec::new());
        for (name, content) in files {
            let file = zip.new_file(&*name).last_modified(start);
            let (mut entry, _) = file
                .compression_method(CompressionMethod::DEFLATE)
                .start()?;
            entry.write_all(&compress_to_vec(&content, 9))?;
            let (crc, size) = (crc32(&content), content.len() as u64);
            entry.finish(DataDescriptorOutput::new(crc, size))?;
        }
        zip.finish()
    };
    pack().expect("writing to memory doesn't fail")
}
