//! The command line: its types, dispatch and exit codes.

mod analyse;
mod balance;
mod bot;
mod bot_log;
mod cases;
mod check;
mod checked;
mod compare;
mod complete;
mod decision;
mod drawing;
mod editor;
mod faults;
mod fillers;
mod findings;
mod format;
mod front;
mod human;
mod isolated;
#[cfg(target_os = "linux")]
mod keeper;
mod level;
mod map;
mod match_args;
mod named_programs;
mod new;
mod odds;
mod out;
mod play;
mod position;
mod protocol;
mod rate;
mod recorded;
mod replay;
mod ruleset;
mod seed_arg;
mod serve;
mod serve_bot;
mod served;
mod spectator;
mod threads;
mod tournament;
mod tune;
mod watch;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{FromArgMatches, Parser, Subcommand};

use out::{
    hand_over, hang, note, output, paint, print_findings, print_some_findings, remark, row, say,
    say_json,
};
use risk_engine::Library;
use risk_engine::script::ScriptLimits;
use risk_text::diag::{Finding, LoadError};

/// A scriptable engine and arena for Risk and its relatives.
#[derive(Debug, Parser)]
#[command(name = "risk-cli", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a game and show it, or play many and count the wins
    Play(play::PlayArgs),
    /// Show, verify or render a recorded game
    Replay(replay::ReplayArgs),
    /// Analyse luck and winning chances in a recorded game
    Analyse(analyse::AnalyseArgs),
    /// Check, convert, draw and measure maps
    #[command(subcommand)]
    Map(map::MapCommand),
    /// List, show and check rulesets
    #[command(subcommand)]
    Ruleset(ruleset::RulesetCommand),
    /// List, show, write, check and serve bots
    #[command(subcommand)]
    Bot(bot::BotCommand),
    /// Test which of two bots is better, with as many games as needed
    Compare(compare::CompareArgs),
    /// Tune the settings that a bot declares
    Tune(tune::TuneArgs),
    /// Test whether all seats win equally often, across options and maps
    Balance(balance::BalanceArgs),
    /// Rank bots with confidence intervals, in resumable runs
    #[command(subcommand)]
    Tournament(tournament::TournamentCommand),
    /// Run an arena that bots join, and watch the matches in a browser
    Serve(serve::ServeWords),
    /// Compute the odds of a battle under a ruleset
    Odds(odds::OddsArgs),
    #[command(hide = true)]
    Isolated(isolated::IsolatedArgs),
    #[command(hide = true)]
    Checked(checked::CheckedArgs),
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    Keeper(keeper::KeeperArgs),
    /// Print the message schemas for bots in other languages
    #[command(subcommand)]
    Protocol(protocol::ProtocolCommand),
    /// Print a completion script for a shell
    Completions(complete::CompletionsArgs),
    /// Print the manual page, or write a page for each command
    Man(complete::ManArgs),
}

/// The result of a command that completed without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Fine,
    /// A negative result: a check failed, or a bot is not better.
    No,
    Undecided,
    /// Blocks of a tournament are missing.
    Gaps,
}

impl Exit {
    /// Returns the result of a check.
    const fn of(fits: bool) -> Self {
        if fits { Self::Fine } else { Self::No }
    }
}

#[derive(Debug)]
enum Error {
    /// Bad input: arguments, map, ruleset, record.
    Input(LoadError),
    /// A script failed while it ran.
    Script(LoadError),
    Broken(Finding),
    Write(String, io::Error),
}

impl From<LoadError> for Error {
    fn from(failure: LoadError) -> Self {
        Self::Input(failure)
    }
}

impl From<Finding> for Error {
    fn from(finding: Finding) -> Self {
        Self::Input(LoadError::one(finding))
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Write("the output".to_owned(), error)
    }
}

impl Error {
    /// Converts an error of the system about this path.
    fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let name = path.display().to_string();
        |error| Self::Write(name, error)
    }

    /// Returns the findings for a report inside another text.
    fn findings(self) -> Vec<Finding> {
        match self {
            Self::Input(failure) | Self::Script(failure) => failure.findings,
            Self::Broken(finding) => vec![finding],
            Self::Write(what, error) => {
                vec![Finding::error("cli::write", format!("{what}: {error}"))]
            }
        }
    }

    /// Returns an error about input that comes from no file.
    fn input(code: &str, text: impl Into<String>, help: impl Into<String>) -> Self {
        Finding::error(code, text).help(help).into()
    }

    /// Refuses input that comes from no file.
    fn refuse<T>(code: &str, text: impl Into<String>, help: impl Into<String>) -> Result<T, Self> {
        Err(Self::input(code, text, help))
    }
}

type CommandResult = Result<Exit, Error>;

static LIBRARY: LazyLock<Library> =
    LazyLock::new(|| risk_cli::library_with_fields().with_schemes(risk_wire::SCHEMES));

/// Returns the built-in files, with the schemes of bots outside the program.
fn library() -> &'static Library {
    &LIBRARY
}

pub(crate) fn run() -> ExitCode {
    let parsed = front::command().try_get_matches();
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return out::end(error).unwrap_or_else(failed),
    };
    #[cfg(target_os = "linux")]
    if let Some(done) = keeper::run_first(&cli) {
        return done;
    }
    match risk_engine::with_stack(|| dispatch(cli)) {
        Ok(Exit::Fine) => ExitCode::SUCCESS,
        Ok(Exit::No) => ExitCode::from(1),
        Ok(Exit::Undecided) => ExitCode::from(4),
        Ok(Exit::Gaps) => ExitCode::from(5),
        Err(error) => failed(error),
    }
}

/// Prints an error and returns its exit code. A closed pipe counts as success, for example after `|
/// head`.
fn failed(error: Error) -> ExitCode {
    let (findings, code) = match error {
        Error::Write(_, error) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Error::Input(failure) => {
            let code = failure.findings.first().map_or(2, refusal);
            (failure.findings, code)
        }
        Error::Script(failure) => (failure.findings, 3),
        // The exit code of a panic.
        Error::Broken(finding) => (vec![finding], 101),
        Error::Write(what, error) => (
            vec![Finding::error(
                "cli::write",
                format!("can't write {what}: {error}"),
            )],
            2,
        ),
    };
    print_findings(&findings);
    ExitCode::from(code)
}

/// Returns the exit code for bad input. Temporary conditions have their own codes.
fn refusal(finding: &Finding) -> u8 {
    match finding.code.as_str() {
        "tournament::busy" => 6,
        "tournament::full" => 7,
        _ => 2,
    }
}

fn dispatch(cli: Cli) -> CommandResult {
    let counted = ScriptLimits::counted().check_memory();
    counted.map_err(|fault| LoadError::from(vec![fault]))?;
    match cli.command {
        None => front::run().map(|()| Exit::Fine),
        #[cfg(target_os = "linux")]
        Some(Command::Keeper(_)) => unreachable!("a keeper runs on the first thread"),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Protocol(command)) => protocol::run(&command).map(|()| Exit::Fine),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Map(command)) => map::run(&command),
        Some(Command::Ruleset(command)) => ruleset::run(&command),
        Some(Command::Bot(command)) => bot::run(&command),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Balance(args)) => balance::run(&args),
        Some(Command::Tournament(command)) => tournament::run(&command),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Odds(args)) => odds::run(&args).map(|()| Exit::Fine),
        Some(Command::Isolated(args)) => isolated::run(&args),
        Some(Command::Checked(args)) => checked::run(&args).map(|()| Exit::Fine),
        Some(Command::Completions(args)) => {
            complete::completions(&args, front::command()).map(|()| Exit::Fine)
        }
        Some(Command::Man(args)) => complete::man(&args, front::command()).map(|()| Exit::Fine),
    }
}

/// The option to overwrite existing files, shared by all commands that write files.
#[derive(clap::Args, Clone, Copy, Debug)]
struct ForceArg {
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

/// Creates a file, and overwrites an existing file only with `force`. The program creates all its
/// files with this function.
fn create(path: &Path, force: bool) -> Result<File, Error> {
    create_by(OpenOptions::new().write(true), path, force)
}

/// Like [`create`], but only the owner can read the file, on systems with file owners.
fn create_own(path: &Path, force: bool) -> Result<File, Error> {
    let file = create_by(&mut own_file(), path, force)?;
    // An existing file may be readable by others. `/dev/null` keeps its permissions.
    #[cfg(unix)]
    if file.metadata().is_ok_and(|it| it.is_file()) {
        let own = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        file.set_permissions(own).map_err(Error::writing(path))?;
    }
    Ok(file)
}

/// Returns options that open a file for writing and let only its owner read it.
fn own_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn create_by(options: &mut OpenOptions, path: &Path, force: bool) -> Result<File, Error> {
    if force {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    options.open(path).map_err(|error| not_created(path, error))
}

fn not_created(path: &Path, error: io::Error) -> Error {
    let name = path.display().to_string();
    if error.kind() == io::ErrorKind::AlreadyExists {
        exists(&name)
    } else {
        Error::Write(name, error)
    }
}

fn exists(name: &str) -> Error {
    let help = "choose another name, or add --force to overwrite it";
    Error::input("cli::exists", format!("{name} already exists"), help)
}

fn save(path: &Path, content: &[u8], force: bool) -> Result<(), Error> {
    create(path, force)?
        .write_all(content)
        .map_err(Error::writing(path))
}
