//! `risk-cli bot`: what a user does with bots: list, write, check and serve them.

use std::io;

use clap::Subcommand;

use super::check::{self, CheckArgs};
use super::match_args::DEFAULT_RULESET;
#[cfg(feature = "serve")]
use super::serve_bot::{self, ServeBotArgs};
use super::{Done, Exit, paint, say};
use crate::check::BotTrial;
use crate::load::{self, Kind, bot_spec};
use crate::players::BuiltIn;
use crate::text::paint::pad;

#[derive(Debug, Subcommand)]
pub(super) enum BotCommand {
    /// The bots that are built in
    List,
    /// Write a commented bot that plays
    New(super::new::NewBot),
    /// Report everything that is wrong with bots, and try them in some games; a program that
    /// speaks line-JSON has to stand a conversation before, about all that its protocol allows
    Check {
        #[command(flatten)]
        check: CheckArgs,
        /// Whom they meet in the trial
        #[arg(long, value_name = "B", default_value = "random")]
        against: String,
        /// The ruleset they are to play; when left out hasbro, and programs are asked in every
        /// ruleset
        #[arg(long, short)]
        ruleset: Option<String>,
    },
    /// Let arenas and programs elsewhere ask a bot, over HTTP or line by line
    #[cfg(feature = "serve")]
    Serve(ServeBotArgs),
}

pub(super) fn run(command: &BotCommand) -> Done {
    match command {
        BotCommand::List => list(),
        BotCommand::New(args) => super::new::bot(args),
        #[cfg(feature = "serve")]
        BotCommand::Serve(args) => serve_bot::run(args),
        BotCommand::Check {
            check: args,
            against,
            ruleset,
        } => check::run(Kind::Bot, args, |spec, games| {
            let trial = BotTrial {
                ruleset: ruleset.as_deref().unwrap_or(DEFAULT_RULESET),
                alone: ruleset.is_some(),
                against,
                games,
            };
            crate::check::bot(spec, &trial)
        }),
    }
}

fn list() -> Done {
    let width = bot_spec::names().map(str::len).max().unwrap_or(0);
    let paint = paint(&io::stdout());
    for bot in BuiltIn::ALL {
        say(&paint
            .hang(&format!("{} Rust  ", pad(bot.as_str(), width)), bot.about())
            .join("\n"))?;
    }
    for name in Kind::Bot.names() {
        let text = load::text(Kind::Bot, name)?.text;
        // The first paragraph of the comment at its head.
        let comment = text.lines().map_while(|line| line.strip_prefix("//"));
        let about: Vec<&str> = comment
            .map(str::trim)
            .take_while(|line| !line.is_empty())
            .collect();
        let about = about.join(" ");
        say(&paint
            .hang(&format!("{} Rhai  ", pad(name, width)), &about)
            .join("\n"))?;
    }
    Ok(Exit::Fine)
}
