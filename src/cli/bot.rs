//! `risk-cli bot`.

use clap::Subcommand;

use super::check::{self, CheckArgs};
use super::table::DEFAULT_RULESET;
use super::{Done, Exit, say};
use crate::load::{self, Kind};
use crate::players::BUILT_IN;
use crate::report::paint::pad;

#[derive(Debug, Subcommand)]
pub(super) enum BotCommand {
    /// The bots that are built in
    List,
    /// Write a commented bot that plays
    New(super::new::NewBot),
    /// Report everything that is wrong with bots, and try them in some games
    Check {
        #[command(flatten)]
        check: CheckArgs,
        /// Whom they meet in the trial
        #[arg(long, value_name = "B", default_value = "random")]
        against: String,
        /// The ruleset they are to play
        #[arg(long, short, default_value = DEFAULT_RULESET)]
        ruleset: String,
    },
}

pub(super) fn run(command: &BotCommand) -> Done {
    match command {
        BotCommand::List => list(),
        BotCommand::New(args) => super::new::bot(args),
        BotCommand::Check { check: args, against, ruleset } => {
            check::run(args, |spec, games| crate::check::bot(spec, (ruleset, against), games))
        }
    }
}

fn list() -> Done {
    let names = BUILT_IN.iter().map(|(name, _)| *name).chain(Kind::Bot.names());
    let width = names.map(str::len).max().unwrap_or(0);
    for (name, about) in BUILT_IN {
        say(&format!("{} Rust  {about}", pad(name, width)))?;
    }
    for name in Kind::Bot.names() {
        let text = load::text(Kind::Bot, name)?.text;
        let about = text.lines().next().unwrap_or_default().trim_start_matches('/').trim().to_owned();
        say(&format!("{} Rhai  {about}", pad(name, width)))?;
    }
    Ok(Exit::Fine)
}
