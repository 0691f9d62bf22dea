//! All logs of a tournament, combined in the order of blocks.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};

use super::folder::{Folder, write_whole};
use super::log::{self, BlockLine, LogFault, LogWriter, digests};
use super::plan::TournamentPlan;
use super::run::check;
use super::shard::Shard;
use crate::plain_files;
use risk_text::diag::{Finding, LoadError};

const MOST_LOGS: usize = 10_000;

/// The positions of all blocks in the logs.
#[derive(Debug)]
pub struct Logs {
    files: Vec<PathBuf>,
    /// The file, the byte offset, and a hash of the game digests for each block number.
    blocks: BTreeMap<u64, (usize, u64, u64)>,
    /// The number of repeated blocks with identical games.
    pub duplicates: u64,
}

impl Logs {
    /// Reads all logs in these folders and checks them against the plan.
    ///
    /// # Errors
    /// Returns an error if a log can't be read, is damaged or belongs to another plan, or if a
    /// block was played twice with different games.
    pub fn read(plan: &TournamentPlan, folders: &[PathBuf]) -> Result<Self, LoadError> {
        let mut logs = Self {
            files: Vec::new(),
            blocks: BTreeMap::new(),
            duplicates: 0,
        };
        for folder in folders {
            logs.files.extend(files(folder)?);
        }
        let hash = plan.hash();
        for (file, path) in logs.files.clone().iter().enumerate() {
            log::read(path, |byte, block| {
                check(plan, &hash, &block)?;
                logs.add(plan, &block, file, byte)
            })?;
        }
        Ok(logs)
    }

    fn add(
        &mut self,
        plan: &TournamentPlan,
        block: &BlockLine,
        file: usize,
        byte: u64,
    ) -> Result<(), LoadError> {
        let digests = digests(block);
        let hash = blake3::hash(digests.join(" ").as_bytes());
        let mut word = [0; 8];
        word.copy_from_slice(&hash.as_bytes()[..8]);
        let hash = u64::from_le_bytes(word);
        match self.blocks.get(&block.block) {
            None => {
                self.blocks.insert(block.block, (file, byte, hash));
                Ok(())
            }
            Some(&(_, _, known)) if known == hash => {
                self.duplicates += 1;
                Ok(())
            }
            Some(&(other, at, _)) => {
                let first = block_at(&self.files[other], at)?;
                Err(LoadError::one(differs(plan, &first, block)))
            }
        }
    }

    /// Returns the number of blocks.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// Reports whether there are no blocks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Returns the first and the last missing block of each gap.
    #[must_use]
    pub fn gaps(&self, plan: &TournamentPlan) -> Vec<(u64, u64)> {
        let mut gaps = Vec::new();
        let mut next = 0;
        for &block in self.blocks.keys().chain([&plan.blocks]) {
            if block > next {
                gaps.push((next, block - 1));
            }
            next = block + 1;
        }
        gaps
    }

    /// Writes all blocks in order to the log of a complete run in this folder. If no block is
    /// missing, the log equals the log of an uninterrupted run.
    ///
    /// # Errors
    /// Returns an error if another program is writing to the log, or if the system fails.
    pub fn write(&self, folder: &Folder) -> Result<(), LoadError> {
        let path = folder.path.join(Shard::WHOLE.file("log"));
        let _lock = LogWriter::lock(&path)?;
        write_whole(&path, |out| {
            let mut written = Ok(());
            self.each(|block| {
                if written.is_ok() {
                    written = out.write_all(log::line(block).as_bytes());
                }
            })?;
            written.map_err(|error| io(&path, error))
        })
    }

    /// Calls `each` with the blocks in the order of their numbers.
    ///
    /// # Errors
    /// Returns an error if a log is no longer readable.
    pub fn each(&self, mut each: impl FnMut(&BlockLine)) -> Result<(), LoadError> {
        let mut open: Option<(usize, BufReader<File>)> = None;
        for &(file, byte, _) in self.blocks.values() {
            let path = &self.files[file];
            let mut reader = match open.take() {
                Some((number, reader)) if number == file => reader,
                _ => BufReader::new(
                    plain_files::open_to_read(path).map_err(|error| io(path, error))?,
                ),
            };
            each(&read_at(&mut reader, path, byte)?);
            open = Some((file, reader));
        }
        Ok(())
    }
}

fn io(path: &Path, error: std::io::Error) -> LoadError {
    LogFault::Io(path.to_path_buf(), error).into()
}

fn block_at(path: &Path, byte: u64) -> Result<BlockLine, LoadError> {
    let file = plain_files::open_to_read(path).map_err(|error| io(path, error))?;
    read_at(&mut BufReader::new(file), path, byte)
}

/// Reads the block whose line begins at a byte offset.
fn read_at(reader: &mut BufReader<File>, path: &Path, byte: u64) -> Result<BlockLine, LoadError> {
    // Seeking within the buffer is free, and most blocks are adjacent.
    let here = reader.stream_position().map_err(|error| io(path, error))?;
    let seek = byte as i64 - here as i64;
    reader
        .seek_relative(seek)
        .map_err(|error| io(path, error))?;
    let mut line = Vec::new();
    reader
        .read_until(b'\n', &mut line)
        .map_err(|error| io(path, error))?;
    log::parse(&line, "a block")
        .map_err(|what| LogFault::Damaged(path.to_path_buf(), 0, what).into())
}

/// Returns the paths of the logs in a folder, sorted by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let entries = fs::read_dir(folder).map_err(|error| io(folder, error))?;
    let mut files = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| io(folder, error))?.file_name();
        let is_log = name
            .to_str()
            .is_some_and(|name| name.starts_with("log.") && name.ends_with(".jsonl"));
        if is_log {
            files.push(folder.join(name));
        }
    }
    if files.len() > MOST_LOGS {
        let text = format!("{} has more than {MOST_LOGS} logs", folder.display());
        let finding = Finding::error("tournament::log", text);
        return Err(LoadError::one(finding.help("merge fewer logs at a time")));
    }
    files.sort();
    Ok(files)
}

/// Describes a block that was played twice with different results.
fn differs(plan: &TournamentPlan, first: &BlockLine, second: &BlockLine) -> Finding {
    let games = first.games.iter().zip(&second.games);
    let number = games
        .clone()
        .take_while(|(a, b)| a.digest == b.digest)
        .count();
    let digest = |block: &BlockLine| {
        let game = block.games.get(number);
        game.map_or_else(String::new, |game| game.digest.clone())
    };
    let text = format!(
        "block {} has two results: game {} ended with digest {} in one log and {} in another",
        first.block,
        number + 1,
        digest(first),
        digest(second)
    );
    let command = plan.command(first.block, number).unwrap_or_default();
    let help = format!("play the game again with `{command}`, and remove the wrong line");
    Finding::error("tournament::nondeterministic", text).help(help)
}
