//! Runs of a tournament, which play the blocks missing from its log on several threads.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use super::bot_log::BotLog;
use super::folder::write_own;
use super::game_line::GameLine;
use super::log::{BlockLine, LogFault, LogWriter};
use super::plan::{BlockGame, TournamentPlan};
use super::recorded_games::{RECORDS, game_name};
use super::shard::Shard;
use super::timing::{BlockTime, Timing, WallTime};
use crate::analysis::luck::Luck;
use crate::plain_files;
use risk_engine::record::{Recorder, header_seated};
use risk_engine::{BotSource, GameResult, MatchFault, Producer, Worker, in_order};
use risk_kernel::{NullSink, Sink, Tee};
use risk_text::diag::{Finding, LoadError};

/// The interval between syncs to the disk.
const SYNC: Duration = Duration::from_secs(5);
/// The maximum number of blocks that wait for an earlier block.
const AHEAD: u64 = 256;

/// The interval, in blocks, at which built-in bots are timed.
const TIMED: u64 = 8;

/// The reason that a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunFault {
    /// The log, its content or a record is unusable.
    #[error(transparent)]
    Input(#[from] LoadError),
    /// A game could not be played.
    #[error(transparent)]
    Match(MatchFault),
}

impl From<LogFault> for RunFault {
    fn from(fault: LogFault) -> Self {
        Self::Input(fault.into())
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of the shard's blocks that are in the log.
    pub done: u64,
    /// The total number of blocks in the shard.
    pub all: u64,
}

/// Plays the blocks of a shard that are missing from its log. Each block is added to the log as
/// soon as all earlier blocks are complete. `each` is called with every played block and can end
/// the run.
///
/// # Errors
/// Returns an error if the log belongs to another plan, can't be written, or is in use by another
/// program. Also returns an error if the ruleset fails.
pub fn run(
    plan: &TournamentPlan,
    folder: &Path,
    shard: Shard,
    jobs: usize,
    bot_log: Option<&BotLog>,
    mut each: impl FnMut(&BlockLine, Progress) -> ControlFlow<()>,
) -> Result<(), RunFault> {
    let log = folder.join(shard.file("log"));
    let hash = plan.hash();
    let (mut writer, held) = LogWriter::open(&log, |block| check(plan, &hash, block))?;
    let mut timing = Timing::open(&folder.join(shard.file("timing")))?;
    let records = plan.records.then(|| folder.join(RECORDS));
    if let Some(records) = &records {
        let made = plain_files::make_folder(records);
        made.map_err(|error| LogFault::Io(records.clone(), error))?;
    }
    let of_shard = (0..plan.blocks).filter(|&block| shard.has(block));
    let missing: Vec<u64> = of_shard.filter(|block| !held.contains(block)).collect();
    let mut progress = Progress {
        done: held.len() as u64,
        all: (held.len() + missing.len()) as u64,
    };
    let mut synced = Instant::now();
    let mut broken: Option<RunFault> = None;
    let kept = KeptFiles {
        records: records.as_deref(),
        bot_log,
    };
    let played = play_kept(plan, BlockNumbers::List(&missing), kept, jobs, |played| {
        let written = played.block.and_then(|block| {
            writer.add(&block)?;
            timing.add(&played.time)?;
            if synced.elapsed() >= SYNC {
                writer.sync()?;
                synced = Instant::now();
            }
            Ok(block)
        });
        match written {
            Ok(block) => {
                progress.done += 1;
                each(&block, progress)
            }
            Err(fault) => {
                broken = Some(fault.into());
                ControlFlow::Break(())
            }
        }
    });
    writer.sync()?;
    match broken {
        Some(fault) => Err(fault),
        None => played.map_err(RunFault::Match),
    }
}

/// Plays these blocks on `jobs` threads, without files. Calls `each` with every block in order, and
/// with the seconds that it took on this machine, until `each` returns a break. The results don't
/// depend on the number of threads.
///
/// # Errors
/// Returns an error if the ruleset fails, or if a thread can't be started.
pub fn play(
    plan: &TournamentPlan,
    blocks: BlockNumbers<'_>,
    jobs: usize,
    mut each: impl FnMut(BlockLine, f64) -> ControlFlow<()>,
) -> Result<(), MatchFault> {
    play_kept(plan, blocks, KeptFiles::default(), jobs, |played| {
        let block = played.block.expect("without records, no write can fail");
        each(block, played.time.seconds)
    })
}

/// The numbers of blocks to play, in this order.
#[derive(Clone, Copy, Debug)]
pub enum BlockNumbers<'a> {
    /// This many blocks from the first number on.
    From(u64, u64),
    /// These blocks.
    List(&'a [u64]),
}

impl BlockNumbers<'_> {
    const fn len(self) -> u64 {
        match self {
            Self::From(_, count) => count,
            Self::List(list) => list.len() as u64,
        }
    }

    const fn get(self, index: u64) -> u64 {
        match self {
            Self::From(first, _) => first + index,
            Self::List(list) => list[index as usize],
        }
    }
}

/// The files written for games in addition to their results.
#[derive(Clone, Copy, Debug, Default)]
struct KeptFiles<'a> {
    /// The folder for records of all games.
    records: Option<&'a Path>,
    /// The log of the bots' output besides their answers.
    bot_log: Option<&'a BotLog>,
}

/// Plays these blocks and calls `each` with them in order, until it returns a break.
fn play_kept(
    plan: &TournamentPlan,
    blocks: BlockNumbers<'_>,
    kept: KeptFiles<'_>,
    jobs: usize,
    mut each: impl FnMut(TimedBlock) -> ControlFlow<()>,
) -> Result<(), MatchFault> {
    let hash = plan.hash();
    let pieces = 0..blocks.len();
    let player = || {
        let player = BlockPlayer::keeping(plan, hash.clone(), kept)?;
        Ok(TimedPlayer { blocks, player })
    };
    in_order(pieces, AHEAD, jobs, player, |_, played| each(played))
}

/// Checks a block of a log against the plan.
///
/// # Errors
/// Returns an error if the block was played under another plan or contradicts the plan.
pub fn check(plan: &TournamentPlan, hash: &str, block: &BlockLine) -> Result<(), LoadError> {
    let fail = |code: &str, text: String, help: &str| {
        let finding = Finding::error(&format!("tournament::{code}"), text).help(help);
        Err(LoadError::one(finding))
    };
    if block.plan != hash {
        let text = format!(
            "block {} belongs to plan {}, expected plan {hash}",
            block.block, block.plan
        );
        let help = "undo the change to the tournament's file, its ruleset, map or bots, or start \
                    in a new folder";
        return fail("plan-differs", text, help);
    }
    let name = |&bot: &usize| plan.setup.bots[bot].name.as_str();
    let planned = plan.block(block.block);
    let same = block.block < plan.blocks
        && planned.len() == block.games.len()
        && planned.iter().zip(&block.games).all(|(seating, game)| {
            let names = seating.bots.iter().map(name);
            names.eq(game.seats.iter().map(String::as_str))
                && game.luck.is_some() == plan.luck
                && game.is_possible()
        });
    if same {
        return Ok(());
    }
    let text = format!("block {} doesn't match the plan", block.block);
    fail(
        "not-this-plan",
        text,
        "remove its line from the log to play the block again",
    )
}

/// A played block and its duration.
struct TimedBlock {
    /// The block, or the reason that a record could not be written.
    block: Result<BlockLine, LogFault>,
    time: BlockTime,
}

struct TimedPlayer<'a> {
    blocks: BlockNumbers<'a>,
    player: BlockPlayer<'a>,
}

impl Producer for TimedPlayer<'_> {
    type Product = TimedBlock;

    fn produce(&mut self, index: u64) -> Result<(TimedBlock, u64), MatchFault> {
        let began = Instant::now();
        let number = self.blocks.get(index);
        let BlockPlayer { plan, worker, .. } = &mut self.player;
        let setup = &plan.setup;
        // Timing may cost more than a built-in bot's answer, so only some of the blocks are timed.
        let is_timed = |bot: usize| {
            let built_in = matches!(setup.bots[bot].source, BotSource::BuiltIn(_));
            !built_in || number.is_multiple_of(TIMED)
        };
        worker.time(is_timed);
        let (block, cost) = self.player.play(number)?;
        let times = self.player.worker.times();
        let times = times.filter(|(_, time)| time.answers > 0);
        let time = BlockTime {
            block: number,
            seconds: began.elapsed().as_secs_f64(),
            bots: times
                .map(|(bot, time)| (setup.bots[bot].name.clone(), WallTime::from(time)))
                .collect(),
        };
        Ok((TimedBlock { block, time }, cost))
    }
}

/// Plays the blocks of a plan, one at a time.
pub struct BlockPlayer<'a> {
    plan: &'a TournamentPlan,
    hash: String,
    kept: KeptFiles<'a>,
    luck: Option<Luck>,
    worker: Worker<'a>,
}

impl std::fmt::Debug for BlockPlayer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockPlayer").finish_non_exhaustive()
    }
}

impl<'a> BlockPlayer<'a> {
    /// Loads the ruleset and the bots of a plan.
    ///
    /// # Errors
    /// Returns an error if the ruleset or a bot can't be loaded.
    pub fn new(plan: &'a TournamentPlan) -> Result<Self, MatchFault> {
        Self::keeping(plan, plan.hash(), KeptFiles::default())
    }

    fn keeping(
        plan: &'a TournamentPlan,
        hash: String,
        kept: KeptFiles<'a>,
    ) -> Result<Self, MatchFault> {
        let mut worker = Worker::for_players(&plan.setup, plan.seats).map_err(MatchFault::Load)?;
        worker.keeps_asides = kept.bot_log.is_some();
        Ok(Self {
            plan,
            hash,
            kept,
            luck: plan.luck.then(|| Luck::new(&worker)),
            worker,
        })
    }

    /// Plays a block without files and clocks.
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    pub fn block(&mut self, block: u64) -> Result<BlockLine, MatchFault> {
        let (played, _) = self.play(block)?;
        Ok(played.expect("without records, no write can fail"))
    }

    /// Plays a block, and returns it with the number of its answers.
    fn play(&mut self, block: u64) -> Result<(Result<BlockLine, LogFault>, u64), MatchFault> {
        let mut games = Vec::new();
        let mut failed = None;
        let mut cost = 0;
        for (number, seating) in self.plan.block(block).iter().enumerate() {
            if let Some(luck) = &mut self.luck {
                luck.begin();
            }
            let name = game_name(block, number);
            let (game, written) = match self.kept.records {
                None => (self.unrecorded(seating), Ok(())),
                Some(folder) => self.recorded(seating, &folder.join(format!("{name}.jsonl"))),
            };
            let heard = self.write_asides(&name);
            let game = game?;
            failed = failed.or(written.and(heard).err());
            cost += game.decisions;
            let name = |&bot: &usize| self.plan.setup.bots[bot].name.clone();
            let mut line = GameLine::new(&game, seating.bots.iter().map(name).collect());
            line.luck = self.luck.as_mut().map(Luck::thousandths);
            games.push(line);
        }
        let line = BlockLine {
            plan: self.hash.clone(),
            block,
            games,
            ended: None,
        };
        Ok((failed.map_or(Ok(line), Err), cost))
    }

    /// Writes the bots' output besides their answers in the last game.
    fn write_asides(&mut self, game: &str) -> Result<(), LogFault> {
        let Some(log) = self.kept.bot_log else {
            return Ok(());
        };
        for (player, aside) in self.worker.take_asides() {
            let name = &self.plan.setup.bots[player].name;
            let written = log.write(game, player, name, &aside);
            written.map_err(|(path, error)| LogFault::Io(path, error))?;
        }
        Ok(())
    }

    fn unrecorded(&mut self, seating: &BlockGame) -> Result<GameResult, MatchFault> {
        let mut nobody = NullSink;
        let sink: &mut dyn Sink = match &mut self.luck {
            Some(luck) => luck,
            None => &mut nobody,
        };
        self.worker.result(seating.number, &seating.bots, sink)
    }

    /// Plays a game and writes its record. The record first has a temporary name, so that a record
    /// with the final name is always complete.
    fn recorded(
        &mut self,
        seating: &BlockGame,
        path: &Path,
    ) -> (Result<GameResult, MatchFault>, Result<(), LogFault>) {
        let header = header_seated(&self.worker, seating.number, &seating.bots);
        let mut recorder = Recorder::new(Vec::new(), &header);
        let mut sinks = Tee(vec![&mut recorder]);
        if let Some(luck) = &mut self.luck {
            sinks.0.push(luck);
        }
        let finished = self
            .worker
            .play_seated(seating.number, &seating.bots, &mut sinks);
        let lines = recorder.finish(finished.outcome.as_ref().ok(), &finished.game);
        let written = lines.and_then(|lines| write_own(path, &lines));
        let result = self
            .worker
            .result_of(seating.number, &seating.bots, finished);
        (
            result,
            written.map_err(|error| LogFault::Io(path.to_path_buf(), error)),
        )
    }
}
