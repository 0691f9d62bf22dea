//! `risk-cli play`.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::table::{self, PlayersArgs, RulesArgs, Table};
use super::{Done, Error, Exit, paint, say};
use crate::arena::standings::Standings;
use crate::arena::{MatchFault, Worker, play_many, script_fault};
use crate::kernel::declare::{OnFault, Strikes};
use crate::kernel::fault::RuleFault;
use crate::kernel::state::Game;
use crate::kernel::{Sink, Stop};
use crate::load::diag::{Failure, Finding};
use crate::record::{self, Recorder};
use crate::report::figures::Figures;
use crate::report::story::Story;
use crate::report::{Fan, json, standings};

/// The most games in one match.
const MOST_GAMES: u64 = 10_000_000;

#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    players: PlayersArgs,
    /// How many games; more than one are counted instead of told
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// The number of the first game: plays a single game of a match again
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=MOST_GAMES))]
    first: u64,
    /// Threads for many games; as many as there are cores when left out
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Write a record of the game that `replay` reads
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Text for people, or one JSON document
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Only the result, without the story
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people
    Text,
    /// One JSON document
    Json,
}

pub(super) fn run(args: &PlayArgs) -> Done {
    let table = table::lay(&args.rules, &args.players)?;
    if args.games > 1 {
        if args.record.is_some() {
            let help = "play the game of interest alone, with the same seed and --first NUMBER";
            return Err(Error::input("cli::record", "a record holds one game, and --games asks for more", help));
        }
        return many(args, &table);
    }
    one(args, &table)
}

fn one(args: &PlayArgs, table: &Table) -> Done {
    let setup = &table.setup;
    let mut worker = Worker::new(setup)?;
    let names: Vec<String> =
        setup.seating(args.first).iter().map(|&player| setup.entrants[player].name.clone()).collect();
    let out = BufWriter::new(io::stdout().lock());
    let told = args.format == Format::Text && !args.quiet;
    let mut story = Story::new(out, paint(&io::stdout()), names);
    let mut figures = Figures::new(setup.entrants.len(), setup.board.len());
    let mut recorder =
        args.record.as_ref().map(|path| begin_record(path, table, worker.decl().strikes, args.first)).transpose()?;
    if args.format == Format::Text {
        story.begin(&format!("{} on {}, seed {}", table.ruleset, table.map, setup.seed));
    }
    let mut fan = Fan(vec![&mut figures]);
    if told {
        fan.0.push(&mut story);
    }
    if let Some(recorder) = &mut recorder {
        fan.0.push(recorder as &mut dyn Sink);
    }
    let finished = worker.play(args.first, &mut fan);
    let game = &finished.game;
    if let Some(recorder) = recorder {
        let written = recorder.finish(finished.outcome.as_ref().ok(), game);
        let path = args.record.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        written.map_err(|error| Error::Write(path, error))?;
    }
    match finished.outcome {
        Ok(outcome) => {
            if args.format == Format::Json {
                drop(story);
                let value = json::game(setup, table.specs(), args.first, game, &outcome, &figures);
                say(&serde_json::to_string_pretty(&value).expect("a report is plain data"))?;
            } else {
                story.finish(game, &outcome)?;
            }
            Ok(Exit::Fine)
        }
        Err(Stop::Rules(fault)) => {
            if told {
                story.stop(game)?;
            }
            Err(rules_failed(&fault, Some(game), args.first, table))
        }
        Err(Stop::Halted) => unreachable!("no bot of a match halts it"),
    }
}

fn begin_record(
    path: &PathBuf,
    table: &Table,
    strikes: Strikes,
    number: u64,
) -> Result<Recorder<BufWriter<File>>, Error> {
    let file = File::create(path).map_err(|error| Error::Write(path.display().to_string(), error))?;
    let header = record::header(&table.setup, table.specs(), strike_words(strikes), number);
    Ok(Recorder::new(BufWriter::new(file), &header))
}

/// The fault policy as a record holds it.
fn strike_words(strikes: Strikes) -> (u32, bool, String) {
    let then = match strikes.then {
        OnFault::Skip => "skip",
        OnFault::FirstOption => "first-option",
        OnFault::Neutral => "neutral",
        OnFault::Forfeit => "forfeit",
        OnFault::Hook => "hook",
    };
    (strikes.limit, strikes.per_decision, then.to_owned())
}

/// What a user sees when a ruleset fails: where in the script, where in the game, and how to see it again.
pub(super) fn rules_failed(fault: &RuleFault, game: Option<&Game>, number: u64, table: &Table) -> Error {
    let mut finding = match script_fault(fault) {
        Some(script) => Finding::from(script.clone()),
        None => Finding::error("ruleset::failed", fault.text.clone()),
    };
    let place = game.map_or_else(
        || format!("in game {number}"),
        |game| {
            let phase =
                game.frame().map_or("the set-up", |frame| game.decl().phases[frame.phase.index()].name.as_str());
            format!(
                "in round {}, turn {}, phase {phase}, after {} decisions",
                game.round(),
                game.turn(),
                game.answers()
            )
        },
    );
    let seed = table.setup.seed;
    let first = if number > 0 { format!(" --first {number}") } else { String::new() };
    let said = format!("the ruleset {} failed {place}; --seed {seed}{first} repeats it", table.ruleset);
    finding.help = Some(match finding.help {
        Some(help) => format!("{help}\n{said}"),
        None => said,
    });
    Error::Script(Failure::one(finding))
}

fn many(args: &PlayArgs, table: &Table) -> Done {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = args.jobs.map_or(cores, usize::from);
    let bar = progress(args.games);
    let began = Instant::now();
    let played = play_many(&table.setup, args.first, args.games, jobs, |done| {
        if done % 64 == 0 {
            bar.set_position(done);
        }
    });
    bar.finish_and_clear();
    let results = played.map_err(|fault| match fault {
        MatchFault::Load(failure) => Error::Input(failure),
        MatchFault::Game(number, fault) => rules_failed(&fault, None, number, table),
    })?;
    let counted = Standings::of(&table.setup, &results);
    if args.format == Format::Json {
        let value = json::standings(&table.setup, table.specs(), &counted);
        say(&serde_json::to_string_pretty(&value).expect("a report is plain data"))?;
        return Ok(Exit::Fine);
    }
    let paint = paint(&io::stdout());
    say(&paint.bold(&format!("{} on {}, seed {}", table.ruleset, table.map, table.setup.seed)))?;
    say(&standings::text(&counted, paint))?;
    let seconds = began.elapsed().as_secs_f64();
    let speed = format!("{:.0} games per second, {jobs} threads", results.len() as f64 / seconds.max(1e-9));
    // A figure of this machine and moment, so not part of the data.
    let _ = writeln!(io::stderr(), "  {speed}");
    Ok(Exit::Fine)
}

fn progress(games: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("  {bar:40} {pos}/{len} games, {per_sec}, {eta} left");
    ProgressBar::new(games).with_style(style.expect("the template is right"))
}
