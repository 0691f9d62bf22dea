//! The parent process of a bot's program: when the bot ends, the keeper ends all processes that the
//! bot started.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Cli, Command};
use risk_wire::transport::SandboxMode;
use risk_wire::transport::keeper::{self, KeeperTask};

#[derive(Args, Debug)]
pub(super) struct KeeperArgs {
    /// Become the bot instead of keeping it
    #[arg(long)]
    r#become: bool,
    /// Remove the folder of a bot that has ended, and do nothing else
    #[arg(long, requires = "temporary")]
    clear: bool,
    /// Sandbox of the bot: on, open or off
    #[arg(long, value_parser = |word: &str| SandboxMode::from_name(word).ok_or("not on, open or off"))]
    sandbox: SandboxMode,
    /// Folder that the bot may read in its sandbox
    #[arg(long = "read", value_name = "DIR")]
    readable: Vec<PathBuf>,
    /// Folder that the bot may write to
    #[arg(long, value_name = "DIR")]
    temporary: Option<PathBuf>,
    /// Give the bot time to end by itself
    #[arg(long)]
    patient: bool,
    /// The bot's program and its arguments
    #[arg(last = true, required_unless_present = "clear")]
    words: Vec<String>,
}

/// Runs the keeper if the command is `keeper`. For other commands, registers this program as the
/// keeper of bots. This must run on the first thread, because the bot dies with the thread that
/// started it.
pub(super) fn run_first(cli: &Cli) -> Option<ExitCode> {
    let Some(Command::Keeper(args)) = &cli.command else {
        if let Ok(program) = std::env::current_exe() {
            keeper::set_program(program);
        }
        return None;
    };
    if let Some(folder) = args.temporary.as_deref().filter(|_| args.clear) {
        let code = u8::from(keeper::clear(folder).is_err());
        return Some(ExitCode::from(code));
    }
    let kept = KeeperTask {
        words: args.words.clone(),
        sandbox: args.sandbox,
        readable: args.readable.clone(),
        patient: args.patient,
    };
    let error = if args.r#become {
        keeper::become_bot(&kept, args.temporary.as_deref())
    } else {
        match keeper::keep(&kept) {
            Ok(code) => return Some(ExitCode::from(code)),
            Err(error) => error,
        }
    };
    // Print the error to the bot's standard error, because the program that started the bot reads
    // it.
    #[expect(
        clippy::print_stderr,
        reason = "there is no terminal: the error goes to the program"
    )]
    {
        eprintln!("can't start {}: {error}", args.words[0]);
    }
    Some(ExitCode::from(127))
}
