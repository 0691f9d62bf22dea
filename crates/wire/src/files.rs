//! Local files of bots: their hashes, and the folders of programs with pipes.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The maximum number of files per bot.
const MOST: usize = 64;
/// The maximum total size of a bot's files, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Splits a setting into file names with the quoting rules of a shell.
pub(crate) fn names(value: &str) -> Result<Vec<String>, String> {
    let names = shlex::split(value).ok_or("unclosed quote in `files`")?;
    if names.is_empty() || names.len() > MOST {
        let found = names.len();
        return Err(format!("`files` takes 1 to {MOST} files, found {found}"));
    }
    Ok(names)
}

/// Joins file names into the value of a setting.
pub(crate) fn joined(names: &[String]) -> String {
    let quoted = |name: &String| match name.contains([' ', '\'', '"', '\\']) {
        true => format!("'{}'", name.replace('\'', "'\\''")),
        false => name.clone(),
    };
    names.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Returns the hash of the files' names and contents, in the order of `names`.
pub(crate) fn hash(names: &[String]) -> Result<String, String> {
    let mut hasher = blake3::Hasher::new();
    let mut left = MOST_BYTES;
    for name in names {
        let unreadable = |error: io::Error| format!("can't read `{name}` in `files`: {error}");
        let path = Path::new(name);
        let is_plain = fs::metadata(path).map(|info| info.is_file());
        match is_plain {
            Ok(true) => {}
            Ok(false) => return Err(format!("`{name}` in `files` is not a regular file")),
            Err(error) => return Err(unreadable(error)),
        }
        let mut content = blake3::Hasher::new();
        let file = fs::File::open(path).map_err(unreadable)?;
        let mut within = file.take(left + 1);
        content.update_reader(&mut within).map_err(unreadable)?;
        left = within
            .limit()
            .checked_sub(1)
            .ok_or_else(|| format!("`files` exceeds {MOST_BYTES} bytes at `{name}`"))?;
        // The hash does not include the folder of a file.
        let short = path.file_name().unwrap_or_default().to_string_lossy();
        hasher.update(&(short.len() as u64).to_le_bytes());
        hasher.update(short.as_bytes());
        hasher.update(content.finalize().as_bytes());
    }
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

/// Creates a program's folder, which contains links to the pipes that a shell gives to it.
#[cfg(unix)]
pub(crate) fn folder_with_pipes() -> std::io::Result<tempfile::TempDir> {
    use std::os::unix::fs::symlink;
    let folder = tempfile::Builder::new().prefix("risk-cli-io-").tempdir()?;
    let io = folder.path().join("io");
    std::fs::create_dir(&io)?;
    symlink("/dev/fd/3", io.join("to_engine.pipe"))?;
    symlink("/dev/fd/4", io.join("from_engine.pipe"))?;
    Ok(folder)
}
