//! The folder of a tournament: its file, its plan, its logs, and what is made from them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

use super::plan::{Parts, TournamentPlan, hash_of};
use crate::plain_files;
use risk_engine::load::diag::{Finding, LoadError};

/// The name of a tournament's file.
pub const FILE: &str = "tournament.yaml";
/// The name of the file that says what the plan is.
pub const PLAN: &str = "plan.json";
/// The largest plan, in bytes.
const LARGEST_PLAN: u64 = 1 << 20;

/// The folder of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// The tournament's file.
    pub file: PathBuf,
}

#[derive(Deserialize)]
struct SavedPlan {
    parts: Parts,
}

impl Folder {
    /// The folder that is given, or that of the file that is given.
    ///
    /// # Errors
    /// When there is no tournament.
    pub fn find(path: &Path) -> Result<Self, LoadError> {
        let is_file = path.is_file() || path.extension().is_some_and(|ending| ending == "yaml");
        let folder = if !is_file {
            Self {
                path: path.to_path_buf(),
                file: path.join(FILE),
            }
        } else {
            Self {
                // Of a bare name it is the current one, and no folder is named "".
                path: path
                    .parent()
                    .filter(|folder| *folder != Path::new(""))
                    .map_or_else(|| PathBuf::from("."), PathBuf::from),
                file: path.to_path_buf(),
            }
        };
        if folder.file.is_file() {
            return Ok(folder);
        }
        let text = format!("there is no {}", folder.file.display());
        let help = "`risk-cli tournament new DIR` writes one into a folder";
        Err(LoadError::one(
            Finding::error("tournament::file", text).help(help),
        ))
    }

    /// The folder of the finals of this tournament, in it.
    #[must_use]
    pub fn finals(&self) -> Self {
        self.beside(&self.path.join("finals"))
    }

    /// Another folder with logs of this tournament.
    #[must_use]
    pub fn beside(&self, path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            file: self.file.clone(),
        }
    }

    /// Makes it, where it is not there.
    ///
    /// # Errors
    /// When it is a symlink, or the system refuses.
    pub fn make(&self) -> Result<(), LoadError> {
        plain_files::make_folder(&self.path).map_err(|error| refused(&self.path, &error))
    }

    /// Writes down what the plan is, or holds it to what is written down already.
    ///
    /// # Errors
    /// When what is there is of another plan: it says which parts differ. When the file can't be
    /// written.
    pub fn settle(&self, plan: &TournamentPlan) -> Result<(), LoadError> {
        let path = self.path.join(PLAN);
        if path.exists() {
            return self.agree(plan);
        }
        let text = serde_json::to_string_pretty(&plan.file()).expect("a plan is plain data");
        write(&path, format!("{text}\n").as_bytes())
    }

    /// Holds the plan to what is written down of it, if anything is.
    ///
    /// # Errors
    /// When it is another plan: it says which parts differ.
    pub fn agree(&self, plan: &TournamentPlan) -> Result<(), LoadError> {
        let path = self.path.join(PLAN);
        if !path.exists() {
            return Ok(());
        }
        let file = risk_engine::load::file(&path, LARGEST_PLAN)?;
        let damaged = |text: String| {
            let help = "remove the file: it is written again";
            LoadError::one(Finding::error("tournament::plan", text).help(help))
        };
        let saved: SavedPlan = serde_json::from_str(&file.text)
            .map_err(|error| damaged(format!("{} is not a plan: {error}", path.display())))?;
        if hash_of(&saved.parts) == plan.hash() {
            return Ok(());
        }
        let differing: Vec<String> = differences(&saved.parts, &plan.parts);
        let text = format!(
            "what was played in {} is another plan: {}",
            self.path.display(),
            differing.join("; ")
        );
        let help =
            "change it back, or begin in a new folder: blocks of two plans don't belong together";
        Err(LoadError::one(
            Finding::error("tournament::plan-differs", text).help(help),
        ))
    }

    /// Writes a file that is made from the logs: whoever reads it sees the old one or the new one.
    ///
    /// # Errors
    /// When the system refuses, and what `fill` says.
    pub fn write_out(
        &self,
        name: &str,
        fill: impl FnOnce(&mut dyn Write) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        let out = self.path.join("out");
        plain_files::make_folder(&out).map_err(|error| refused(&out, &error))?;
        write_whole(&out.join(name), fill)
    }
}

/// What the plan that is written down in a folder says of one part, if there is one.
#[must_use]
pub fn saved_part(folder: &Path, name: &str) -> Option<String> {
    let file = risk_engine::load::file(&folder.join(PLAN), LARGEST_PLAN).ok()?;
    let mut saved: SavedPlan = serde_json::from_str(&file.text).ok()?;
    saved.parts.remove(name)
}

/// Writes a file bit by bit: whoever reads it sees the old one or the new one.
pub(super) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), LoadError>,
) -> Result<(), LoadError> {
    let beside = beside(path);
    let file = fs::File::create_new(&beside).map_err(|error| refused(path, &error))?;
    let mut file = io::BufWriter::new(file);
    let filled = fill(&mut file).and_then(|()| {
        let written = file.flush().and_then(|()| file.get_ref().sync_data());
        let written = written.and_then(|()| fs::rename(&beside, path));
        written.map_err(|error| refused(path, &error))
    });
    if filled.is_err() {
        // Half a file is of no use to anybody.
        let _ = fs::remove_file(&beside);
    }
    filled
}

/// What two plans have otherwise: the old value and the new.
fn differences(old: &Parts, new: &Parts) -> Vec<String> {
    let names = old
        .keys()
        .chain(new.keys().filter(|name| !old.contains_key(*name)));
    let value = |parts: &Parts, name: &String| {
        parts
            .get(name)
            .map_or_else(|| "nothing".to_owned(), Clone::clone)
    };
    names
        .filter(|name| old.get(*name) != new.get(*name))
        .map(|name| {
            format!(
                "{name} was {} and is {}",
                value(old, name),
                value(new, name)
            )
        })
        .collect()
}

/// A name for a file that is still being written: nobody else's, whoever writes the same file now.
fn beside(path: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanoseconds = now.map_or(0, |now| now.subsec_nanos());
    path.with_extension(format!("{}-{nanoseconds}.part", std::process::id()))
}

fn write(path: &Path, content: &[u8]) -> Result<(), LoadError> {
    write_own(path, content).map_err(|error| refused(path, &error))
}

/// Writes a file in one step: whoever reads it sees the old one or the new one, and its owner alone
/// can. A plan and a record hold the seed, which others may not know.
pub(super) fn write_own(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = beside(path);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&beside)?.write_all(content)?;
    fs::rename(&beside, path)
}

fn refused(path: &Path, error: &io::Error) -> LoadError {
    let text = format!("can't write {}: {error}", path.display());
    let code = if is_full(error) {
        "tournament::full"
    } else {
        "tournament::write"
    };
    LoadError::one(Finding::error(code, text))
}

/// Is there no room for what was to be written?
pub(super) fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}
