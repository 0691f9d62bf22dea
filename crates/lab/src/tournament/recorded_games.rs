//! The recorded games of a stage, and the selection of the most interesting games for a report.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use super::game_line::GameLine;
use super::log::BlockLine;

/// The maximum number of games that a report shows.
pub const MOST_SHOWN: usize = 200;

/// The name of the folder with a stage's records.
pub const RECORDS: &str = "records";

/// Returns the file name of a game's record. The block and the game's number in the block are
/// counted from 0.
#[must_use]
pub fn record_name(block: u64, game: usize) -> String {
    format!("{}.jsonl", game_name(block, game))
}

/// Returns the common name of a game's files, without extensions.
pub(super) fn game_name(block: u64, game: usize) -> String {
    format!("{block:06}-{}", game + 1)
}

/// A game with an existing record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The number of the game's block, counted from 0.
    pub block: u64,
    /// The number of the game in its block, counted from 0.
    pub game: usize,
    /// The game's line in the log.
    pub line: GameLine,
    /// The path of the game's record.
    pub path: PathBuf,
}

impl RecordedGame {
    /// Returns the common name of the game's files, without extensions.
    #[must_use]
    pub fn name(&self) -> String {
        game_name(self.block, self.game)
    }

    /// Ranks games with faults first, and then longer games before shorter games.
    fn rank(&self) -> impl Ord + use<> {
        let has_faults = self.line.faults.iter().any(|&faults| faults > 0);
        let size = (has_faults, self.line.decisions);
        (Reverse(size), self.block, self.game)
    }
}

/// A collection of the games that a report shows for a stage. Games with faults come first,
/// followed by the longest games.
#[derive(Clone, Debug)]
pub struct RecordedGames {
    folder: PathBuf,
    count: u64,
    kept: Vec<RecordedGame>,
}

impl RecordedGames {
    /// Creates an empty collection for the stage in this folder.
    #[must_use]
    pub fn new(stage: &Path) -> Self {
        Self {
            folder: stage.join(RECORDS),
            count: 0,
            kept: Vec::new(),
        }
    }

    /// Adds the recorded games of a block.
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

    /// Returns the number of games with records, and the games to show in order.
    #[must_use]
    pub fn finish(mut self) -> (u64, Vec<RecordedGame>) {
        self.choose();
        (self.count, self.kept)
    }
}
