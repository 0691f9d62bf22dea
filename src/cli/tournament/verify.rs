//! `risk-cli tournament verify`: plays blocks again, and compares them with logs and records.

use std::ops::ControlFlow;
use std::path::Path;

use clap::Args;

use super::reports::unplayed;
use super::{PlaceArg, open};
use crate::cli::named_programs::ProgramsArg;
use crate::cli::threads::threads;
use crate::cli::{CommandResult, Error, Exit, note, print_findings, recorded, say};
use risk_engine::record::{self, RecordLine};
use risk_engine::{MatchFault, Worker};
use risk_lab::tournament::folder::Folder;
use risk_lab::tournament::log::BlockLine;
use risk_lab::tournament::logs::Logs;
use risk_lab::tournament::results::TournamentTally;
use risk_lab::tournament::run::{BlockNumbers, play};
use risk_lab::tournament::{GameLine, RECORDS, TournamentPlan, record_name};
use risk_text::diag::Finding;
use risk_text::plural::counted;

/// The maximum number of blocks in memory at the same time.
const CHUNK: usize = 1_024;
const MOST_TOLD: usize = 20;

const REPLAY_DIFFERS: &str = "verify again: if the replay now differs in another way, this is a bug of risk-cli; \
                              otherwise another build of risk-cli played the game, or the log was edited";
const RECORD_DIFFERS: &str = "the log or the record was edited, or another program wrote it";

#[derive(Args, Debug)]
pub(in crate::cli) struct VerifyArgs {
    #[command(flatten)]
    place: PlaceArg,
    /// Replay only every Nth block; all records are checked
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Number of threads (default: one per core)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    #[command(flatten)]
    programs: ProgramsArg,
}

/// The numbers of compared items and of differences.
#[derive(Default)]
struct VerifiedCounts {
    blocks: u64,
    games: u64,
    records: u64,
    wrong: u64,
}

impl VerifiedCounts {
    /// Counts a difference, and prints it unless the limit has been reached.
    fn differs(&mut self, text: String, help: &str) {
        self.wrong += 1;
        if self.wrong as usize <= MOST_TOLD {
            print_findings(&[Finding::error("tournament::differs", text).help(help)]);
        }
    }
}

pub(super) fn run(args: &VerifyArgs) -> CommandResult {
    let (folder, plan) = open(&args.place.place)?;
    folder.agree(&plan)?;
    let mut held = VerifiedCounts::default();
    let tally = stage(args, &folder, &plan, &mut held)?;
    if let Some(finals) = plan.finals.as_ref().filter(|_| tally.is_whole) {
        let mut second = plan.finals(finals, &tally.tally.results().ranking());
        super::isolate(&mut second)?;
        let beside = folder.finals();
        if beside.path.is_dir() {
            beside.agree(&second)?;
            stage(args, &beside, &second, &mut held)?;
        }
    }
    if held.games == 0 {
        return Err(unplayed(&folder));
    }
    if held.blocks == 0 && held.records == 0 {
        let text = "can't verify: the games are not reproducible and have no records";
        let help = "add `records: true` to the file of the next tournament with such bots";
        return Error::refuse("tournament::unverified", text, help);
    }
    say(&format!(
        "{} replayed, {} of {} checked: {}",
        counted(held.blocks, "block"),
        counted(held.records, "record"),
        counted(held.games, "game"),
        match held.wrong {
            0 => "no differences".to_owned(),
            wrong => counted(wrong, "difference"),
        }
    ))?;
    Ok(Exit::of(held.wrong == 0))
}

struct StageTally<'a> {
    tally: TournamentTally<'a>,
    is_whole: bool,
}

fn stage<'a>(
    args: &VerifyArgs,
    folder: &Folder,
    plan: &'a TournamentPlan,
    held: &mut VerifiedCounts,
) -> Result<StageTally<'a>, Error> {
    let logs = Logs::read(plan, &folder.with_logs())?;
    let mut blocks: Vec<BlockLine> = Vec::new();
    let mut tally = TournamentTally::new(plan);
    logs.each(|block| {
        tally.add(block);
        blocks.push(block.clone());
    })?;
    if let Some(why) = plan.setup.why_not_reproducible() {
        note(&format!("  not replaying games: {why}"));
    } else {
        args.programs.check(&plan.setup.bots)?;
        again(args, plan, &blocks, held)?;
    }
    records(plan, &folder.path.join(RECORDS), &blocks, held)?;
    let is_whole = logs.gaps(plan).is_empty();
    Ok(StageTally { tally, is_whole })
}

/// Plays blocks again and compares them with the log.
fn again(
    args: &VerifyArgs,
    plan: &TournamentPlan,
    blocks: &[BlockLine],
    held: &mut VerifiedCounts,
) -> Result<(), Error> {
    let jobs = threads(args.jobs, &plan.setup)?;
    let chosen: Vec<&BlockLine> = (blocks.iter())
        .filter(|block| block.block.is_multiple_of(args.every))
        .collect();
    for chunk in chosen.chunks(CHUNK) {
        let numbers: Vec<u64> = chunk.iter().map(|block| block.block).collect();
        let mut logged = chunk.iter();
        let played = play(plan, BlockNumbers::List(&numbers), jobs, |here, _| {
            let there = logged.next().expect("each block is played once");
            held.blocks += 1;
            let games = here.games.iter().zip(&there.games).enumerate();
            for (game, (here, line)) in games {
                if let Some(what) = difference(here, line) {
                    let name = record_name(there.block, game);
                    let name = name.trim_end_matches(".jsonl");
                    held.differs(format!("game {name}: {what}"), REPLAY_DIFFERS);
                }
            }
            ControlFlow::Continue(())
        });
        played.map_err(|fault| match fault {
            MatchFault::Load(failure) => Error::from(failure),
            fault => Error::input("tournament::stopped", fault.to_string(), "run it again"),
        })?;
    }
    Ok(())
}

/// Describes the first field of a game's log line that differs from the replayed game.
fn difference(here: &GameLine, there: &GameLine) -> Option<String> {
    let written = |line: &GameLine| serde_json::to_value(line).expect("a line always serializes");
    let (here, there) = (written(here), written(there));
    let fields = here.as_object()?.iter();
    let mut wrong = fields.filter(|(key, value)| there.get(*key) != Some(*value));
    let (key, value) = wrong.next()?;
    Some(format!(
        "`{key}` is {} in the log and {value} in the replay",
        there[key]
    ))
}

/// Compares the existing records with the log.
fn records(
    plan: &TournamentPlan,
    folder: &Path,
    blocks: &[BlockLine],
    held: &mut VerifiedCounts,
) -> Result<(), Error> {
    for block in blocks {
        for (index, (line, seating)) in block.games.iter().zip(plan.block(block.block)).enumerate()
        {
            held.games += 1;
            let name = record_name(block.block, index);
            let path = folder.join(&name);
            if !path.is_file() {
                if plan.records {
                    held.differs(format!("missing record {name}"), RECORD_DIFFERS);
                }
                continue;
            }
            held.records += 1;
            if let Some(what) = record_differs(plan, &path, line, seating.number)? {
                held.differs(format!("{name}: {what}"), RECORD_DIFFERS);
            }
        }
    }
    Ok(())
}

/// Describes what is wrong with a record, or where it differs from the log.
fn record_differs(
    plan: &TournamentPlan,
    path: &Path,
    line: &GameLine,
    number: u64,
) -> Result<Option<String>, Error> {
    let (_, record) = recorded::read(path)?;
    let header = &record.header;
    let names = header.players.iter().map(|player| player.name.as_str());
    if header.seed != plan.setup.seed || header.game != number {
        return Ok(Some("the record belongs to another game".to_owned()));
    }
    if !names.eq(line.seats.iter().map(String::as_str)) {
        return Ok(Some("the record has other players".to_owned()));
    }
    let Ok(setup) = header.setup(plan.setup.rules.clone()) else {
        return Ok(Some(
            "the record doesn't match the ruleset or the map".to_owned(),
        ));
    };
    let mut worker = Worker::new(&setup)?;
    match record::verify(&record, &mut worker) {
        Err(refuted) => Ok(Some(refuted.to_string())),
        Ok(verified) if !verified.whole => {
            let missing = format!(
                "the record is incomplete: it has {} of the game's {}",
                record.answers(),
                counted(line.decisions, "decision")
            );
            Ok(Some(missing))
        }
        Ok(_) => {
            let end = record.lines.last().map(|(_, end)| end);
            let is_it = matches!(end, Some(RecordLine::End(end))
                if end.digest == line.digest && end.winners == line.winners);
            Ok((!is_it).then(|| "the record ends differently from the log".to_owned()))
        }
    }
}
