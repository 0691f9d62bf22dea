//! What a bot elsewhere is made of, as far as it is said: a hash of files on this machine.

use std::fs;
use std::io::Read;
use std::path::Path;

/// The most files that one bot names.
const MOST: usize = 64;
/// The most bytes of them all.
const MOST_BYTES: u64 = 1 << 30;

/// The names in a setting: words as shells split them.
pub(crate) fn names(value: &str) -> Result<Vec<String>, String> {
    let names = shlex::split(value).ok_or("a quote in `files` is not closed")?;
    if names.is_empty() || names.len() > MOST {
        return Err(format!("`files` names 1 to {MOST} files"));
    }
    Ok(names)
}

/// The names as they stand in a setting.
pub(crate) fn joined(names: &[String]) -> String {
    let quoted = |name: &String| match name.contains([' ', '\'', '"', '\\']) {
        true => format!("'{}'", name.replace('\'', "'\\''")),
        false => name.clone(),
    };
    names.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// A hash of the files' names and bytes, in the order in which they are named.
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
        // Where a file lies is no part of it.
        let short = path.file_name().unwrap_or_default().to_string_lossy();
        hasher.update(&(short.len() as u64).to_le_bytes());
        hasher.update(short.as_bytes());
        hasher.update(content.finalize().as_bytes());
    }
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}
