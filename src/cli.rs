//! The command line: its types, dispatch and exit codes.

mod again;
mod bot;
mod check;
mod complete;
mod isolated;
mod map;
mod new;
mod odds;
mod play;
mod replay;
mod ruleset;
mod serve;
mod table;

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::load::diag::{self, Failure, Finding};
use crate::report::paint::Paint;

/// A scriptable engine and arena for Risk and its relatives.
#[derive(Debug, Parser)]
#[command(
    name = "risk-cli",
    version,
    after_help = "Try `risk-cli play` first.\nEvery name of a map, ruleset or bot can also be the path of a file."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a game and tell it, or many games and count
    Play(play::PlayArgs),
    /// Tell a recorded game again, or check that it replays to the digit
    Replay(replay::ReplayArgs),
    /// Maps: check them, turn them into other forms, draw and measure them
    #[command(subcommand)]
    Map(map::MapCommand),
    /// List, show and check rulesets
    #[command(subcommand)]
    Ruleset(ruleset::RulesetCommand),
    /// List, write, check and serve bots
    #[command(subcommand)]
    Bot(bot::BotCommand),
    /// Be an arena over HTTP: players register, and matches can be watched in a browser
    Serve(serve::ServeArgs),
    /// The exact chances of a fight to the end
    Odds(odds::OddsArgs),
    #[command(hide = true)]
    Isolated(isolated::IsolatedArgs),
    /// Print a script that completes commands and names in a shell
    Completions(complete::CompletionsArgs),
    /// Print the manual page, or write one for each command
    Man(complete::ManArgs),
}

/// How a command ended, when nothing went wrong with the program itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// All is well.
    Fine,
    /// The check or the match says no.
    No,
}

/// Why a command could not do its work.
#[derive(Debug)]
enum Error {
    /// Bad input: arguments, map, ruleset, record.
    Input(Failure),
    /// A script failed while it ran.
    Script(Failure),
    /// Something could not be written.
    Write(String, io::Error),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Input(failure)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Write("the output".to_owned(), error)
    }
}

impl Error {
    /// Bad input that is no file's.
    fn input(code: &str, text: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input(Failure::one(Finding::error(code, text).help(help)))
    }
}

type Done = Result<Exit, Error>;

/// Runs the program with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = u8::try_from(error.exit_code()).unwrap_or(2);
            return if error.print().is_ok() { ExitCode::from(code) } else { ExitCode::SUCCESS };
        }
    };
    let done = crate::arena::with_stack(|| dispatch(cli));
    match done {
        Ok(Exit::Fine) => ExitCode::SUCCESS,
        Ok(Exit::No) => ExitCode::from(1),
        Err(Error::Write(_, error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // With nobody to tell there is nothing left to do.
            let _ = write!(io::stderr(), "{}", shown(&error));
            ExitCode::from(if matches!(error, Error::Script(_)) { 3 } else { 2 })
        }
    }
}

fn dispatch(cli: Cli) -> Done {
    match cli.command {
        None => {
            Cli::command().print_help()?;
            Ok(Exit::Fine)
        }
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Map(command)) => map::run(&command),
        Some(Command::Ruleset(command)) => ruleset::run(&command),
        Some(Command::Bot(command)) => bot::run(&command),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Odds(args)) => odds::run(&args),
        Some(Command::Isolated(args)) => isolated::run(&args),
        Some(Command::Completions(args)) => complete::completions(&args, Cli::command()),
        Some(Command::Man(args)) => complete::man(&args, Cli::command()),
    }
}

fn shown(error: &Error) -> String {
    let paint = paint(&io::stderr());
    match error {
        Error::Input(failure) | Error::Script(failure) => diag::render(&failure.findings, paint.colour, paint.width),
        Error::Write(what, error) => {
            let finding = Finding::error("cli::write", format!("can't write {what}: {error}"));
            diag::render(&[finding], paint.colour, paint.width)
        }
    }
}

/// How text is set on a stream: by its terminal, or plain and 80 columns wide.
fn paint(stream: &impl IsTerminal) -> Paint {
    let terminal = stream.is_terminal();
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var("TERM").is_ok_and(|term| term == "dumb");
    let width =
        if terminal { terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)) } else { 80 };
    Paint { colour: terminal && !plain, width: width.max(20) }
}

/// Prints a text and a line end.
fn say(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Prints findings to where people read.
fn tell(findings: &[Finding]) {
    let paint = paint(&io::stderr());
    // With nobody to tell there is nothing left to do.
    let _ = write!(io::stderr(), "{}", diag::render(findings, paint.colour, paint.width));
}

/// Writes a file that is not there yet.
fn save(path: &Path, content: &[u8], force: bool) -> Result<(), Error> {
    let file = if force { File::create(path) } else { File::create_new(path) };
    let name = path.display().to_string();
    match file {
        Ok(mut file) => file.write_all(content).map_err(|error| Error::Write(name, error)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let help = "choose another name: nothing was changed";
            Err(Error::input("cli::exists", format!("{name} is there already"), help))
        }
        Err(error) => Err(Error::Write(name, error)),
    }
}
