//! Wall times of blocks and bots, stored in files next to the logs. They depend on the machine and
//! its load. They are therefore excluded from logs, plans and all other data that must be equal in
//! two runs.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::log::LogFault;
use crate::plain_files;
use risk_engine::BotTime;

/// The maximum length of a line, in bytes.
const LONGEST: u64 = 1 << 20;

/// The wall time of one bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct WallTime {
    /// The total time, in seconds.
    pub seconds: f64,
    /// The time of the slowest answer, in seconds.
    pub most: f64,
    /// The number of answers.
    pub answers: u64,
}

impl From<BotTime> for WallTime {
    fn from(time: BotTime) -> Self {
        Self {
            seconds: time.all.as_secs_f64(),
            most: time.most.as_secs_f64(),
            answers: time.answers,
        }
    }
}

/// The wall times of bots, by name.
pub type WallTimes = BTreeMap<String, WallTime>;

/// The duration of a block, which depends on the machine and its load.
#[derive(Deserialize, Serialize)]
pub(super) struct BlockTime {
    pub(super) block: u64,
    pub(super) seconds: f64,
    /// The wall times of the timed bots.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) bots: WallTimes,
}

pub(super) struct Timing {
    path: PathBuf,
    file: File,
}

impl Timing {
    pub(super) fn open(path: &Path) -> Result<Self, LogFault> {
        let mut options = OpenOptions::new();
        let file = plain_files::open(options.append(true).create(true), path);
        let path = path.to_path_buf();
        match file {
            Ok(file) => Ok(Self { path, file }),
            Err(error) => Err(LogFault::Io(path, error)),
        }
    }

    pub(super) fn add(&mut self, time: &BlockTime) -> Result<(), LogFault> {
        let line = serde_json::to_string(time).expect("a line is plain data");
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| LogFault::Io(self.path.clone(), error))
    }
}

/// Returns the wall times of these bots from all timing files in these folders. Ignores unreadable
/// files and lines, because no result depends on them.
#[must_use]
pub fn wall_times(folders: &[PathBuf], names: &[&str]) -> WallTimes {
    let mut times = WallTimes::new();
    let entries = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok());
    let paths = entries.flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.collect();
    paths.sort();
    paths.dedup();
    let is_timing = |path: &&PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("timing.") && name.ends_with(".jsonl"))
    };
    for path in paths.iter().filter(is_timing) {
        let Ok(file) = plain_files::open_to_read(path) else {
            continue;
        };
        for line in lines(file) {
            add(&mut times, line.bots, names);
        }
    }
    times
}

/// Returns the valid lines of a file.
fn lines(file: File) -> impl Iterator<Item = BlockTime> {
    let mut reader = BufReader::new(file);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = (&mut reader).take(LONGEST).read_until(b'\n', &mut line);
        matches!(read, Ok(1..)).then_some(line)
    })
    .filter_map(|line| serde_json::from_slice(&line).ok())
}

fn add(times: &mut WallTimes, bots: WallTimes, names: &[&str]) {
    let known = bots
        .into_iter()
        .filter(|(name, _)| names.contains(&name.as_str()));
    for (name, more) in known {
        let time = times.entry(name).or_default();
        time.seconds += more.seconds;
        time.most = time.most.max(more.most);
        time.answers = time.answers.saturating_add(more.answers);
    }
}
