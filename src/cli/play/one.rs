//! Plays one game and shows it.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

use super::super::format::MatchFormat;
use super::{PlayArgs, StoryForm, print_not_reproducible};
use crate::cli::bot_log;
use crate::cli::faults::{print_faults, rules_failed};
use crate::cli::spectator::Spectator;
use crate::cli::{CommandResult, Error, Exit, create, note, output, paint, remark, say_json};
use risk_engine::record::{self, MOST_BYTES, Recorder};
use risk_engine::script::tracer::Tracer;
use risk_engine::{FirstFaults, Setup, Worker};
use risk_kernel::event::Event;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::{FinishedGame, Moment, Sink, StopReason};
use risk_report::figures::Figures;
use risk_report::story::{self, ONE_LINE, Story};
use risk_report::{Tee, json};
use risk_text::escape_control;
use risk_text::plural::counted;

pub(super) fn run(args: &PlayArgs, setup: &Setup) -> CommandResult {
    let mut worker = Worker::new(setup)?;
    let log = args.bot_log.open("game-", args.force.force)?;
    worker.keeps_asides = log.is_some();
    let names = names(args, setup);
    let mut spectator = args.watch.begin(&title(setup), &names)?;
    let is_told = args.format == MatchFormat::Text && !args.quiet && spectator.is_none();
    let has_reader = is_told && io::stdout().is_terminal();
    let mut figures = Figures::new(setup.bots.len());
    let mut first_faults = FirstFaults::default();
    let mut recorder = begin_record(args, &worker)?;
    let mut story = begin_story(args, setup, &names, has_reader);
    let tracer = &setup.limits.tracer;
    let mut story_sink = StoryWithDebug {
        story: &mut story,
        tracer,
    };
    let mut sinks = Tee(vec![&mut figures, &mut first_faults]);
    if is_told {
        sinks.0.push(&mut story_sink);
    }
    if let Some(recorder) = &mut recorder {
        sinks.0.push(recorder as &mut dyn Sink);
    }
    if let Some(spectator) = &mut spectator {
        sinks.0.push(spectator);
    }
    let FinishedGame { game, outcome } = worker.play(args.first_of(setup), &mut sinks);
    let has_left = spectator.is_some_and(|spectator| watched(spectator, &game, &outcome, &names));
    if let Some(log) = &log {
        bot_log::write(log, setup, args.first_of(setup), &worker.take_asides())?;
    }
    end_record(args, recorder, &outcome, &game)?;
    match outcome {
        Ok(outcome) if args.format == MatchFormat::Json => {
            drop(story);
            let (number, figures) = (args.first_of(setup), figures.finish());
            say_json(&json::game(setup, number, &game, &outcome, figures))?;
        }
        Ok(outcome) => {
            story.finish(&game, &outcome)?;
            print_not_reproducible(setup)?;
            if has_reader {
                hint()?;
            }
        }
        Err(StopReason::Halted) if has_left => story.stop(&game)?,
        Err(stop) => {
            if is_told {
                story.stop(&game)?;
            }
            return Err(stopped(args, setup, &game, &stop));
        }
    }
    print_said(tracer);
    let record = args.record.as_deref();
    let faults = [(args.first_of(setup), first_faults.faults)];
    print_faults(&faults, setup, record);
    Ok(Exit::Fine)
}

/// Shows the end to the spectator. Returns whether the spectator left before the end.
fn watched(
    spectator: Spectator,
    game: &GameState,
    outcome: &Result<Outcome, StopReason>,
    names: &[String],
) -> bool {
    match outcome {
        Ok(outcome) => {
            let ending = story::ended(game, outcome, names, ONE_LINE);
            spectator.end(game, &ending)
        }
        Err(_) => spectator.has_left(),
    }
}

fn names(args: &PlayArgs, setup: &Setup) -> Vec<String> {
    let seating = setup.seating(args.first_of(setup));
    let seats = seating.iter();
    seats
        .map(|&player| setup.bots[player].name.clone())
        .collect()
}

fn title(setup: &Setup) -> String {
    format!("{}, seed {}", setup.rules.title(), setup.seed)
}

/// Begins the story, with a heading in the text format.
fn begin_story(
    args: &PlayArgs,
    setup: &Setup,
    names: &[String],
    has_reader: bool,
) -> Story<impl Write + use<>> {
    let mut story = Story::new(output(), paint(&io::stdout()), names.to_vec());
    if args.format == MatchFormat::Text {
        story.begin(&title(setup));
    }
    let brief = match args.story {
        Some(form) => form == StoryForm::Brief,
        None => has_reader,
    };
    if brief { story.in_brief() } else { story }
}

fn begin_record(
    args: &PlayArgs,
    worker: &Worker<'_>,
) -> Result<Option<Recorder<BufWriter<File>>>, Error> {
    let Some(path) = &args.record else {
        return Ok(None);
    };
    let file = create(path, args.force.force)?;
    let header = record::header(worker, args.first_of(worker.setup()));
    // The file is unbuffered: a spectator may quit at any time, and the record must contain
    // everything that was shown.
    let file = if args.watch.watch {
        BufWriter::with_capacity(0, file)
    } else {
        BufWriter::new(file)
    };
    Ok(Some(Recorder::new(file, &header)))
}

fn end_record(
    args: &PlayArgs,
    recorder: Option<Recorder<BufWriter<File>>>,
    outcome: &Result<Outcome, StopReason>,
    game: &GameState,
) -> Result<(), Error> {
    let (Some(recorder), Some(path)) = (recorder, &args.record) else {
        return Ok(());
    };
    let written = recorder.finish(outcome.as_ref().ok(), game);
    written.map(drop).map_err(Error::writing(path))
}

fn stopped(args: &PlayArgs, setup: &Setup, game: &GameState, stop: &StopReason) -> Error {
    let record = args.record.as_deref();
    match stop {
        StopReason::Rules(fault) => {
            rules_failed(fault, Some(game), args.first_of(setup), record, setup)
        }
        // Outside a server, only a full record halts a game.
        StopReason::Halted => {
            let path = record.map(|path| path.display().to_string());
            let text = format!(
                "{} reached the limit of {MOST_BYTES} bytes per record after {}",
                path.unwrap_or_default(),
                counted(game.answers(), "decision")
            );
            let help = "omit --record, or choose rules whose games end sooner";
            Error::input("record::full", text, help)
        }
    }
}

fn hint() -> Result<(), Error> {
    remark("`--story full` shows all battles, `-q` only the result, `--games 100` counts wins")
}

/// The story, interleaved with the debug output of scripts.
struct StoryWithDebug<'a, W: Write> {
    story: &'a mut Story<W>,
    tracer: &'a Tracer,
}

impl<W: Write> Sink for StoryWithDebug<'_, W> {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        for debug in self.tracer.take_texts() {
            let text = format!("{}:{}: {}", debug.script, debug.line, debug.text);
            self.story.aside(&text);
        }
        self.story.event(game, event);
    }
}

/// Prints the debug output of scripts that no story has shown.
fn print_said(tracer: &Tracer) {
    for debug in tracer.take_texts() {
        note(&format!(
            "{}:{}: {}",
            debug.script,
            debug.line,
            escape_control(&debug.text)
        ));
    }
    let unheard = tracer.readings().map_or(0, |readings| readings.unheard);
    if unheard > 0 {
        note(&format!(
            "omitted {} from scripts: too many at once",
            counted(unheard, "debug message")
        ));
    }
}
