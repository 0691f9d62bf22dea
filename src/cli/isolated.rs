//! The other end of `--isolate`: a process that answers for one script and may do nothing else.

use crate::cli::library;
use std::io;

use clap::Args;

use super::match_args::{RulesArgs, can_isolate};
use super::{Done, Error, Exit};
use risk_engine::load::bot_spec::BotSpec;
use risk_engine::load::diag::{Finding, LoadError};
use risk_engine::players::{BotSource, script_bot};
use risk_engine::script::{Budget, ScriptLimits};
use risk_kernel::odds::Fight;
use risk_wire::isolated::host::{self, Host};

#[derive(Args, Debug)]
pub(super) struct IsolatedArgs {
    #[command(flatten)]
    rules: RulesArgs,
    /// How many players
    #[arg(long)]
    players: usize,
    /// Operations for each call
    #[arg(long)]
    budget: u64,
    /// Seconds of computing in all its games; by default an hour
    #[arg(long)]
    seconds: Option<u64>,
    /// The script to answer for, as for --bot
    script: String,
}

fn build(args: &IsolatedArgs) -> Result<Host, LoadError> {
    let rules = args.rules.load().map_err(|error| match error {
        Error::Input(failure) | Error::Script(failure) => failure,
        Error::Broken(finding) => LoadError::one(finding),
        Error::Write(what, error) => {
            LoadError::one(Finding::error("cli::write", format!("{what}: {error}")))
        }
    })?;
    let BotSource::Script(script) = BotSpec::parse(library(), &args.script)?.source else {
        let text = format!("{} is not a script", args.script);
        return Err(LoadError::one(Finding::error("cli::isolate", text)));
    };
    let limits = ScriptLimits {
        budget: Budget(args.budget),
        ..ScriptLimits::default()
    };
    let bound = rules.bind(args.players, &limits)?;
    let fight = Fight::of(&bound.decl, bound.rules.tables());
    let source = rules
        .ruleset
        .rules_source(&rules.board, &rules.options, args.players, &limits);
    let bot = script_bot(&script, &bound.decl, fight, &source)?;
    Ok(Host::new(bot, rules.board, bound.decl))
}

pub(super) fn run(args: &IsolatedArgs) -> Done {
    can_isolate()?;
    host::confine(args.seconds)?;
    let built = build(args);
    let mut out = io::stdout().lock();
    match built {
        Ok(mut host) => {
            host::seal()?;
            host.answer_all(&mut io::stdin().lock(), &mut out)?;
            Ok(Exit::Fine)
        }
        Err(failure) => {
            let findings = failure.findings.into_iter();
            host::refuse(&mut out, findings.map(|finding| finding.text).collect())?;
            Ok(Exit::No)
        }
    }
}
