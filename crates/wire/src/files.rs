//! A hash of the files on this machine that a bot is made of.

use std::fs;
use std::io::Read;
use std::path::Path;

/// Most files that one bot may name.
const MOST: usize = 64;
/// Most bytes of all these files together.
const MOST_BYTES: u64 = 1 << 30;

/// Splits a setting into names as shells do.
pub(crate) fn names(value: &str) -> Result<Vec<String>, String> {
    let names = shlex::split(value).ok_or("a quote in `files` is not closed")?;
    if names.is_empty() || names.len() > MOST {
        return Err(format!("`files` names 1 to {MOST} files"));
    }
    Ok(names)
}

/// Joins names into the value of a setting.
pub(crate) fn joined(names: &[String]) -> String {
    let quoted = |name: &String| match name.contains([' ', '\'', '"', '\\']) {
        true => format!("'{}'", name.replace('\'', "'\\''")),
        false => name.clone(),
    };
    names.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Hashes the files' names and bytes, in the order of `names`.
pub(crate) fn hash(names: &[String]) -> Result<String, String> {
    let mut hasher = blake3::Hasher::new();
    let mut left = MOST_BYTES;
    for name in names {
        let wrong = |what: String| format!("`files` names {name}: {what}");
        let path = Path::new(name);
        let is_plain = fs::metadata(path).map(|info| info.is_file());
        match is_plain {
            Ok(true) => {}
            Ok(false) => return Err(wrong("it is not a regular file".to_owned())),
            Err(error) => return Err(wrong(error.to_string())),
        }
        let mut content = blake3::Hasher::new();
        let file = fs::File::open(path).map_err(|error| wrong(error.to_string()))?;
        let mut within = file.take(left + 1);
        content
            .update_reader(&mut within)
            .map_err(|error| wrong(error.to_string()))?;
        left = within
            .limit()
            .checked_sub(1)
            .ok_or_else(|| wrong(format!("the files have more than {MOST_BYTES} bytes")))?;
        // The folder of a file is not part of the hash.
        let short = path.file_name().unwrap_or_default().to_string_lossy();
        hasher.update(&(short.len() as u64).to_le_bytes());
        hasher.update(short.as_bytes());
        hasher.update(content.finalize().as_bytes());
    }
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}
