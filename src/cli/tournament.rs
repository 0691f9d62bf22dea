//! `risk-cli tournament`: many bots at many tables, in runs that can be taken up again.

mod new;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::out::hand_over;
use super::threads::{progress, stopped, threads};
use super::{Done, Error, Exit, ForceArg, note, paint, save, say, say_json};
use crate::load::diag::{Failure, Finding};
use crate::report;
use crate::report::tournament::Extent;
use crate::text::plural::counted;
use crate::tournament::folder::Folder;
use crate::tournament::logs::Logs;
use crate::tournament::results::{Results, Tally};
use crate::tournament::run::{RunFault, play as play_blocks, run as play};
use crate::tournament::{Plan, Shard, TournamentSpec};

#[derive(Debug, Subcommand)]
pub(super) enum TournamentCommand {
    /// Write the file of a tournament, to be edited and run
    New(new::NewArgs),
    /// Check a tournament and say what it would play
    Plan(PlanArgs),
    /// Play what is not played yet; it can be stopped at any time
    Run(RunArgs),
    /// Put the logs of several runs together
    Merge(MergeArgs),
    /// Say what the games that were played say
    Report(ReportArgs),
    /// Print the JSON Schema of a tournament's file, for editors
    Schema,
}

/// Which tournament a command is about.
#[derive(Args, Debug)]
struct PlaceArg {
    /// The tournament's folder, or its file
    #[arg(value_name = "DIR", default_value = ".")]
    place: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    place: PlaceArg,
    /// Say how many shards take about so long each on one core, 60s or 5m say: some blocks are
    /// played to see how long they take here
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    chunk: Option<u64>,
}

/// A time in seconds: `90s`, `5m`, `1h`.
fn seconds(text: &str) -> Result<u64, String> {
    let units = [("s", 1), ("m", 60), ("h", 3_600)];
    let found = units.iter().find_map(|&(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(seconds)
    });
    found
        .filter(|seconds| (1..=86_400).contains(seconds))
        .ok_or_else(|| "write 60s, 5m or 1h; at most 24h".to_owned())
}

#[derive(Args, Debug)]
pub(super) struct RunArgs {
    #[command(flatten)]
    place: PlaceArg,
    /// Play a part alone, 2/8 say: the second of eight
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Threads; as many as there are cores when left out, one with a bot elsewhere
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    /// Without the report at the end
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// Folders with logs of one tournament
    #[arg(value_name = "DIR", required = true)]
    from: Vec<PathBuf>,
    /// The tournament's folder, where the results of all blocks are written into `out`; the first
    /// one when left out
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    place: PlaceArg,
    /// Text for people, one JSON document, or a table of the bots
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
    /// A second table: ratings by places, with how badly they fit who wins
    #[arg(long, value_enum)]
    rate: Option<RateBy>,
    /// Write it as one HTML file, with pictures
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Text for people
    Text,
    /// One JSON document with every number
    Json,
    /// The bots as a table, a line each; out/games.csv has the games
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RateBy {
    /// Places in the ranking of each game
    Places,
}

pub(super) fn run(command: &TournamentCommand) -> Done {
    match command {
        TournamentCommand::New(args) => new::run(args),
        TournamentCommand::Plan(args) => plan(args),
        TournamentCommand::Run(args) => run_shard(args),
        TournamentCommand::Merge(args) => merge(args),
        TournamentCommand::Report(args) => report(args),
        TournamentCommand::Schema => {
            let schema = TournamentSpec::schema();
            let text = serde_json::to_string_pretty(&schema).expect("a schema is plain data");
            hand_over(&text)?;
            Ok(Exit::Fine)
        }
    }
}

/// A tournament's folder and its plan.
fn open(place: &std::path::Path) -> Result<(Folder, Plan), Error> {
    let folder = Folder::find(place)?;
    let mut plan = Plan::load(&folder.file)?;
    if plan.isolated {
        super::match_args::can_isolate()?;
        let program = std::env::current_exe().map_err(|error| {
            let text = format!("this program can't find itself: {error}");
            Error::input("cli::isolate", text, "leave out isolate:")
        })?;
        plan.isolate(&program);
    }
    Ok((folder, plan))
}

fn plan(args: &PlanArgs) -> Done {
    let (folder, plan) = open(&args.place.place)?;
    folder.agree(&plan)?;
    // What can be wrong with a bot under this ruleset is found before the first game.
    crate::matches::Worker::for_players(&plan.setup, plan.seats)?;
    let setup = &plan.setup;
    let paint = paint(&io::stdout());
    let mut lines = vec![paint.bold(&format!(
        "{} on {}, seed {}",
        setup.ruleset_spec, setup.map_spec, setup.seed
    ))];
    let games = counted(plan.games(), "game");
    let told = format!(
        "{} at tables of {}: {}, {} of {} each, {games} in all",
        counted(setup.bots.len(), "bot"),
        plan.seats,
        plan.design,
        counted(plan.blocks, "block"),
        counted(plan.design.games_per_block(), "game"),
    );
    lines.extend(paint.wrapped("  ", "  ", &told));
    let names: Vec<&str> = setup.bots.iter().map(|bot| bot.name.as_str()).collect();
    lines.extend(paint.hang("  bots  ", &names.join(", ")));
    lines.push(paint.dim(&format!("  plan {}", plan.hash())));
    if !plan.is_reproducible() {
        let told = "bots outside this program may answer otherwise another time: the result is marked as not reproducible";
        lines.extend(paint.wrapped("  ", "  ", told));
    }
    say(&lines.join("\n"))?;
    if let Some(seconds) = args.chunk {
        say_shards(&plan, seconds)?;
    }
    Ok(Exit::Fine)
}

/// Says how many shards of this length the tournament makes, by the time that its first blocks
/// take. Nothing is written down.
fn say_shards(plan: &Plan, seconds: u64) -> Result<(), Error> {
    const TRIED: u64 = 20;
    let blocks: Vec<u64> = (0..plan.blocks.min(TRIED)).collect();
    let mut taken = 0.0;
    let played = play_blocks(plan, &blocks, None, 1, |played| {
        taken += played.seconds;
        ControlFlow::Continue(())
    });
    played.map_err(|fault| stopped(fault, &plan.setup))?;
    let each = taken / blocks.len() as f64;
    let all = each * plan.blocks as f64;
    let shards = (all / seconds as f64).ceil().clamp(1.0, plan.blocks as f64);
    say(&format!(
        "  {:.1} ms a block on one core here, {all:.0} s in all: {} of about {seconds} s",
        1_000.0 * each,
        counted(shards as u64, "shard")
    ))
}

fn run_shard(args: &RunArgs) -> Done {
    let (folder, plan) = open(&args.place.place)?;
    let jobs = threads(args.jobs, &plan.setup)?;
    folder.settle(&plan)?;
    let of_shard = (0..plan.blocks)
        .filter(|&block| args.shard.has(block))
        .count();
    let bar = progress(of_shard as u64, "blocks");
    let mut live = Tally::new(&plan);
    let played = play(&plan, &folder.path, args.shard, jobs, |block, progress| {
        bar.set_position(progress.done);
        live.add(block);
        if progress.done.is_multiple_of(64) {
            bar.set_message(leader(&live));
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    played.map_err(|fault| match fault {
        RunFault::Input(failure) => Error::Input(failure),
        RunFault::Match(fault) => stopped(fault, &plan.setup),
    })?;
    let told = format!(
        "  {} played now, {} of {} in {}",
        counted(live.blocks, "block"),
        of_shard,
        of_shard,
        args.shard.file("log")
    );
    note(&told);
    if args.shard != Shard::WHOLE {
        let told = format!(
            "  shard {}: `risk-cli tournament merge` puts all of them together",
            args.shard
        );
        note(&told);
        return Ok(Exit::Fine);
    }
    let made = make(&folder, &plan, std::slice::from_ref(&folder.path), false)?;
    if !args.quiet {
        made.print(ReportFormat::Text)?;
    }
    Ok(made.missing(&folder))
}

/// Who has won most so far, for the line that is seen while games are played.
fn leader(tally: &Tally<'_>) -> String {
    let mean = |bot: &crate::tournament::results::BotTally| {
        bot.shares.iter().sum::<f64>() / bot.shares.len().max(1) as f64
    };
    let bots = tally.bots.iter().zip(&tally.plan().setup.bots);
    let best = bots.max_by(|a, b| mean(a.0).total_cmp(&mean(b.0)));
    best.map_or_else(String::new, |(bot, spec)| {
        let share = crate::stats::shares::share(
            &bot.shares,
            tally.plan().design.games_per_block(),
            crate::tournament::results::ALPHA,
        );
        match share.map(|share| share.interval) {
            Ok(Ok(limits)) => format!(
                "{} {:.0}–{:.0}%",
                spec.name,
                100.0 * limits.low,
                100.0 * limits.high
            ),
            _ => spec.name.clone(),
        }
    })
}

fn merge(args: &MergeArgs) -> Done {
    let output = args.output.as_ref().unwrap_or(&args.from[0]);
    let (folder, plan) = open(output)?;
    for from in &args.from {
        let other = Folder {
            path: from.clone(),
            file: folder.file.clone(),
        };
        other.agree(&plan)?;
    }
    let mut from = args.from.clone();
    if !from.contains(&folder.path) {
        from.push(folder.path.clone());
    }
    let made = make(&folder, &plan, &from, false)?;
    made.print(ReportFormat::Text)?;
    Ok(made.missing(&folder))
}

fn report(args: &ReportArgs) -> Done {
    let (folder, plan) = open(&args.place.place)?;
    folder.agree(&plan)?;
    let from = [folder.path.clone()];
    let made = make(&folder, &plan, &from, args.rate.is_some())?;
    if let Some(path) = &args.html {
        let page = report::tournament::page(&made.tally, &made.results, &made.extent);
        save(path, page.as_bytes(), args.force.force)?;
        note(&format!("  {} is written", path.display()));
    }
    made.print(args.format)?;
    if let Some(ratings) = made.tally.rate_places() {
        let paint = paint(&io::stdout());
        let told = report::tournament::places(&made.tally, &made.results, &ratings, paint);
        say(&told)?;
    }
    // A report of a part is a report.
    made.missing(&folder);
    Ok(Exit::Fine)
}

/// What the logs say.
struct Made<'a> {
    tally: Tally<'a>,
    results: Results,
    extent: Extent,
    duplicates: u64,
}

/// Makes everything that is made from the logs.
fn make<'a>(
    folder: &Folder,
    plan: &'a Plan,
    from: &[PathBuf],
    places: bool,
) -> Result<Made<'a>, Error> {
    let logs = Logs::read(plan, from)?;
    if logs.is_empty() {
        let text = format!("no block of {} was played yet", folder.file.display());
        let help = format!("`risk-cli tournament run {}` plays", folder.path.display());
        return Err(Failure::one(Finding::error("tournament::empty", text).help(help)).into());
    }
    let mut tally = Tally::new(plan);
    if places {
        tally.keep_places();
    }
    folder.write_out("games.csv", |out| {
        let mut written = out.write_all(report::tournament::games_head().as_bytes());
        logs.each(|block| {
            tally.add(block);
            if written.is_ok() {
                written = out.write_all(report::tournament::games_rows(block).as_bytes());
            }
        })?;
        written.map_err(|error| unwritten("games.csv", &error))
    })?;
    let made = Made {
        results: tally.results(),
        tally,
        extent: Extent {
            gaps: logs.gaps(plan),
        },
        duplicates: logs.duplicates,
    };
    let json = serde_json::to_string_pretty(&made.document()).expect("a report is plain data");
    for (name, text) in [("ranking.csv", made.ranking()), ("report.json", json)] {
        folder.write_out(name, |out| {
            let written = writeln!(out, "{}", text.trim_end());
            written.map_err(|error| unwritten(name, &error))
        })?;
    }
    Ok(made)
}

fn unwritten(name: &str, error: &io::Error) -> Failure {
    let text = format!("can't write {name}: {error}");
    Failure::one(Finding::error("tournament::write", text))
}

impl Made<'_> {
    fn document(&self) -> serde_json::Value {
        report::tournament::document(&self.tally, &self.results, &self.extent)
    }

    fn ranking(&self) -> String {
        report::tournament::ranking(&self.tally, &self.results)
    }

    /// Prints one form of it.
    fn print(&self, format: ReportFormat) -> Result<(), Error> {
        match format {
            ReportFormat::Text => {
                let paint = paint(&io::stdout());
                let Self {
                    tally,
                    results,
                    extent,
                    ..
                } = self;
                say(&report::tournament::text(tally, results, extent, paint))
            }
            ReportFormat::Json => say_json(&self.document()),
            ReportFormat::Csv => hand_over(&self.ranking()),
        }
    }

    /// Says what is missing, and whether anything is.
    fn missing(&self, folder: &Folder) -> Exit {
        if self.duplicates > 0 {
            let blocks = counted(self.duplicates, "block");
            note(&format!("  {blocks} stood twice, alike"));
        }
        if !self.extent.is_partial() {
            return Exit::Fine;
        }
        note(&format!("  missing: blocks {}", self.extent.told()));
        let folder = folder.path.display();
        note(&format!("  `risk-cli tournament run {folder}` plays them"));
        Exit::Gaps
    }
}
