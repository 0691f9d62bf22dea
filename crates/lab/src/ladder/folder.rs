//! The folder of a ladder: scripts, records and faults, and how much of the disk they may take.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::referee::{FaultNote, LARGEST_RECORD};
use super::roster::Version;
use risk_engine::load::diag::{Finding, LoadError};

/// How many faults of a version are kept: the last ones.
const MOST_FAULTS: usize = 50;
/// The largest file of faults, in bytes.
const LARGEST_FAULTS: u64 = 1 << 20;
const FOLDERS: [&str; 4] = ["scripts", "records", "faults", "incoming"];

/// The folder of a ladder.
#[derive(Clone, Debug)]
pub struct LadderFolder {
    /// Where it is.
    pub path: PathBuf,
}

impl LadderFolder {
    /// Makes what is missing of it, and throws away what was never handed in.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn open(path: &Path) -> Result<Self, LoadError> {
        let refused = |error: io::Error| {
            let text = format!("can't use {}: {error}", path.display());
            LoadError::one(Finding::error("ladder::folder", text).help("name another folder"))
        };
        let incoming = path.join("incoming");
        if incoming.exists() {
            fs::remove_dir_all(&incoming).map_err(refused)?;
        }
        for name in FOLDERS {
            fs::create_dir_all(path.join(name)).map_err(refused)?;
        }
        // Other programs are in other folders when they are told where this one is.
        let path = path.canonicalize().map_err(refused)?;
        Ok(Self { path })
    }

    /// The file of what people did.
    #[must_use]
    pub fn people(&self) -> PathBuf {
        self.path.join("people.jsonl")
    }

    /// The file of what was played.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.path.join("log.jsonl")
    }

    /// The folder of a version's script, and the file in it.
    #[must_use]
    pub fn script(&self, version: &Version) -> (PathBuf, String) {
        let number = version.version.to_string();
        let folder = self.path.join("scripts").join(&version.bot).join(number);
        (folder, format!("{}.rhai", version.bot))
    }

    /// A script as it was handed in.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn script_text(&self, version: &Version) -> io::Result<String> {
        let (folder, name) = self.script(version);
        let mut text = String::new();
        File::open(folder.join(name))?
            .take(version.bytes)
            .read_to_string(&mut text)?;
        Ok(text)
    }

    /// Puts a script into a folder of its own, to be checked. `key` is a word that nobody has.
    ///
    /// # Errors
    /// When the system refuses.
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

    /// Takes a script that was checked into the ladder.
    pub(super) fn take_in(&self, folder: &Path, version: &Version) -> io::Result<()> {
        let (place, _) = self.script(version);
        // The journal does not know of it: it was there when the program ended.
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(folder, &place)
    }

    /// A script that is not taken in.
    pub fn throw_away(&self, folder: &Path) {
        // What stays is thrown away when the ladder is opened again.
        let _ = fs::remove_dir_all(folder);
    }

    fn record(&self, game: u64) -> PathBuf {
        self.path.join("records").join(format!("{game}.jsonl"))
    }

    /// The record of a game, if it is still there.
    ///
    /// # Errors
    /// When it can't be read.
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
        // One that is not there is dropped.
        let _ = fs::remove_file(self.record(game));
    }

    /// The records that are there: games and bytes.
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
                // Half a record.
                None => fs::remove_file(entry.path())?,
            }
        }
        Ok(found)
    }

    /// What went wrong with a version, the last first. Nobody but its owner is told.
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

    /// Keeps these faults before those that are there.
    pub(super) fn add_faults(&self, id: &str, mut notes: Vec<FaultNote>) -> io::Result<()> {
        notes.extend(self.faults(id));
        notes.truncate(MOST_FAULTS);
        let text = serde_json::to_vec(&notes).expect("faults are plain data");
        replace(&self.faults_of(id), &text)
    }

    /// How many bytes the log has.
    pub(super) fn log_bytes(&self) -> u64 {
        fs::metadata(self.log()).map_or(0, |meta| meta.len())
    }
}

/// Writes a file in one step: whoever reads it sees the old one or the new one.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("part");
    let written = fs::write(&beside, content).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // Half a file is of no use to anybody.
        let _ = fs::remove_file(&beside);
    }
    written
}
