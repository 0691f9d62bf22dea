//! The folder of a tournament, with its file, its plan, its logs and the files created from them.

use risk_maps::files;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

use super::plan::TournamentPlan;
use super::plan_parts::{Parts, hash_of};
use crate::plain_files;
use risk_text::diag::{Finding, LoadError};

/// The file name of the tournament's specification.
pub const FILE: &str = "tournament.yaml";
/// The file name of the plan.
pub const PLAN: &str = "plan.json";
/// The extension of the folder of a tournament whose file has another name than [`FILE`].
const ENDING: &str = "tournament";
/// The maximum size of a plan, in bytes.
const LARGEST_PLAN: u64 = 1 << 20;

/// The folder of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The path of the folder.
    pub path: PathBuf,
    /// The path of the tournament's file.
    pub file: PathBuf,
}

#[derive(Deserialize)]
struct SavedPlan {
    parts: Parts,
}

impl Folder {
    /// Finds the tournament for the path of a folder or a file. The folder of `tournament.yaml` is
    /// the folder that contains it. The folder of any other file, such as `cup.yaml`, is
    /// `cup.tournament` beside it, so that tournaments in one folder don't share their logs.
    ///
    /// # Errors
    /// Returns an error if there is no tournament at the path.
    pub fn find(path: &Path) -> Result<Self, LoadError> {
        let is_file = path.is_file() || path.extension().is_some_and(|ending| ending == "yaml");
        let folder = if is_file {
            Self::of_file(path)
        } else {
            Self::of_folder(path)
        };
        if folder.file.is_file() {
            return Ok(folder);
        }
        let text = format!("no file {}", folder.file.display());
        let help = "run `risk-cli tournament new DIR` to write a tournament's file";
        LoadError::refuse("tournament::file", text, help)
    }

    fn of_file(file: &Path) -> Self {
        let path = if file.file_name().is_some_and(|name| name == FILE) {
            // A bare file name has the parent "", which means the current folder.
            file.parent()
                .filter(|folder| *folder != Path::new(""))
                .map_or_else(|| PathBuf::from("."), PathBuf::from)
        } else {
            file.with_extension(ENDING)
        };
        Self {
            path,
            file: file.to_path_buf(),
        }
    }

    fn of_folder(path: &Path) -> Self {
        let own = path.join(FILE);
        let beside = path.with_extension("yaml");
        let is_beside = path.extension().is_some_and(|ending| ending == ENDING);
        let file = if is_beside && !own.is_file() && beside.is_file() {
            beside
        } else {
            own
        };
        Self {
            path: path.to_path_buf(),
            file,
        }
    }

    /// Returns the path that commands take: the folder of `tournament.yaml`, or any other file.
    #[must_use]
    pub fn place(&self) -> &Path {
        let parent = self.file.parent().filter(|it| *it != Path::new(""));
        let own = parent.filter(|_| self.file.ends_with(FILE));
        own.unwrap_or(&self.file)
    }

    /// Returns the folder with the logs, or nothing if it doesn't exist before the first run.
    #[must_use]
    pub fn with_logs(&self) -> Vec<PathBuf> {
        let is_there = self.path.is_dir();
        is_there.then(|| self.path.clone()).into_iter().collect()
    }

    /// Returns the subfolder for the finals of this tournament.
    #[must_use]
    pub fn finals(&self) -> Self {
        self.beside(&self.path.join("finals"))
    }

    /// Returns another folder that contains logs of this tournament.
    #[must_use]
    pub fn beside(&self, path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            file: self.file.clone(),
        }
    }

    /// Creates the folder of a new tournament if it is missing. Follows an existing symlink.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    pub fn make_new(&self) -> Result<(), LoadError> {
        if self.path.is_dir() {
            Ok(())
        } else {
            self.make()
        }
    }

    /// Creates the folder if it is missing.
    ///
    /// # Errors
    /// Returns an error if the folder is a symlink, or if the system fails.
    pub fn make(&self) -> Result<(), LoadError> {
        plain_files::make_folder(&self.path).map_err(|error| refused(&self.path, &error))
    }

    /// Writes the plan to its file. If the file exists, checks that it contains the same plan.
    ///
    /// # Errors
    /// Returns an error if the file contains a different plan, with the differences. Also returns
    /// an error if the file can't be written.
    pub fn settle(&self, plan: &TournamentPlan) -> Result<(), LoadError> {
        let path = self.path.join(PLAN);
        if path.exists() {
            return self.agree(plan);
        }
        let text = serde_json::to_string_pretty(&plan.file()).expect("a plan is plain data");
        write(&path, format!("{text}\n").as_bytes())
    }

    /// Checks the plan against its file if the file exists.
    ///
    /// # Errors
    /// Returns an error if the file contains a different plan, with the differences.
    pub fn agree(&self, plan: &TournamentPlan) -> Result<(), LoadError> {
        let path = self.path.join(PLAN);
        if !path.exists() {
            return Ok(());
        }
        let file = files::file(&path, LARGEST_PLAN)?;
        let damaged = |text: String| {
            let help = "remove the file; the next run writes a new one";
            LoadError::new("tournament::plan", text, help)
        };
        let saved: SavedPlan = serde_json::from_str(&file.text)
            .map_err(|error| damaged(format!("{} is not a valid plan: {error}", path.display())))?;
        if hash_of(&saved.parts) == plan.hash() {
            return Ok(());
        }
        let differing: Vec<String> = differences(&saved.parts, &plan.parts);
        let text = format!(
            "the games in {} belong to another plan: {}",
            self.path.display(),
            differing.join("; ")
        );
        let help = "undo the change, or start in a new folder";
        LoadError::refuse("tournament::plan-differs", text, help)
    }

    /// Atomically replaces a file created from the logs. Readers see either the old content or the
    /// new content.
    ///
    /// # Errors
    /// Returns an error if the system or `fill` fails.
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

/// Returns one part of the plan saved in a folder, or `None` if it is missing.
#[must_use]
pub fn saved_part(folder: &Path, name: &str) -> Option<String> {
    let file = files::file(&folder.join(PLAN), LARGEST_PLAN).ok()?;
    let mut saved: SavedPlan = serde_json::from_str(&file.text).ok()?;
    saved.parts.remove(name)
}

/// Atomically replaces a file, whose content is written in pieces.
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
        // An incomplete file is of no use.
        let _ = fs::remove_file(&beside);
    }
    filled
}

/// Describes the differences between two plans with the old and new values.
fn differences(old: &Parts, new: &Parts) -> Vec<String> {
    let names = old
        .keys()
        .chain(new.keys().filter(|name| !old.contains_key(*name)));
    let value = |parts: &Parts, name: &String| {
        parts
            .get(name)
            .map_or_else(|| "unset".to_owned(), Clone::clone)
    };
    names
        .filter(|name| old.get(*name) != new.get(*name))
        .map(|name| {
            format!(
                "{name} was {} and is now {}",
                value(old, name),
                value(new, name)
            )
        })
        .collect()
}

/// Returns the name of a temporary file that is unique among programs that write the same file.
fn beside(path: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanoseconds = now.map_or(0, |now| now.subsec_nanos());
    path.with_extension(format!("{}-{nanoseconds}.part", std::process::id()))
}

fn write(path: &Path, content: &[u8]) -> Result<(), LoadError> {
    write_own(path, content).map_err(|error| refused(path, &error))
}

/// Atomically replaces a file and makes it readable only by its owner. Plans and records contain
/// the seed, which must remain secret from other users.
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

pub(super) fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}
