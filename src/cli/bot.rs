//! `risk-cli bot`: lists, shows, writes, checks, tests and serves bots.

use crate::cli::library;
use std::io;
use std::sync::Arc;

use clap::Subcommand;

use super::cases::{self, TestArgs};
use super::check::{self, CheckArgs};
use super::match_args::DEFAULT_RULESET;
use super::serve_bot::{self, ServeBotArgs};
use super::{CommandResult, Exit, paint, say};
use risk_engine::load::bot_spec::BotSpec;
use risk_engine::load::diag::LoadError;
use risk_engine::load::{self, FileKind};
use risk_engine::matches::RuleSetup;
use risk_engine::players::{BotSource, BuiltIn};
use risk_engine::script::{ScriptLimits, set_values};
use risk_kernel::declare::Declaration;
use risk_lab::check::BotTrial;
use risk_text::paint::pad;

#[derive(Debug, Subcommand)]
pub(super) enum BotCommand {
    /// List the built-in bots
    List,
    /// Show a bot and its settings
    Show {
        /// Bot, as for `play --bot`
        bot: String,
    },
    /// Write a working, commented bot to start from
    New(super::new::NewBot),
    /// Check bots, and try them in some games; programs that speak line-JSON are first tested for
    /// conformance to the protocol
    Check {
        #[command(flatten)]
        check: CheckArgs,
        /// Opponent in the trial
        #[arg(long, value_name = "B", default_value = "random")]
        against: String,
        /// Ruleset to play (default: hasbro for scripts, all rulesets for programs)
        #[arg(long, short)]
        ruleset: Option<String>,
    },
    /// Run a bot's tests: positions with the expected answers
    Test(TestArgs),
    /// Serve a bot to arenas and other programs, over HTTP or line-JSON
    Serve(ServeBotArgs),
}

pub(super) fn run(command: &BotCommand) -> CommandResult {
    match command {
        BotCommand::List => list(),
        BotCommand::Show { bot } => show(bot),
        BotCommand::New(args) => super::new::bot(args),
        BotCommand::Test(args) => cases::bots(args),
        BotCommand::Serve(args) => serve_bot::run(args),
        BotCommand::Check {
            check: args,
            against,
            ruleset,
        } => check::run(FileKind::Bot, args, |spec, games| {
            let trial = BotTrial {
                ruleset: ruleset.as_deref().unwrap_or(DEFAULT_RULESET),
                alone: ruleset.is_some(),
                against,
                games,
            };
            risk_lab::check::bot(library(), spec, &trial)
        }),
    }
}

/// Returns the first paragraph of the comment at the top of a script.
fn about(text: &str) -> String {
    let comment = text.lines().map_while(|line| line.strip_prefix("//"));
    let about: Vec<&str> = comment
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    about.join(" ")
}

fn show(bot: &str) -> CommandResult {
    let spec = BotSpec::parse(library(), bot)?;
    let paint = paint(&io::stdout());
    let hang = |head: &str, text: &str| say(&paint.hang(head, text).join("\n"));
    match &spec.source {
        BotSource::BuiltIn(own) => hang(&format!("{}: ", spec.bot), own.about())?,
        BotSource::Script(script) => {
            hang(&format!("{}: ", spec.bot), &about(&script.source.text))?;
            let all = set_values(script).map_err(|fault| LoadError::from(vec![fault]))?;
            for (setting, value) in all {
                let low = setting.range.start();
                let high = setting.range.end();
                let head = format!("  set.{}={value}, of {low} to {high}  ", setting.name);
                hang(&head, &setting.about)?;
            }
        }
        BotSource::Made(_) | BotSource::Human => {
            hang(&format!("{}: ", spec.bot), "plays outside the program")?;
        }
    }
    Ok(Exit::Fine)
}

/// Returns the names and declarations of the built-in rulesets.
fn rulesets() -> Result<Vec<(&'static str, Arc<Declaration>)>, LoadError> {
    let mut all = Vec::new();
    for name in library().names(FileKind::Ruleset) {
        let rules = RuleSetup::load(library(), name, None, &[])?;
        let players = rules.ruleset.manifest.players.0;
        all.push((name, rules.bind(players, &ScriptLimits::default())?.decl));
    }
    Ok(all)
}

fn list() -> CommandResult {
    let width = library().bots().map(str::len).max().unwrap_or(0);
    let paint = paint(&io::stdout());
    let rulesets = rulesets()?;
    for bot in BuiltIn::ALL {
        let known = rulesets.iter().filter(|(_, decl)| bot.knows(decl));
        let known: Vec<&str> = known.map(|(name, _)| *name).collect();
        let about = if bot.is_particular() {
            format!("{}; made for {}", bot.about(), known.join(", "))
        } else {
            bot.about().to_owned()
        };
        say(&paint
            .hang(&format!("{} Rust  ", pad(bot.as_str(), width)), &about)
            .join("\n"))?;
    }
    for name in library().names(FileKind::Bot) {
        let text = load::text(library(), FileKind::Bot, name)?.text;
        say(&paint
            .hang(&format!("{} Rhai  ", pad(name, width)), &about(&text))
            .join("\n"))?;
    }
    Ok(Exit::Fine)
}
