//! `risk-cli tournament`: many bots at many tables, in runs that can be resumed.

mod new;
mod play;
mod replays;
mod reports;
mod verify;

use crate::cli::library;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use self::replays::PageRequest;
use self::reports::ReportRequest;
use super::bot_log::BotLogArg;
use super::match_args::{can_isolate, own_program, print_assumed, print_without_walls};
use super::named_programs::ProgramsArg;
use super::out::hand_over;
use super::threads::stopped;
use super::{CommandResult, Error, Exit, ForceArg, note, paint, say};
use risk_lab::tournament::folder::Folder;
use risk_lab::tournament::run::{BlockNumbers, play as play_blocks};
use risk_lab::tournament::{Shard, TournamentPlan, TournamentSpec};
use risk_report::tournament::warnings;
use risk_text::escape_control;
use risk_text::plural::counted;

#[derive(Debug, Subcommand)]
pub(super) enum TournamentCommand {
    /// Write a tournament file to edit and run
    New(new::NewArgs),
    /// Check a tournament file, and show the planned games
    Plan(PlanArgs),
    /// Play the games, or resume an interrupted run
    Run(RunArgs),
    /// Merge the logs of several runs, and report the results
    Merge(MergeArgs),
    /// Replay games, and compare them with the log and the records
    Verify(verify::VerifyArgs),
    /// Report on the games played so far
    Report(ReportArgs),
    /// Print the JSON Schema of tournament files, for editors
    Schema,
}

/// The tournament that a command works on.
#[derive(Args, Debug)]
struct PlaceArg {
    /// Tournament folder with tournament.yaml, or another file; logs, records and tables go into
    /// the folder, or into the folder cup.tournament beside a file cup.yaml
    #[arg(value_name = "DIR", default_value = ".")]
    place: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    place: PlaceArg,
    /// Play a few blocks, and estimate the number of shards that take TIME each on one core, for
    /// example 60s or 5m
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    chunk: Option<u64>,
    #[command(flatten)]
    programs: ProgramsArg,
}

/// Parses a time such as `90s`, `5m` or `1h` into seconds.
fn seconds(text: &str) -> Result<u64, String> {
    let units = [("s", 1), ("m", 60), ("h", 3_600)];
    let found = units.iter().find_map(|&(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(seconds)
    });
    found
        .filter(|seconds| (1..=86_400).contains(seconds))
        .ok_or_else(|| "expected a time such as 60s, 5m or 1h, at most 24h".to_owned())
}

#[derive(Args, Debug)]
pub(super) struct RunArgs {
    #[command(flatten)]
    place: PlaceArg,
    /// Play one part of the blocks, for example 2/8 for the second of eight parts
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Play only the finals; the first stage must be complete
    #[arg(long)]
    finals: bool,
    #[command(flatten)]
    programs: ProgramsArg,
    /// Number of threads (default: one per core, or 1 with a bot over HTTP)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    #[command(flatten)]
    bot_log: BotLogArg,
    #[command(flatten)]
    force: ForceArg,
    /// Skip the report at the end
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// Folders with logs of the same tournament, or its file
    #[arg(value_name = "DIR", required = true)]
    from: Vec<PathBuf>,
    /// Tournament folder for the merged log and the results in `out` (default: the first DIR)
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    place: PlaceArg,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
    /// Add a table of ratings by finishing place, and show how well the ratings predict wins
    #[arg(long, value_enum)]
    rate: Option<RateBy>,
    /// Add the wall time of each bot, which is not reproducible
    #[arg(long)]
    times: bool,
    /// Write the report to FILE as an HTML page, with charts and links to the recorded games
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Maximum number of recorded games to write as replay pages into the folder FILE.games, next
    /// to the page of --html. Games with faults come first, then the longest games
    #[arg(long, value_name = "N", default_value_t = 20, requires = "html", value_parser = clap::value_parser!(u16).range(0..=200))]
    replays: u16,
    #[command(flatten)]
    force: ForceArg,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Human-readable text
    #[default]
    Text,
    /// One JSON document with all numbers
    Json,
    /// Table of the bots (the file out/games.csv has the games)
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RateBy {
    /// Places of the players at the end of each game
    Places,
}

pub(super) fn run(command: &TournamentCommand) -> CommandResult {
    match command {
        TournamentCommand::New(args) => new::run(args).map(|()| Exit::Fine),
        TournamentCommand::Plan(args) => plan(args).map(|()| Exit::Fine),
        TournamentCommand::Run(args) => play::run(args),
        TournamentCommand::Merge(args) => merge(args),
        TournamentCommand::Verify(args) => verify::run(args),
        TournamentCommand::Report(args) => report(args).map(|()| Exit::Fine),
        TournamentCommand::Schema => {
            let schema = TournamentSpec::schema();
            let text = serde_json::to_string_pretty(&schema).expect("a schema always serializes");
            hand_over(&text).map(|()| Exit::Fine)
        }
    }
}

/// Opens a tournament's folder and loads its plan.
fn open(place: &Path) -> Result<(Folder, TournamentPlan), Error> {
    let folder = Folder::find(place)?;
    let mut plan = TournamentPlan::load(library(), &folder.file)?;
    isolate(&mut plan)?;
    Ok((folder, plan))
}

/// Gives each script a process of its own, if the plan requires it.
fn isolate(plan: &mut TournamentPlan) -> Result<(), Error> {
    if !plan.isolated {
        return Ok(());
    }
    can_isolate()?;
    plan.isolate(&own_program("remove `isolate` from the tournament's file")?);
    Ok(())
}

fn plan(args: &PlanArgs) -> Result<(), Error> {
    let (folder, plan) = open(&args.place.place)?;
    folder.agree(&plan)?;
    args.programs.check(&plan.setup.bots)?;
    print_assumed(&plan.setup.rules.assumed);
    print_without_walls(&plan.setup.bots);
    // Building the bots reveals their errors under this ruleset before the first game.
    risk_engine::Worker::for_players(&plan.setup, plan.seats)?;
    let setup = &plan.setup;
    let paint = paint(&io::stdout());
    let mut lines = vec![paint.bold(&format!("{}, seed {}", setup.rules.title(), setup.seed))];
    let games = counted(plan.games(), "game");
    let text = format!(
        "{} at tables of {}: {}, {} of {} each, {games} in all",
        counted(setup.bots.len(), "bot"),
        plan.seats,
        plan.design,
        counted(plan.blocks, "block"),
        counted(plan.design.games_per_block(), "game"),
    );
    lines.extend(paint.indented(&text));
    let names: Vec<&str> = setup.bots.iter().map(|bot| bot.name.as_str()).collect();
    lines.extend(paint.hang("  bots  ", &names.join(", ")));
    if let Some(finals) = &plan.finals {
        let text = format!(
            "the best {} at tables of {}: {} of {} each, seed {}",
            finals.best,
            finals.seats,
            counted(finals.blocks, "block"),
            counted(finals.design().games_per_block(), "game"),
            finals.seed,
        );
        lines.extend(paint.hang("  finals  ", &text));
    }
    lines.push(paint.dim(&format!("  plan {}", plan.hash())));
    lines.extend(warnings(&plan, paint));
    say(&lines.join("\n"))?;
    args.chunk
        .map_or(Ok(()), |seconds| say_shards(&plan, seconds))
}

/// Prints how many shards of this length the tournament needs, estimated from its first blocks.
/// Writes no files.
fn say_shards(plan: &TournamentPlan, seconds: u64) -> Result<(), Error> {
    const TRIED: u64 = 20;
    let tried = plan.blocks.min(TRIED);
    let mut taken = 0.0;
    let played = play_blocks(plan, BlockNumbers::From(0, tried), 1, |_, seconds| {
        taken += seconds;
        ControlFlow::Continue(())
    });
    played.map_err(|fault| stopped(fault, &plan.setup))?;
    let each = taken / tried as f64;
    let all = each * plan.blocks as f64;
    let shards = (all / seconds as f64).ceil().clamp(1.0, plan.blocks as f64);
    say(&format!(
        "  {:.1} ms per block on one core here, {all:.0} s in all: {} of about {seconds} s",
        1_000.0 * each,
        counted(shards as u64, "shard")
    ))
}

fn merge(args: &MergeArgs) -> CommandResult {
    let output = args.output.as_ref().unwrap_or(&args.from[0]);
    let (folder, plan) = open(output)?;
    let mut from = Vec::new();
    for place in &args.from {
        let path = if place.is_file() {
            Folder::find(place)?.path
        } else {
            place.clone()
        };
        folder.beside(&path).agree(&plan)?;
        from.push(path);
    }
    folder.make_new()?;
    if !from.contains(&folder.path) {
        from.push(folder.path.clone());
    }
    let asked = ReportRequest {
        merges: true,
        ..ReportRequest::default()
    };
    let ended = reports::report(&folder, &plan, &from, &asked, |_, _| Ok(()))?;
    print_whose_word(output);
    Ok(ended.exit())
}

/// Notes that a log proves nothing, because its author can also write matching sums.
fn print_whose_word(place: &Path) {
    let place = escape_control(&place.display().to_string()).into_owned();
    note(&format!(
        "  This report trusts the logs: checksums detect damage, not forgery.\n  \
         `risk-cli tournament verify {place}` replays the games."
    ));
}

fn report(args: &ReportArgs) -> Result<(), Error> {
    let (folder, plan) = open(&args.place.place)?;
    folder.agree(&plan)?;
    let asked = ReportRequest {
        format: args.format,
        places: args.rate.is_some(),
        times: args.times,
        html: args.html.as_deref().map(|path| PageRequest {
            path,
            force: args.force.force,
            replays: args.replays.into(),
        }),
        ..ReportRequest::default()
    };
    let from = folder.with_logs();
    reports::report(&folder, &plan, &from, &asked, |_, _| Ok(()))?;
    print_whose_word(&args.place.place);
    // A report on some of the games is a success.
    Ok(())
}
