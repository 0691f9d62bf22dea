//! A running ladder, with people's permissions, the next table and the results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::folder::LadderFolder;
use super::games::{GameFilter, Page, PlayedGame};
use super::journal::{Journal, JournalEntry};
use super::roster::{Roster, Version, check_bot_name};
use super::schedule::Meetings;
use super::standings::{CountedBots, LAST_BLOCKS, LadderStandings};
use crate::tournament::log::{BlockLine, LogWriter};
use crate::tournament::{TournamentPlan, folder::Folder};
use risk_engine::Setup;
use risk_engine::bot_spec::BotSpec;
use risk_text::diag::{Finding, LoadError};

/// The maximum number of active bots per person, and the maximum number of versions that a person
/// may submit.
const BOTS_OF_ONE: usize = 3;
const VERSIONS_OF_ONE: usize = 100;
/// The maximum number of active bots at the same time.
const MOST_PLAYING: usize = 300;
/// The maximum number of listed games, in total and per version.
const LAST_GAMES: usize = 2_000;
const LAST_OF_ONE: usize = 20;
/// The configuration of a ladder.
#[derive(Debug)]
pub struct LadderConfig {
    /// The setup of the games, without bots. Seats are fixed, and blocks rotate the bots.
    pub base: Setup,
    /// Whether a person may have chosen the seed. In this case, anyone who guesses the seed knows
    /// all dice. The ladder's pages mention this setting, which never changes.
    pub practice: bool,
    /// The number of seats at a table.
    pub seats: usize,
    /// The house bots, which also play.
    pub house: Vec<BotSpec>,
    /// The number of blocks after which a bot has played enough.
    pub enough: u32,
    /// The disk limit, in bytes. Half of it is for the log, a quarter for records, and a quarter
    /// for scripts.
    pub disk: u64,
    /// The path of this program, which is started again for games in separate processes.
    pub program: PathBuf,
}

/// The reason that a ladder rejects a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LadderFault {
    /// Invalid input.
    #[error("{0}")]
    Bad(String),
    /// The name is taken.
    #[error("{0}")]
    Taken(String),
    /// No object with that name exists.
    #[error("{0}")]
    Unknown(String),
    /// A limit has been reached.
    #[error("{0}")]
    Full(String),
    /// The system failed. Details are only shown to the ladder's operator.
    #[error("{0}")]
    Broken(String),
}

impl From<io::Error> for LadderFault {
    fn from(error: io::Error) -> Self {
        Self::Broken(error.to_string())
    }
}

/// The totals of a version over all its games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionTotals {
    /// The number of games played.
    pub games: u64,
    /// The number of games with this version as the only winner.
    pub wins: u64,
    /// The number of faults in these games.
    pub faults: u64,
    /// The version's latest games, starting with the newest.
    pub last: VecDeque<Arc<PlayedGame>>,
}

pub(super) struct LadderState {
    pub(super) roster: Roster,
    pub(super) journal: Journal,
    pub(super) log: Option<LogWriter>,
    pub(super) next: u64,
    /// The bots of each block, as numbers from `ids`.
    pub(super) played: Vec<Vec<u32>>,
    /// The tables that are playing or whose block did not count.
    pub(super) tried: BTreeMap<u64, Vec<u32>>,
    pub(super) ids: BTreeMap<String, u32>,
    pub(super) summaries: BTreeMap<String, VersionTotals>,
    pub(super) last: VecDeque<Arc<PlayedGame>>,
    pub(super) records: BTreeMap<u64, u64>,
    pub(super) record_bytes: u64,
    pub(super) script_bytes: u64,
    pub(super) log_bytes: u64,
    /// The versions that could not be loaded. They rest until the ladder is opened again.
    pub(super) unfit: BTreeSet<String>,
    /// The reason that no games are played, if there is one.
    pub(super) rests: Option<String>,
    pub(super) stopped: bool,
    pub(super) standings: LadderStandings,
    /// A counter that increases with every change that affects the standings.
    pub(super) changes: u64,
}

/// The name of the part of the plan that marks a practice ladder.
const PRACTICE: &str = "practice";

/// A ladder, with its configuration and its state.
pub struct Ladder {
    /// The configuration.
    pub config: LadderConfig,
    /// The folder of the ladder.
    pub folder: LadderFolder,
    pub(super) hash: String,
    state: Mutex<LadderState>,
    /// A signal for a submission or the end of a block.
    pub(super) news: Condvar,
}

/// Returns a plan without bots.
fn plan(config: &LadderConfig) -> TournamentPlan {
    let mut plan = TournamentPlan::one_table(config.base.with_bots([]), config.seats);
    if config.practice {
        plan.parts.insert(PRACTICE.to_owned(), "yes".to_owned());
    }
    plan
}

impl Ladder {
    /// Opens or creates a ladder's folder. Restores the previous state, regardless of how the last
    /// run ended.
    ///
    /// # Errors
    /// Returns an error if another program is using the ladder, a file is damaged, or the system
    /// fails.
    pub fn open(config: LadderConfig, path: &Path) -> Result<Self, LoadError> {
        let folder = LadderFolder::open(path)?;
        let refused = |error: io::Error| {
            let text = format!("can't use {}: {error}", folder.path.display());
            LoadError::one(Finding::error("ladder::folder", text))
        };
        let plan = plan(&config);
        let mut roster = Roster::default();
        // The lock on the journal protects the whole folder.
        let journal = Journal::open(&folder.people(), |entry| roster.add(entry))?;
        Folder {
            path: folder.path.clone(),
            file: folder.path.clone(),
        }
        .settle(&plan)?;
        let records = folder.records().map_err(refused)?;
        let mut state = LadderState {
            script_bytes: roster.versions.iter().map(|one| one.bytes).sum(),
            roster,
            journal,
            log: None,
            next: 0,
            played: Vec::new(),
            tried: BTreeMap::new(),
            ids: BTreeMap::new(),
            summaries: BTreeMap::new(),
            last: VecDeque::new(),
            record_bytes: records.values().sum(),
            records,
            log_bytes: 0,
            unfit: BTreeSet::new(),
            rests: None,
            stopped: false,
            standings: LadderStandings::default(),
            changes: 1,
        };
        let hash = plan.hash();
        let (log, _) = LogWriter::open(&folder.log(), |block| {
            check(&hash, config.seats, block)?;
            state.count(block);
            Ok(())
        })?;
        state.log = Some(log);
        state.log_bytes = folder.log_bytes();
        let ladder = Self {
            config,
            folder,
            hash,
            state: Mutex::new(state),
            news: Condvar::new(),
        };
        ladder.forget_lost_records();
        ladder.refresh()?;
        Ok(ladder)
    }

    /// Deletes records of blocks that are missing from the log, because the program ended before it
    /// wrote the log.
    fn forget_lost_records(&self) {
        let mut state = self.state();
        let most = state.next * self.config.seats as u64;
        let games = state.records.keys().copied();
        let lost: Vec<u64> = games.filter(|&game| game > most).collect();
        for game in lost {
            self.folder.drop_record(game);
            state.record_bytes -= state.records.remove(&game).unwrap_or(0);
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, LadderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the names of all active bots, starting with the house bots.
    pub(super) fn playing(&self, state: &LadderState) -> Vec<String> {
        let house = self.config.house.iter().map(|spec| spec.name.clone());
        let scripts = state.roster.playing().map(Version::id);
        let all = house.chain(scripts);
        all.filter(|id| !state.unfit.contains(id)).collect()
    }

    /// Calls `look` with the people and bots while holding a lock.
    pub fn roster<T>(&self, look: impl FnOnce(&Roster) -> T) -> T {
        look(&self.state().roster)
    }

    /// Returns the hash of the plan.
    #[must_use]
    pub fn plan(&self) -> &str {
        &self.hash
    }

    /// Returns the latest standings.
    #[must_use]
    pub fn standings(&self) -> LadderStandings {
        self.state().standings.clone()
    }

    /// Returns the reason that no games are played, if there is one.
    #[must_use]
    pub fn rests(&self) -> Option<String> {
        self.state().rests.clone()
    }

    /// Reports whether a version could not be loaded.
    #[must_use]
    pub fn is_unfit(&self, id: &str) -> bool {
        self.state().unfit.contains(id)
    }

    /// Returns the totals of a version.
    #[must_use]
    pub fn summary(&self, id: &str) -> VersionTotals {
        self.state().summaries.get(id).cloned().unwrap_or_default()
    }

    /// Returns up to `count` of the latest games that the filter admits.
    #[must_use]
    pub fn games(&self, filter: &GameFilter, count: usize) -> Page {
        let state = self.state();
        let found = state.last.iter().filter(|game| filter.admits(game));
        let mut games: Vec<PlayedGame> = found
            .take(count.saturating_add(1))
            .map(|game| state.shown(game))
            .collect();
        let is_more = games.len() > count;
        games.truncate(count);
        let before = games.last().filter(|_| is_more).map(|game| game.game);
        Page { games, before }
    }

    /// Returns the latest games of a bot, starting with the newest. They may be older than those of
    /// [`Ladder::games`].
    #[must_use]
    pub fn last_games(&self, id: &str) -> Vec<PlayedGame> {
        let state = self.state();
        let last = state.summaries.get(id).map(|summary| &summary.last);
        let last = last.into_iter().flatten();
        last.map(|game| state.shown(game)).collect()
    }

    /// Returns the sizes of the log, the records and the scripts, in bytes.
    #[must_use]
    pub fn disk(&self) -> [u64; 3] {
        let state = self.state();
        [state.log_bytes, state.record_bytes, state.script_bytes]
    }

    /// Stops the ladder, so that no more blocks begin.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.news.notify_all();
    }
}

/// Checks that a block of the log belongs to the ladder's plan.
fn check(hash: &str, seats: usize, block: &BlockLine) -> Result<(), LoadError> {
    let games = &block.games;
    let fits = block.plan == hash
        && games.len() == seats
        && games
            .iter()
            .all(|game| game.seats.len() == seats && game.is_possible());
    if fits {
        return Ok(());
    }
    let text = format!("block {} of the log belongs to another ladder", block.block);
    let help = "restore the file from a backup, or start another ladder";
    LoadError::refuse("ladder::log", text, help)
}

impl LadderState {
    /// Returns a game, with the current answer to whether its record exists.
    fn shown(&self, game: &Arc<PlayedGame>) -> PlayedGame {
        PlayedGame {
            has_record: self.records.contains_key(&game.game),
            ..PlayedGame::clone(game)
        }
    }

    pub(super) fn write(&mut self, entry: JournalEntry) -> Result<(), LadderFault> {
        self.journal.add(&entry)?;
        self.roster.add(entry);
        // Resting bots may be eligible again.
        self.rests = None;
        self.changes += 1;
        Ok(())
    }

    pub(super) fn number_of(&mut self, id: &str) -> u32 {
        let next = self.ids.len() as u32;
        *self.ids.entry(id.to_owned()).or_insert(next)
    }

    pub(super) fn admits(
        &self,
        person: &str,
        bot: &str,
        bytes: u64,
        config: &LadderConfig,
    ) -> Result<(), LadderFault> {
        check_bot_name(&config.base.rules.library, bot).map_err(LadderFault::Bad)?;
        if config.house.iter().any(|house| house.name == bot) {
            let text = format!("{bot} is a house bot; choose another name");
            return Err(LadderFault::Taken(text));
        }
        let full = |text: String| Err(LadderFault::Full(text));
        match self.roster.newest(bot) {
            Some(other) if other.person != person => {
                let text = format!("{bot} is another person's bot; choose another name");
                return Err(LadderFault::Taken(text));
            }
            _ => {}
        }
        let of_person = |version: &&Version| version.person == person;
        let others = |version: &&Version| version.bot != bot;
        let mine = self.roster.playing().filter(of_person).filter(others);
        if mine.count() >= BOTS_OF_ONE {
            return full(format!(
                "you reached the limit of {BOTS_OF_ONE} active bots; withdraw one first"
            ));
        }
        if self.roster.versions.iter().filter(of_person).count() >= VERSIONS_OF_ONE {
            return full(format!(
                "you reached the limit of {VERSIONS_OF_ONE} submissions"
            ));
        }
        if self.roster.playing().filter(others).count() >= MOST_PLAYING {
            return full(format!(
                "the ladder reached its limit of {MOST_PLAYING} active bots"
            ));
        }
        if self.script_bytes + bytes > config.disk / 4 {
            return full("the ladder reached its limit of disk space for scripts".to_owned());
        }
        Ok(())
    }

    /// Returns a number for each bot's owner. Each house bot is its own owner.
    fn owners(&self, ids: &[String]) -> Vec<usize> {
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        let owner = |id: &String| self.roster.find(id).map(|version| version.person.as_str());
        let number = |(at, id): (usize, &String)| match owner(id) {
            Some(person) => *known.entry(person).or_insert(at),
            None => at,
        };
        ids.iter().enumerate().map(number).collect()
    }

    /// Returns the latest blocks of each of these bots, which are the blocks that count.
    pub(super) fn counted(&self, ids: Vec<String>, enough: u32) -> CountedBots {
        let most = LAST_BLOCKS.max(u64::from(enough));
        let mut played: BTreeMap<u32, u64> = BTreeMap::new();
        for &bot in self.played.iter().flatten() {
            *played.entry(bot).or_default() += 1;
        }
        let old = ids.iter().filter_map(|id| {
            let played = played.get(self.ids.get(id)?)?;
            Some((id.clone(), played.saturating_sub(most)))
        });
        CountedBots {
            old: old.collect(),
            blocks: self.played.len() as u64,
            ids,
        }
    }

    /// Returns the table of the next block, or the reason that no block can be played.
    pub(super) fn choose(
        &self,
        ids: &[String],
        config: &LadderConfig,
    ) -> Result<Vec<usize>, String> {
        if self.log_bytes > config.disk / 2 {
            return Err("the log reached its limit of disk space".to_owned());
        }
        let place: BTreeMap<u32, usize> = (ids.iter().enumerate())
            .filter_map(|(index, id)| Some((*self.ids.get(id)?, index)))
            .collect();
        let mut meetings = Meetings::new(ids.len());
        for table in self.played.iter().chain(self.tried.values()) {
            let sit: Vec<usize> = (table.iter())
                .filter_map(|id| place.get(id).copied())
                .collect();
            meetings.add(&sit);
        }
        let owners = self.owners(ids);
        let Some(table) = meetings.next(config.seats, &owners, &config.base.seed, self.next) else {
            let there: BTreeSet<usize> = owners.into_iter().collect();
            return Err(format!(
                "a table needs bots of {} owners, and each house bot counts as one; found {}",
                config.seats,
                there.len()
            ));
        };
        if meetings.fewest() >= config.enough {
            let enough = config.enough;
            return Err(format!("all bots have played their {enough} blocks"));
        }
        Ok(table)
    }

    pub(super) fn count(&mut self, block: &BlockLine) {
        self.next = self.next.max(block.block + 1);
        let Some(first) = block.games.first() else {
            return;
        };
        let table = first.seats.iter().map(|id| self.number_of(id)).collect();
        self.played.push(table);
        let seats = first.seats.len() as u64;
        for (index, line) in block.games.iter().enumerate() {
            let game = block.block * seats + index as u64 + 1;
            let played = Arc::new(PlayedGame::new(game, line, block.ended));
            for (id, faults) in line.seats.iter().zip(&line.faults) {
                let summary = self.summaries.entry(id.clone()).or_default();
                summary.games += 1;
                summary.wins += u64::from(played.winners == [id.clone()]);
                summary.faults += u64::from(*faults);
                summary.last.push_front(Arc::clone(&played));
                summary.last.truncate(LAST_OF_ONE);
            }
            self.last.push_front(played);
        }
        self.last.truncate(LAST_GAMES);
    }
}
