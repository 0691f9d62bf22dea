//! `risk-cli bot`: lists, shows, writes, checks, tests and serves bots.

use crate::cli::library;
use risk_maps::files::FileKind;

use clap::Subcommand;

use super::cases::{self, TestArgs};
use super::check::{self, CheckArgs};
use super::match_args::DEFAULT_RULESET;
use super::serve_bot::{self, ServeBotArgs};
use super::{CommandResult, Error, Exit, hang};
use risk_engine::bot_spec::BotSpec;
use risk_engine::script::set_values;
use risk_engine::{BotSource, BuiltIn, made_for};
use risk_lab::check::BotTrial;
use risk_text::diag::LoadError;
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
    /// Rate a bot: its share of wins and its Elo in a frozen field of opponents
    Rate(super::rate::RateArgs),
    /// Run a bot's tests: positions with the expected answers
    Test(TestArgs),
    /// Serve a bot to arenas and other programs, over HTTP or line-JSON
    Serve(ServeBotArgs),
}

pub(super) fn run(command: &BotCommand) -> CommandResult {
    match command {
        BotCommand::List => list().map(|()| Exit::Fine),
        BotCommand::Show { bot } => show(bot).map(|()| Exit::Fine),
        BotCommand::New(args) => super::new::bot(args).map(|()| Exit::Fine),
        BotCommand::Rate(args) => super::rate::run(args),
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

/// Returns the first paragraph of the comment at the top of a script, up to its list of rulesets.
fn about(text: &str) -> String {
    let comment = text.lines().map_while(|line| line.strip_prefix("//"));
    let about: Vec<&str> = comment
        .map(str::trim)
        .take_while(|line| !line.is_empty() && !line.starts_with("Made for:"))
        .collect();
    about.join(" ")
}

fn show(bot: &str) -> Result<(), Error> {
    let spec = BotSpec::parse(library(), bot)?;
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
    Ok(())
}

fn list() -> Result<(), Error> {
    let width = library().bots().map(str::len).max().unwrap_or(0);
    let line = |name: &str, kind: &str, about: &str, made_for: &[&str]| {
        let about = match made_for {
            [] => about.to_owned(),
            _ => format!(
                "{}; made for {}",
                about.trim_end_matches('.'),
                made_for.join(", ")
            ),
        };
        let head = format!("{} {kind}  ", pad(name, width));
        hang(&head, &about)
    };
    for bot in BuiltIn::ALL {
        line(bot.as_str(), "Rust", bot.about(), bot.made_for())?;
    }
    for name in library().names(FileKind::Bot) {
        let text = risk_maps::text(library(), FileKind::Bot, name)?.text;
        line(name, "Rhai", &about(&text), &made_for(&text))?;
    }
    Ok(())
}
