//! The folder of a ladder, with scripts, records and faults, and their disk limits.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::referee::{FaultNote, LARGEST_RECORD};
use super::roster::Version;
use risk_text::diag::LoadError;

/// The maximum number of faults stored per version. Older faults are deleted.
const MOST_FAULTS: usize = 50;
/// The maximum size of a file of faults, in bytes.
const LARGEST_FAULTS: u64 = 1 << 20;
const FOLDERS: [&str; 4] = ["scripts", "records", "faults", "incoming"];

/// The folder of a ladder.
#[derive(Clone, Debug)]
pub struct LadderFolder {
    /// The absolute path of the folder.
    pub path: PathBuf,
}

impl LadderFolder {
    /// Creates missing folders and deletes scripts whose submission was not completed.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    pub fn open(path: &Path) -> Result<Self, LoadError> {
        let refused = |error: io::Error| {
            let text = format!("can't use {}: {error}", path.display());
            let help = "choose another folder, or fix its permissions";
            LoadError::new("ladder::folder", text, help)
        };
        let incoming = path.join("incoming");
        if incoming.exists() {
            fs::remove_dir_all(&incoming).map_err(refused)?;
        }
        for name in FOLDERS {
            fs::create_dir_all(path.join(name)).map_err(refused)?;
        }
        // The path must be absolute because processes with other working directories use it.
        let path = path.canonicalize().map_err(refused)?;
        Ok(Self { path })
    }

    /// Returns the path of the journal.
    #[must_use]
    pub fn people(&self) -> PathBuf {
        self.path.join("people.jsonl")
    }

    /// Returns the path of the log.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.path.join("log.jsonl")
    }

    /// Returns the folder of a version's script and the script's file name.
    #[must_use]
    pub fn script(&self, version: &Version) -> (PathBuf, String) {
        let number = version.version.to_string();
        let folder = self.path.join("scripts").join(&version.bot).join(number);
        (folder, format!("{}.rhai", version.bot))
    }

    /// Reads a script as submitted.
    ///
    /// # Errors
    /// Returns an error if the script can't be read.
    pub fn script_text(&self, version: &Version) -> io::Result<String> {
        let (folder, name) = self.script(version);
        let mut text = String::new();
        File::open(folder.join(name))?
            .take(version.bytes)
            .read_to_string(&mut text)?;
        Ok(text)
    }

    /// Writes a script to a separate folder for checking. `key` is a unique word.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    pub fn put_down(&self, key: &str, bot: &str, text: &str) -> io::Result<PathBuf> {
        let folder = self.path.join("incoming").join(key);
        fs::create_dir(&folder)?;
        let written = File::create_new(folder.join(format!("{bot}.rhai"))).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        if written.is_err() {
            self.throw_away(&folder);
        }
        written.map(|()| folder)
    }

    /// Moves a checked script to the ladder's scripts.
    pub(super) fn take_in(&self, folder: &Path, version: &Version) -> io::Result<()> {
        let (place, _) = self.script(version);
        // An earlier run may have ended before it wrote the journal entry.
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(folder, &place)
    }

    /// Deletes a rejected script.
    pub fn throw_away(&self, folder: &Path) {
        // Any remaining files are deleted when the ladder is opened again.
        let _ = fs::remove_dir_all(folder);
    }

    fn record(&self, game: u64) -> PathBuf {
        self.path.join("records").join(format!("{game}.jsonl"))
    }

    /// Reads the record of a game if the record still exists.
    ///
    /// # Errors
    /// Returns an error if the record can't be read.
    pub fn record_text(&self, game: u64) -> io::Result<String> {
        let mut text = String::new();
        File::open(self.record(game))?
            .take(LARGEST_RECORD as u64)
            .read_to_string(&mut text)?;
        Ok(text)
    }

    pub(super) fn keep_record(&self, game: u64, lines: &[u8]) -> io::Result<()> {
        replace(&self.record(game), lines)
    }

    pub(super) fn drop_record(&self, game: u64) {
        // A missing record is treated as deleted.
        let _ = fs::remove_file(self.record(game));
    }

    /// Returns the sizes of the existing records by game, in bytes.
    pub(super) fn records(&self) -> io::Result<BTreeMap<u64, u64>> {
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(self.path.join("records"))? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let game = name
                .strip_suffix(".jsonl")
                .and_then(|name| name.parse().ok());
            match game {
                Some(game) => drop(found.insert(game, entry.metadata()?.len())),
                // The record is incomplete.
                None => fs::remove_file(entry.path())?,
            }
        }
        Ok(found)
    }

    /// Returns the faults of a version, starting with the newest. Only the version's owner may see
    /// them.
    #[must_use]
    pub fn faults(&self, id: &str) -> Vec<FaultNote> {
        let file = File::open(self.faults_of(id));
        let mut text = String::new();
        let read = file.and_then(|file| file.take(LARGEST_FAULTS).read_to_string(&mut text));
        match read {
            Ok(_) => serde_json::from_str(&text).unwrap_or_default(),
            Err(_) => Vec::new(),
        }
    }

    fn faults_of(&self, id: &str) -> PathBuf {
        self.path.join("faults").join(format!("{id}.json"))
    }

    /// Inserts these faults before the existing faults.
    pub(super) fn add_faults(&self, id: &str, mut notes: Vec<FaultNote>) -> io::Result<()> {
        notes.extend(self.faults(id));
        notes.truncate(MOST_FAULTS);
        let text = serde_json::to_vec(&notes).expect("faults are plain data");
        replace(&self.faults_of(id), &text)
    }

    pub(super) fn log_bytes(&self) -> u64 {
        fs::metadata(self.log()).map_or(0, |meta| meta.len())
    }
}

/// Replaces a file atomically. Readers see either the old content or the new content.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("part");
    let written = fs::write(&beside, content).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // An incomplete file is of no use.
        let _ = fs::remove_file(&beside);
    }
    written
}
