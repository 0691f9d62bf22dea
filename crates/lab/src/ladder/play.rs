//! The background tasks of a ladder, which play one block after another and compute the standings.

use std::io;
use std::path::MAIN_SEPARATOR;
use std::sync::PoisonError;
use std::time::Duration;

use super::referee::{self, BlockFault, FaultNote, OpenGame, PlayedBlock, Seat};
use super::standings::standings;
use super::state::Ladder;
use crate::tournament::log::LogWriter;
use risk_engine::MatchFault;
use risk_text::diag::LoadError;

/// The maximum number of unfinished or discarded blocks to remember.
const MOST_TRIED: usize = 1_000;
/// The delay before a retry.
const AGAIN: Duration = Duration::from_secs(10);

impl Ladder {
    /// Waits for a table that can play, plays its block, and records the block. Returns `false` if
    /// the ladder was stopped. `tell` receives messages for the ladder's operator.
    pub fn play_next(&self, open: &OpenGame, tell: &dyn Fn(&str)) -> bool {
        let Some((number, ids)) = self.next_table() else {
            return false;
        };
        let outcome = self.seats(&ids).map_or_else(
            |failure| Err(BlockFault::Match(MatchFault::Load(failure))),
            |seats| referee::play(&self.config.base, &self.hash, number, &seats, open),
        );
        match outcome {
            Ok(played) => {
                if let Err(text) = self.take_up(number, &ids, played) {
                    tell(&format!("lost block {number}: {text}"));
                    self.pause(&text);
                }
            }
            Err(BlockFault::Unfit(index, text)) => {
                let id = &ids[index];
                let (home, _) = self
                    .roster(|roster| roster.find(id).map(|one| self.folder.script(one)))
                    .unwrap_or_default();
                let text = text.replace(&format!("{}{MAIN_SEPARATOR}", home.display()), "");
                let note = FaultNote {
                    game: None,
                    round: 0,
                    kind: "script".to_owned(),
                    text,
                };
                if id.contains('@') {
                    // The operator is notified even if this write fails.
                    let _ = self.folder.add_faults(id, vec![note]);
                }
                tell(&format!("can't load {id}; the bot rests"));
                let mut state = self.state();
                state.tried.remove(&number);
                state.unfit.insert(id.clone());
                state.changes += 1;
            }
            // The ladder is stopping, or a game took too long. The block remains in `tried`, so
            // these bots are not selected again immediately.
            Err(BlockFault::Match(MatchFault::Gone(..))) => {}
            Err(BlockFault::Match(fault)) => {
                tell(&format!("discarded block {number}: {fault}"));
                self.pause(&fault.to_string());
            }
        }
        self.news.notify_all();
        !self.state().stopped
    }

    /// Records the reason that no games are played, and waits for [`AGAIN`].
    fn pause(&self, why: &str) {
        let mut state = self.state();
        state.rests = Some(why.to_owned());
        // Reopening the log removes an incomplete last line before the next line is appended.
        if state.log.is_none() {
            let mut left = state.played.len();
            let mut written = Vec::new();
            let opened = LogWriter::open(&self.folder.log(), |block| {
                match left.checked_sub(1) {
                    Some(fewer) => left = fewer,
                    // The system reported an error, but the block was written to the log.
                    None => written.push(block.clone()),
                }
                Ok(())
            });
            if let Ok((log, _)) = opened {
                state.log = Some(log);
                for block in written {
                    state.tried.remove(&block.block);
                    state.count(&block);
                }
            }
        }
        let waited = self.news.wait_timeout(state, AGAIN);
        drop(waited);
    }

    fn next_table(&self) -> Option<(u64, Vec<String>)> {
        let mut state = self.state();
        loop {
            if state.stopped {
                return None;
            }
            let ids = self.playing(&state);
            match state.choose(&ids, &self.config) {
                Ok(table) => {
                    state.rests = None;
                    let number = state.next;
                    state.next += 1;
                    let ids: Vec<String> = table.into_iter().map(|bot| ids[bot].clone()).collect();
                    let numbers = ids.iter().map(|id| state.number_of(id)).collect();
                    state.tried.insert(number, numbers);
                    if state.tried.len() > MOST_TRIED {
                        state.tried.pop_first();
                    }
                    return Some((number, ids));
                }
                Err(why) => state.rests = Some(why),
            }
            let waited = self.news.wait_timeout(state, AGAIN);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn seats(&self, ids: &[String]) -> Result<Vec<Seat>, LoadError> {
        let seats = self.config.seats;
        let seat = |id: &String| {
            let house = self.config.house.iter().find(|spec| spec.name == *id);
            if let Some(spec) = house {
                let spec = spec.clone();
                let home = String::new();
                let public = true;
                return Ok(Seat { spec, public, home });
            }
            let version = self.roster(|roster| roster.find(id).cloned());
            let version = version.expect("every bot at a table exists");
            let (folder, file) = self.folder.script(&version);
            let program = self.config.program.as_path();
            let base = &self.config.base;
            let spec = referee::isolated(base, program, seats, &folder, &file, id)?;
            let public = version.public;
            let home = format!("{}{MAIN_SEPARATOR}", folder.display());
            Ok(Seat { spec, public, home })
        };
        ids.iter().map(seat).collect()
    }

    /// Stores a played block. Writes its records before its line in the log.
    fn take_up(&self, number: u64, ids: &[String], played: PlayedBlock) -> Result<(), String> {
        let words = |error: io::Error| error.to_string();
        let mut state = self.state();
        for (game, lines) in &played.records {
            self.folder.keep_record(*game, lines).map_err(words)?;
            let bytes = lines.len() as u64;
            state.records.insert(*game, bytes);
            state.record_bytes += bytes;
        }
        while state.record_bytes > self.config.disk / 4 {
            let Some((game, bytes)) = state.records.pop_first() else {
                break;
            };
            state.record_bytes -= bytes;
            self.folder.drop_record(game);
        }
        let log = state.log.as_mut().ok_or("the log can't be written")?;
        if let Err(fault) = log.add(&played.line).and_then(|()| log.sync()) {
            state.log = None;
            return Err(fault.finding().text);
        }
        state.tried.remove(&number);
        state.count(&played.line);
        state.log_bytes = self.folder.log_bytes();
        state.changes += 1;
        drop(state);
        for (id, notes) in ids.iter().zip(played.faults) {
            if !notes.is_empty() && id.contains('@') {
                self.folder.add_faults(id, notes).map_err(words)?;
            }
        }
        Ok(())
    }

    /// Recomputes the standings from the log.
    ///
    /// # Errors
    /// Returns an error if the log can't be read.
    pub fn refresh(&self) -> Result<(), LoadError> {
        let base = &self.config.base;
        let seats = self.config.seats;
        let path = self.folder.log();
        let count = || {
            let state = self.state();
            let counted = state.counted(self.playing(&state), self.config.enough);
            drop(state);
            standings(base, seats, &counted, &path)
        };
        // A line that is currently being written may look damaged.
        let standings = count().or_else(|_| count())?;
        self.state().standings = standings;
        Ok(())
    }

    /// Waits for `time`, or until the ladder is stopped.
    pub fn rest(&self, time: Duration) {
        let state = self.state();
        let waited = (self.news).wait_timeout_while(state, time, |state| !state.stopped);
        drop(waited);
    }

    /// Waits until the standings may have changed since `seen`. Returns the new number of changes,
    /// or `None` if the ladder was stopped.
    #[must_use]
    pub fn wait_for_changes(&self, seen: u64) -> Option<u64> {
        let mut state = self.state();
        while state.changes == seen && !state.stopped {
            let waited = self.news.wait_timeout(state, AGAIN);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        (!state.stopped).then_some(state.changes)
    }
}
