//! The log of a tournament, which is an append-only file with a line for each played block.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::folder::is_full;
use super::game_line::GameLine;
use crate::plain_files;
use risk_engine::record::sum;
use risk_text::diag::{Finding, LoadError};

/// The maximum length of a line, in bytes. It suffices for 64 games of 32 players with all their
/// values.
const LONGEST: u64 = 4 << 20;

/// A played block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockLine {
    /// The hash of the block's plan.
    pub plan: String,
    /// The number of the block, counted from 0.
    pub block: u64,
    /// The games in the order of their seatings.
    pub games: Vec<GameLine>,
    /// The end of the block, in seconds since 1970-01-01 UTC. Only ladders store it: the logs of a
    /// tournament are the same on every machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<u64>,
}

/// The reason that a log can't be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.finding())]
#[non_exhaustive]
pub enum LogFault {
    /// The system failed.
    Io(PathBuf, io::Error),
    /// A line before the last line is not a valid block. Contains the line number, counted from 1,
    /// and the reason.
    Damaged(PathBuf, u64, String),
    /// Another program is writing the log.
    Busy(PathBuf),
}

impl LogFault {
    /// Returns the error message for the user.
    #[must_use]
    pub fn finding(&self) -> Finding {
        let error = |code: &str, text: String, help: &str| {
            Finding::error(&format!("tournament::{code}"), text).help(help)
        };
        match self {
            Self::Io(path, cause) => error(
                if is_full(cause) { "full" } else { "log" },
                format!("can't use {}: {cause}", path.display()),
                "fix the cause, then run the tournament again; finished blocks are not lost",
            ),
            Self::Damaged(path, line, what) => error(
                "log-damaged",
                format!("line {line} of {} {what}", path.display()),
                "remove the line to play its block again, or restore the file from a backup",
            ),
            Self::Busy(path) => error(
                "busy",
                format!("another program is writing {}", path.display()),
                "wait until it ends, or give each run its own shard: `--shard 1/2` and \
                 `--shard 2/2`",
            ),
        }
    }
}

impl From<LogFault> for LoadError {
    fn from(fault: LogFault) -> Self {
        Self::one(fault.finding())
    }
}

/// Reads the blocks of a log until the end or the first error. Calls `each` with each block and the
/// byte offset of its line. Returns the total length of the complete lines, in bytes. Any remaining
/// text is a line whose writing was interrupted.
///
/// # Errors
/// Returns an error if the file can't be read, a line before the last line is damaged, or `each`
/// fails.
pub fn read(
    path: &Path,
    mut each: impl FnMut(u64, BlockLine) -> Result<(), LoadError>,
) -> Result<u64, LoadError> {
    let io = |error| LoadError::from(LogFault::Io(path.to_path_buf(), error));
    let mut reader = BufReader::new(plain_files::open_to_read(path).map_err(io)?);
    let mut whole = 0;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = (&mut reader).take(LONGEST).read_until(b'\n', &mut line);
        if read.map_err(io)? == 0 {
            break;
        }
        match parse(&line, "a block") {
            Ok(block) => {
                each(whole, block)?;
                whole += line.len() as u64;
            }
            Err(_) if reader.fill_buf().map_err(io)?.is_empty() => break,
            Err(what) => {
                let path = path.to_path_buf();
                return Err(LogFault::Damaged(path, number, what).into());
            }
        }
    }
    Ok(whole)
}

/// Parses a line that [`line`] formatted. `what` names its content in errors.
pub(crate) fn parse<T: DeserializeOwned>(line: &[u8], what: &str) -> Result<T, String> {
    let whole = line.strip_suffix(b"\n").ok_or("is cut off")?;
    let text = std::str::from_utf8(whole).map_err(|_| "is not UTF-8")?;
    let (body, sum_given) = risk_engine::record::split_sum(text).ok_or("has no checksum")?;
    if sum("", body) != sum_given {
        return Err("does not match its checksum".to_owned());
    }
    serde_json::from_str(&format!("{body}}}")).map_err(|error| format!("is not {what}: {error}"))
}

/// Formats a block or another entry as a line with its checksum and line end.
///
/// # Panics
/// Panics if the entry is not plain data.
#[must_use]
pub fn line(entry: &impl Serialize) -> String {
    let mut text = serde_json::to_string(entry).expect("an entry is plain data");
    text.pop();
    let sum = sum("", &text);
    format!("{text},\"sum\":\"{sum}\"}}\n")
}

/// A log opened for appending, locked against other writers.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    file: File,
}

impl LogWriter {
    /// Opens a log and removes an incomplete last line. Calls `check` with each block and returns
    /// the numbers of the blocks.
    ///
    /// # Errors
    /// Returns an error if another program is writing to the log, and the same errors as [`read`].
    pub fn open(
        path: &Path,
        mut check: impl FnMut(&BlockLine) -> Result<(), LoadError>,
    ) -> Result<(Self, BTreeSet<u64>), LoadError> {
        let io = |error| LoadError::from(LogFault::Io(path.to_path_buf(), error));
        let mut file = Self::lock(path)?;
        let mut blocks = BTreeSet::new();
        let whole = read(path, |_, block| {
            check(&block)?;
            blocks.insert(block.block);
            Ok(())
        })?;
        file.set_len(whole).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let path = path.to_path_buf();
        Ok((Self { path, file }, blocks))
    }

    /// Opens a log, or creates it if it is missing. The log remains locked against other writers
    /// until it is closed.
    ///
    /// # Errors
    /// Returns an error if another program is writing to the log, or if the system fails.
    pub fn lock(path: &Path) -> Result<File, LogFault> {
        let file = plain_files::lock(path);
        let file = file.map_err(|error| LogFault::Io(path.to_path_buf(), error))?;
        file.ok_or_else(|| LogFault::Busy(path.to_path_buf()))
    }

    /// Appends a block in a single write.
    ///
    /// # Errors
    /// Returns an error if the system fails, for example because the disk is full. The next
    /// [`LogWriter::open`] removes an incomplete line.
    pub fn add(&mut self, block: &BlockLine) -> Result<(), LogFault> {
        let written = self.file.write_all(line(block).as_bytes());
        written.map_err(|error| LogFault::Io(self.path.clone(), error))
    }

    /// Waits until all data has been written to the disk.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    pub fn sync(&mut self) -> Result<(), LogFault> {
        let synced = self.file.sync_data();
        synced.map_err(|error| LogFault::Io(self.path.clone(), error))
    }
}

/// Returns the digests of a block's games, which must be equal in all runs of the block.
#[must_use]
pub fn digests(block: &BlockLine) -> Vec<String> {
    let games = block.games.iter();
    games.map(|game| game.digest.clone()).collect()
}
