//! The games of a stage whose records are there: of however many, those that a report shows.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use super::game_line::GameLine;
use super::log::BlockLine;

/// The most games that a report shows.
pub const MOST_SHOWN: usize = 200;

/// The folder of records in that of a stage.
pub const RECORDS: &str = "records";

/// The record of a game, by its block and its number there, both from 0.
#[must_use]
pub fn record_name(block: u64, game: usize) -> String {
    format!("{}.jsonl", game_name(block, game))
}

/// What files of a game are called, but for their endings.
pub(super) fn game_name(block: u64, game: usize) -> String {
    format!("{block:06}-{}", game + 1)
}

/// A game whose record is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The number of its block, from 0.
    pub block: u64,
    /// Its number in the block, from 0.
    pub game: usize,
    /// What the log says of it.
    pub line: GameLine,
    /// Its record.
    pub path: PathBuf,
}

impl RecordedGame {
    /// What its files are called, but for their endings.
    #[must_use]
    pub fn name(&self) -> String {
        game_name(self.block, self.game)
    }

    /// Games with faults first, then the longest.
    fn rank(&self) -> impl Ord + use<> {
        let has_faults = self.line.faults.iter().any(|&faults| faults > 0);
        let size = (has_faults, self.line.decisions);
        (Reverse(size), self.block, self.game)
    }
}

/// Hears the blocks of a stage, and keeps the games that a report shows: those with faults first,
/// then the longest.
#[derive(Clone, Debug)]
pub struct RecordedGames {
    folder: PathBuf,
    count: u64,
    kept: Vec<RecordedGame>,
}

impl RecordedGames {
    /// Of the stage in this folder, nothing yet.
    #[must_use]
    pub fn new(stage: &Path) -> Self {
        Self {
            folder: stage.join(RECORDS),
            count: 0,
            kept: Vec::new(),
        }
    }

    /// One more block.
    pub fn add(&mut self, block: &BlockLine) {
        for (game, line) in block.games.iter().enumerate() {
            let path = self.folder.join(record_name(block.block, game));
            if path.is_file() {
                self.count += 1;
                self.kept.push(RecordedGame {
                    block: block.block,
                    game,
                    line: line.clone(),
                    path,
                });
            }
        }
        if self.kept.len() > 2 * MOST_SHOWN {
            self.choose();
        }
    }

    fn choose(&mut self) {
        self.kept.sort_by_cached_key(RecordedGame::rank);
        self.kept.truncate(MOST_SHOWN);
    }

    /// How many games have records, and those that are shown, in the order in which they are.
    #[must_use]
    pub fn finish(mut self) -> (u64, Vec<RecordedGame>) {
        self.choose();
        (self.count, self.kept)
    }
}
