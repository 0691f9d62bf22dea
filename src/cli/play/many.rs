//! Many games, counted.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Format, PlayArgs};
use crate::check::FirstFaults;
use crate::cli::faults::{rules_failed, tell_faults};
use crate::cli::{Done, Error, Exit, note, paint, say, say_json};
use crate::load::diag::Finding;
use crate::matches::standings::Tally;
use crate::matches::{GameResult, MatchFault, Setup, Worker, play_each};
use crate::players::BotSource;
use crate::report::{self, json};
use crate::script::tracer::Tracer;
use crate::text::plural::counted;

/// The most threads, on a machine that has fewer cores.
const MOST_JOBS: usize = 64;

pub(super) fn run(args: &PlayArgs, setup: &Setup) -> Done {
    let jobs = threads(args, setup)?;
    let bar = progress(args.games);
    let began = Instant::now();
    let mut tally = Tally::new(setup);
    let mut faulty = Vec::new();
    let mut done = 0;
    let played = play_each(setup, (args.first, args.games), jobs, |result| {
        tally.add(&result);
        note_faults(setup, &result, &mut faulty);
        done += 1;
        if done % 64 == 0 {
            bar.set_position(done);
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    played.map_err(|fault| match fault {
        MatchFault::Load(failure) => Error::Input(failure),
        MatchFault::Rules(number, fault) => rules_failed(&fault, None, number, None, setup),
        MatchFault::Broken(text) => Error::Broken(
            Finding::error("cli::threads", text).help("try again with a smaller --jobs"),
        ),
    })?;
    let standings = tally.finish();
    if args.format == Format::Json {
        let value = json::standings(setup, &standings);
        say_json(&value)?;
        return Ok(Exit::Fine);
    }
    let paint = paint(&io::stdout());
    say(&paint.bold(&format!(
        "{} on {}, seed {}",
        setup.ruleset_spec, setup.map_spec, setup.seed
    )))?;
    say(&report::standings::text(&standings, paint))?;
    explain_faults(setup, &faulty)?;
    let seconds = began.elapsed().as_secs_f64();
    let rate = done as f64 / seconds.max(1e-9);
    let digits = usize::from(rate < 10.0);
    let speed = format!(
        "{rate:.digits$} games per second, {}",
        counted(jobs, "thread")
    );
    // A figure of this machine and moment, so not part of the data.
    note(&format!("  {speed}"));
    Ok(Exit::Fine)
}

/// How many threads play.
fn threads(args: &PlayArgs, setup: &Setup) -> Result<usize, Error> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    // A bot elsewhere is one program, and plays one game at a time.
    let remote = setup
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
    let jobs = args.jobs.map_or(cores, usize::from);
    let most = cores.max(MOST_JOBS);
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
fn note_faults(setup: &Setup, result: &GameResult, games: &mut Vec<(usize, u64)>) {
    if result.faults.iter().all(|&faults| faults == 0) {
        return;
    }
    for (seat, player) in setup.seating(result.number).into_iter().enumerate() {
        if result.faults[seat] > 0 && !games.iter().any(|&(known, _)| known == player) {
            games.push((player, result.number));
        }
    }
}

/// For each player who made faults in many games: the first of them is played once more, to tell
/// it in full.
fn explain_faults(setup: &Setup, games: &[(usize, u64)]) -> Result<(), Error> {
    for &(player, number) in games {
        let mut setup = setup.clone();
        setup.limits.tracer = Tracer::new();
        let mut worker = Worker::new(&setup)?;
        let mut faults = FirstFaults::default();
        worker.play(number, &mut faults);
        let seating = setup.seating(number);
        faults.faults.retain(|fault| seating[fault.seat] == player);
        tell_faults(&faults, &setup, number, None);
    }
    Ok(())
}

fn progress(games: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("  {bar:40} {pos}/{len} games, {per_sec}, {eta} left");
    ProgressBar::new(games).with_style(style.expect("the template is right"))
}
