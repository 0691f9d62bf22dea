//! Maps from standard input and from pipes, such as `<(…)` of a shell.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The name of standard input.
pub(super) const STDIN: &str = "-";

/// A pipe can be read only once, but a command may load its map several times.
static READ: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Reads at most `most` bytes and one.
pub(super) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let spec = path.display().to_string();
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = read.get(&spec) {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    if spec == STDIN {
        io::stdin().lock().take(most + 1).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    }
    read.insert(spec, bytes.clone());
    Ok(bytes)
}
