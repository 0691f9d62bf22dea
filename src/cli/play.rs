//! `risk-cli play`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::table::{self, PlayersArgs, RulesArgs, Table};
use super::{Done, Error, Exit, ForceArg, note, output, paint, say, say_json, tell};
use crate::check::{FirstFault, FirstFaults};
use crate::kernel::declare::Strikes;
use crate::kernel::event::Event;
use crate::kernel::fault::RuleFault;
use crate::kernel::state::GameState;
use crate::kernel::{Sink, Stop};
use crate::load::diag::{Failure, Finding, Level};
use crate::matches::standings::Tally;
use crate::matches::{GameResult, MatchFault, Worker, play_each, script_fault};
use crate::players::BotSource;
use crate::record::{self, MOST_BYTES, Recorder};
use crate::report::figures::Figures;
use crate::report::story::Story;
use crate::report::{Tee, json, profile, standings};
use crate::script::tracer::Tracer;
use crate::text::escape_control;
use crate::text::plural::counted;

/// The most games in one match.
const MOST_GAMES: u64 = 10_000_000;
/// The most threads, on a machine that has fewer cores.
const MOST_JOBS: usize = 64;

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
    /// Threads for many games; as many as there are cores when left out, one with a bot over HTTP
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    /// Write a record of the game that `replay` reads
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    /// Text for people, or one JSON document
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show where scripts spent their operations, by function and line; slow
    #[arg(long)]
    profile: bool,
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
    let mut table = table::lay(&args.rules, &args.players)?;
    if let Some(filled) = &table.filled {
        note(&format!(
            "  {}; --players says how many",
            escape_control(filled)
        ));
    }
    if args.profile {
        table.setup.limits.probe = Tracer::with_lines();
    } else if args.games == 1 {
        table.setup.limits.probe = Tracer::new();
    }
    let done = play(args, &table)?;
    if args.profile {
        tell_profile(&table)?;
    }
    Ok(done)
}

fn play(args: &PlayArgs, table: &Table) -> Done {
    if args.games > 1 {
        if args.record.is_some() {
            let help = "play the game of interest alone, with the same seed and --first NUMBER";
            return Err(Error::input(
                "cli::record",
                "a record holds one game, and --games asks for more",
                help,
            ));
        }
        return many(args, table);
    }
    one(args, table)
}

fn one(args: &PlayArgs, table: &Table) -> Done {
    let setup = &table.setup;
    let mut worker = Worker::new(setup)?;
    let names: Vec<String> = setup
        .seating(args.first)
        .iter()
        .map(|&player| setup.bots[player].name.clone())
        .collect();
    let out = output();
    let told = args.format == Format::Text && !args.quiet;
    let mut story = Story::new(out, paint(&io::stdout()), names);
    let mut figures = Figures::new(setup.bots.len(), setup.board.len());
    let mut recorder = args
        .record
        .as_ref()
        .map(|path| {
            begin_record(
                path,
                args.force.force,
                table,
                worker.decl().strikes,
                args.first,
            )
        })
        .transpose()?;
    let people = told && io::stdout().is_terminal();
    if args.format == Format::Text {
        story.begin(&format!(
            "{} on {}, seed {}",
            table.ruleset, table.map, setup.seed
        ));
        if people {
            story.remark_aside("the whole story follows; `play --quiet` tells the result alone");
        }
    }
    let probe = &setup.limits.probe;
    let mut first_faults = FirstFaults::default();
    let mut told_story = Told {
        story: &mut story,
        probe,
    };
    let mut fan = Tee(vec![&mut figures, &mut first_faults]);
    if told {
        fan.0.push(&mut told_story);
    }
    if let Some(recorder) = &mut recorder {
        fan.0.push(recorder as &mut dyn Sink);
    }
    let finished = worker.play(args.first, &mut fan);
    let game = &finished.game;
    if let Some(recorder) = recorder {
        let written = recorder.finish(finished.outcome.as_ref().ok(), game);
        let path = args
            .record
            .as_ref()
            .map(|path| path.display().to_string())
            .unwrap_or_default();
        written.map_err(|error| Error::Write(path, error))?;
    }
    match finished.outcome {
        Ok(outcome) => {
            if args.format == Format::Json {
                drop(story);
                let value = json::game(setup, table.specs(), args.first, game, &outcome, &figures);
                say_json(&value)?;
            } else {
                story.finish(game, &outcome)?;
                if people {
                    hint()?;
                }
            }
            tell_said(probe);
            tell_faults(&first_faults, table, args.first, args.record.as_deref());
            Ok(Exit::Fine)
        }
        Err(Stop::Rules(fault)) => {
            if told {
                story.stop(game)?;
            }
            Err(rules_failed(
                &fault,
                Some(game),
                (args.first, args.record.as_deref()),
                table,
            ))
        }
        Err(Stop::Halted) => {
            if told {
                story.stop(game)?;
            }
            let path = args
                .record
                .as_deref()
                .map(|path| path.display().to_string())
                .unwrap_or_default();
            let text = format!(
                "{path} has {MOST_BYTES} bytes after {} decisions, the most of a record: the game was stopped",
                game.answers()
            );
            Err(Error::input(
                "record::full",
                text,
                "play without --record, or with a ruleset whose games end",
            ))
        }
    }
}

/// What else there is, for people who have just seen a whole story scroll by.
fn hint() -> Result<(), Error> {
    let paint = paint(&io::stdout());
    let text = "`--quiet` (-q) tells the result alone, `--games 100` plays many games and counts";
    say(&paint
        .wrapped("  ", "  ", text)
        .iter()
        .map(|line| paint.dim(line))
        .collect::<Vec<_>>()
        .join("\n"))
}

fn begin_record(
    path: &Path,
    force: bool,
    table: &Table,
    strikes: Strikes,
    number: u64,
) -> Result<Recorder<BufWriter<File>>, Error> {
    let file = super::create(path, force)?;
    let header = record::header(&table.setup, table.specs(), strikes, number);
    Ok(Recorder::new(BufWriter::new(file), &header))
}

/// What a user sees when a ruleset fails: where in the script, where in the game, and how to see it
/// again.
pub(super) fn rules_failed(
    fault: &RuleFault,
    game: Option<&GameState>,
    (number, record): (u64, Option<&Path>),
    table: &Table,
) -> Error {
    let mut finding = match script_fault(fault) {
        Some(script) => Finding::from(script.clone()),
        None => Finding::error("ruleset::failed", fault.text.clone()),
    };
    let place = game.map_or_else(
        || format!("in game {number}"),
        |game| {
            let phase = game.frame().map_or("the set-up", |frame| {
                game.decl().phases[frame.phase.index()].name.as_str()
            });
            format!(
                "in round {}, turn {}, phase {phase}, after {}",
                game.round(),
                game.turn(),
                counted(game.answers(), "decision")
            )
        },
    );
    let mut said = format!(
        "the ruleset {} failed {place}; `{}` repeats it",
        table.ruleset,
        table.command(number)
    );
    if let (Some(record), Some(game)) = (record, game) {
        said.push_str(&format!(
            ", and `risk-cli replay {} --to {}` goes there",
            record.display(),
            game.answers()
        ));
    }
    finding.help = Some(match finding.help {
        Some(help) => format!("{help}\n{said}"),
        None => said,
    });
    Error::Script(Failure::one(finding))
}

/// How many threads play.
fn threads(args: &PlayArgs, table: &Table) -> Result<usize, Error> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    // A bot elsewhere is one program, and plays one game at a time.
    let remote = table
        .setup
        .bots
        .iter()
        .find(|spec| matches!(spec.source, BotSource::Remote(_)));
    if let Some(remote) = remote {
        if args.jobs.is_some_and(|jobs| jobs > 1) {
            let text = format!(
                "{} is a bot over HTTP, which plays one game at a time",
                remote.name
            );
            return Err(Error::input("cli::jobs", text, "leave out --jobs"));
        }
        return Ok(1);
    }
    let (jobs, most) = (args.jobs.map_or(cores, usize::from), cores.max(MOST_JOBS));
    if jobs > most {
        let text = format!(
            "{jobs} threads are too many: this machine has {}",
            counted(cores, "core")
        );
        return Err(Error::input(
            "cli::jobs",
            text,
            format!("leave out --jobs, or choose at most {most}"),
        ));
    }
    Ok(jobs)
}

/// Where each player made the first fault.
fn note_faults(table: &Table, result: &GameResult, games: &mut Vec<(usize, u64)>) {
    if result.faults.iter().all(|&faults| faults == 0) {
        return;
    }
    for (seat, player) in table.setup.seating(result.number).into_iter().enumerate() {
        if result.faults[seat] > 0 && !games.iter().any(|&(known, _)| known == player) {
            games.push((player, result.number));
        }
    }
}

fn many(args: &PlayArgs, table: &Table) -> Done {
    let jobs = threads(args, table)?;
    let bar = progress(args.games);
    let began = Instant::now();
    let (mut tally, mut faulty, mut done) = (Tally::new(&table.setup), Vec::new(), 0);
    let played = play_each(&table.setup, (args.first, args.games), jobs, |result| {
        tally.add(&result);
        note_faults(table, &result, &mut faulty);
        done += 1;
        if done % 64 == 0 {
            bar.set_position(done);
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    played.map_err(|fault| match fault {
        MatchFault::Load(failure) => Error::Input(failure),
        MatchFault::GameState(number, fault) => rules_failed(&fault, None, (number, None), table),
        MatchFault::Broken(text) => Error::Broken(
            Finding::error("cli::threads", text).help("try again with a smaller --jobs"),
        ),
    })?;
    let counted = tally.finish();
    if args.format == Format::Json {
        let value = json::standings(&table.setup, table.specs(), &counted);
        say_json(&value)?;
        return Ok(Exit::Fine);
    }
    let paint = paint(&io::stdout());
    say(&paint.bold(&format!(
        "{} on {}, seed {}",
        table.ruleset, table.map, table.setup.seed
    )))?;
    say(&standings::text(&counted, paint))?;
    explain_faults(table, &faulty)?;
    let seconds = began.elapsed().as_secs_f64();
    let rate = done as f64 / seconds.max(1e-9);
    let digits = usize::from(rate < 10.0);
    let speed = format!(
        "{rate:.digits$} games per second, {}",
        crate::text::plural::counted(jobs, "thread")
    );
    // A figure of this machine and moment, so not part of the data.
    note(&format!("  {speed}"));
    Ok(Exit::Fine)
}

fn progress(games: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("  {bar:40} {pos}/{len} games, {per_sec}, {eta} left");
    ProgressBar::new(games).with_style(style.expect("the template is right"))
}

/// The story, with what scripts say of themselves where they say it.
struct Told<'a, W: Write> {
    story: &'a mut Story<W>,
    probe: &'a Tracer,
}

impl<W: Write> Sink for Told<'_, W> {
    fn event(&mut self, game: &GameState, event: &Event) {
        for said in self.probe.take_said() {
            self.story.aside(
                game,
                &format!("{}:{}: {}", said.script, said.line, said.text),
            );
        }
        self.story.event(game, event);
    }
}

/// What scripts said that no story told.
fn tell_said(probe: &Tracer) {
    for said in probe.take_said() {
        note(&format!(
            "{}:{}: {}",
            said.script,
            said.line,
            escape_control(&said.text)
        ));
    }
    let unheard = probe.readings().map_or(0, |readings| readings.unheard);
    if unheard > 0 {
        note(&format!(
            "and {unheard} more texts of debug, which are too many at once"
        ));
    }
}

/// The first fault of each player in full, and how to look into it.
fn tell_faults(faults: &FirstFaults, table: &Table, number: u64, record: Option<&Path>) {
    let setup = &table.setup;
    let seating = setup.seating(number);
    let findings = faults.faults.iter().map(|fault| {
        let spec = &setup.bots[seating[fault.seat]];
        let finding = fault.finding(&spec.name, &setup.limits.probe, Level::Warn);
        if matches!(spec.source, BotSource::BuiltIn(_)) {
            return finding;
        }
        let again = |record: &str| {
            format!(
                "`risk-cli replay {record} --at {} --bot {}`",
                fault.decision, spec.bot
            )
        };
        let line = match record {
            Some(record) => format!("{} asks it again", again(&record.display().to_string())),
            None => format!(
                "`{} --record game.jsonl` records the game; then {} asks it again",
                table.command(number),
                again("game.jsonl")
            ),
        };
        FirstFault::with_line(finding, &line)
    });
    tell(&findings.collect::<Vec<_>>());
}

/// For each player who made faults in many games: the first of them is played once more, to tell it
/// in full.
fn explain_faults(table: &Table, games: &[(usize, u64)]) -> Result<(), Error> {
    for &(player, number) in games {
        let mut setup = table.setup.clone();
        setup.limits.probe = Tracer::new();
        let mut worker = Worker::new(&setup)?;
        let mut faults = FirstFaults::default();
        worker.play(number, &mut faults);
        let seating = setup.seating(number);
        faults.faults.retain(|fault| seating[fault.seat] == player);
        let again = Table {
            setup: setup.clone(),
            ..table.clone()
        };
        tell_faults(&faults, &again, number, None);
    }
    Ok(())
}

fn tell_profile(table: &Table) -> Result<(), Error> {
    let setup = &table.setup;
    let bots = setup.bots.iter().filter_map(|spec| match &spec.source {
        BotSource::Script(script) => Some(&script.source),
        BotSource::BuiltIn(_) | BotSource::Isolated(_) | BotSource::Remote(_) => None,
    });
    let texts: BTreeMap<String, String> = setup
        .ruleset
        .sources()
        .chain(bots)
        .map(|source| (source.name.to_string(), source.text.to_string()))
        .collect();
    if let Some(readings) = setup.limits.probe.readings() {
        say(&profile::text(&readings, &texts, paint(&io::stdout())))?;
    }
    Ok(())
}
