//! The log of a tournament: a line for each block that was played, which is only ever added to.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::is_full;
use super::game_line::GameLine;
use crate::plain_files;
use risk_engine::load::diag::{Finding, LoadError};
use risk_engine::record::sum;

/// The longest line, in bytes: 64 games of 32 players with all that is said of them.
const LONGEST: u64 = 4 << 20;

/// A block that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockLine {
    /// The hash of the plan that it belongs to.
    pub plan: String,
    /// The number of the block, from 0.
    pub block: u64,
    /// Its games, in the order of their seatings.
    pub games: Vec<GameLine>,
}

/// Why a log can't be read or written.
#[derive(Debug)]
pub enum LogFault {
    /// The system refuses.
    Io(PathBuf, io::Error),
    /// A line that is not the last one is no block of ours: its number from 1, and what is wrong.
    Damaged(PathBuf, u64, String),
    /// Another program is writing it.
    Busy(PathBuf),
}

impl LogFault {
    /// What a person is told.
    #[must_use]
    pub fn finding(&self) -> Finding {
        let error = |code: &str, text: String, help: &str| {
            Finding::error(&format!("tournament::{code}"), text).help(help)
        };
        match self {
            Self::Io(path, cause) => error(
                if is_full(cause) { "full" } else { "log" },
                format!("can't use {}: {cause}", path.display()),
                "what was played before is kept; run the tournament again when the cause is gone",
            ),
            Self::Damaged(path, line, what) => error(
                "log-damaged",
                format!("line {line} of {} {what}", path.display()),
                "remove the line to play its block again, or take the file from a copy",
            ),
            Self::Busy(path) => error(
                "busy",
                format!("another program writes {} now", path.display()),
                "wait for it, or let each run have a shard of its own: --shard 1/2 and --shard 2/2",
            ),
        }
    }
}

impl From<LogFault> for LoadError {
    fn from(fault: LogFault) -> Self {
        Self::one(fault.finding())
    }
}

/// Reads the blocks of a log one by one, and hands over each with the byte at which its line
/// begins, until the end or the first error. How many bytes of whole lines there are: what stands
/// behind them is a line that was cut off while it was written.
///
/// # Errors
/// When the file can't be read, or a line before the last one is damaged; what `each` says.
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
        match parse(&line) {
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

/// A line as a block.
pub(super) fn parse(line: &[u8]) -> Result<BlockLine, String> {
    let whole = line.strip_suffix(b"\n").ok_or("is cut off")?;
    let text = std::str::from_utf8(whole).map_err(|_| "is not a text")?;
    let (body, sum_given) = risk_engine::record::split_sum(text).ok_or("has no sum")?;
    if sum("", body) != sum_given {
        return Err("does not agree with its sum".to_owned());
    }
    serde_json::from_str(&format!("{body}}}")).map_err(|error| format!("is not a block: {error}"))
}

/// A block as a line, with its sum and its end.
#[must_use]
pub fn line(block: &BlockLine) -> String {
    let mut text = serde_json::to_string(block).expect("a block is plain data");
    text.pop();
    let sum = sum("", &text);
    format!("{text},\"sum\":\"{sum}\"}}\n")
}

/// A log that is being added to: nobody else writes it meanwhile.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    file: File,
}

impl LogWriter {
    /// Opens a log and cuts off a last line that is not whole. Which blocks it holds already; each
    /// goes through `check` first.
    ///
    /// # Errors
    /// When somebody else writes it; as [`read`].
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

    /// The file of a log, which nobody else writes until it is closed. It is made if it is not
    /// there.
    ///
    /// # Errors
    /// When somebody else writes it, or the system refuses.
    pub fn lock(path: &Path) -> Result<File, LogFault> {
        let io = |error| LogFault::Io(path.to_path_buf(), error);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = plain_files::open(&mut options, path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(LogFault::Busy(path.to_path_buf())),
            Err(TryLockError::Error(error)) => Err(io(error)),
        }
    }

    /// Adds a block, in one piece.
    ///
    /// # Errors
    /// When the system refuses, a full disk say: what is cut off is cut off for good at the next
    /// [`LogWriter::open`].
    pub fn add(&mut self, block: &BlockLine) -> Result<(), LogFault> {
        let written = self.file.write_all(line(block).as_bytes());
        written.map_err(|error| LogFault::Io(self.path.clone(), error))
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn sync(&mut self) -> Result<(), LogFault> {
        let synced = self.file.sync_data();
        synced.map_err(|error| LogFault::Io(self.path.clone(), error))
    }
}

/// The digests of a block's games: what two runs of it must have in common.
#[must_use]
pub fn digests(block: &BlockLine) -> Vec<String> {
    let games = block.games.iter();
    games.map(|game| game.digest.clone()).collect()
}
