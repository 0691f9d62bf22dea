//! Plays many games and counts the wins.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use super::super::format::MatchFormat;
use super::{PlayArgs, print_not_reproducible};
use crate::cli::bot_log;
use crate::cli::faults::print_faults;
use crate::cli::threads::{progress, stopped, threads};
use crate::cli::{CommandResult, Error, Exit, note, output, paint, say, say_json};
use risk_engine::{FirstFault, GameResult, MatchFault, Setup, Tally, play_each_noted};
use risk_report::{self, game_lines, json};
use risk_text::escape_json;
use risk_text::plural::counted;

pub(super) fn run(args: &PlayArgs, setup: &Setup) -> CommandResult {
    let jobs = threads(args.jobs, setup)?;
    let bar = progress(args.games, "games");
    let began = Instant::now();
    let mut tally = Tally::new(setup);
    let mut faults = Vec::new();
    let mut done = 0;
    let played = play_logged(args, setup, jobs, |result, new_faults| {
        tally.add(&result);
        if !new_faults.is_empty() {
            faults.push((result.number, new_faults));
        }
        done += 1;
        if done % 64 == 0 {
            bar.set_position(done);
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let played = played?;
    // If a bot is lost for good, the finished games are still reported.
    let is_told = matches!(played, Err(MatchFault::Gone(..))) && done > 0;
    let played = played
        .map_err(|fault| stopped(fault, setup))
        .map(|()| Exit::Fine);
    if played.is_err() && !is_told {
        return played;
    }
    let standings = tally.finish();
    if args.format == MatchFormat::Json {
        let value = json::standings(setup, &standings);
        say_json(&value)?;
        return played;
    }
    let paint = paint(&io::stdout());
    say(&paint.bold(&format!("{}, seed {}", setup.rules.title(), setup.seed)))?;
    say(&risk_report::standings::text(&standings, paint))?;
    print_not_reproducible(setup)?;
    print_faults(&faults, setup, None);
    let seconds = began.elapsed().as_secs_f64();
    let rate = done as f64 / seconds.max(1e-9);
    let digits = usize::from(rate < 10.0);
    let speed = format!(
        "{rate:.digits$} games per second, {}",
        counted(jobs, "thread")
    );
    // The speed varies between machines and runs, so it is not part of the data.
    note(&format!("  {speed}"));
    played
}

/// Prints a line for each game as it ends.
pub(super) fn stream(args: &PlayArgs, setup: &Setup) -> CommandResult {
    let jobs = threads(args.jobs, setup)?;
    let bar = progress(args.games, "games");
    let mut out = output();
    let mut line = |value: &serde_json::Value| {
        let text = serde_json::to_string(value).expect("a line always serializes");
        writeln!(out, "{}", escape_json(&text))
    };
    line(&game_lines::match_line(setup))?;
    let mut written = Ok(());
    let played = play_logged(args, setup, jobs, |result, _| {
        bar.inc(1);
        written = line(&game_lines::game_line(setup, &result));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    bar.finish_and_clear();
    written?;
    out.flush()?;
    played?.map_err(|fault| stopped(fault, setup))?;
    Ok(Exit::Fine)
}

/// Plays the games, and writes the standard error of bot processes to `--bot-log`.
fn play_logged(
    args: &PlayArgs,
    setup: &Setup,
    jobs: usize,
    mut each: impl FnMut(GameResult, Vec<FirstFault>) -> ControlFlow<()>,
) -> Result<Result<(), MatchFault>, Error> {
    let first = args.first_of(setup);
    let games = first..first.saturating_add(args.games);
    let log = args.bot_log.open("game-", args.force.force)?;
    let mut written = Ok(());
    let played = play_each_noted(
        setup,
        games,
        jobs,
        log.is_some(),
        |number, result, notes| {
            if let Some(log) = &log {
                written = bot_log::write(log, setup, number, &notes.asides);
            }
            match result {
                _ if written.is_err() => ControlFlow::Break(()),
                Some(result) => each(result, notes.faults),
                None => ControlFlow::Break(()),
            }
        },
    );
    written.map(|()| played)
}
