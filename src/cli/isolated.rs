//! The child process of `--isolate`: it answers for one script over line-JSON and can do nothing
//! else.

use clap::Args;

use super::match_args::{RulesArgs, can_isolate};
use super::serve_bot::answer_lines;
use super::{CommandResult, library};
use risk_arena::bot::{Answerer, LineJsonBot, ServedBot, in_script};
use risk_engine::bot_spec::BotSpec;
use risk_engine::script::{Budget, ScriptLimits};
use risk_engine::{BotSource, BuildError};
use risk_text::diag::Finding;
use risk_wire::Failure;
use risk_wire::isolated::confine;
use risk_wire::line_json;

#[derive(Args, Debug)]
pub(super) struct IsolatedArgs {
    #[command(flatten)]
    rules: RulesArgs,
    /// Number of players
    #[arg(long)]
    players: usize,
    /// Maximum number of operations per call
    #[arg(long)]
    budget: u64,
    /// Maximum CPU time for all games, in seconds (default: one hour)
    #[arg(long)]
    seconds: Option<u64>,
    /// Script that answers, as for --bot
    script: String,
}

/// Returns the script ready to answer, or the reasons why it can't play.
fn ready(args: &IsolatedArgs) -> Result<(ServedBot, LineJsonBot), Vec<Failure>> {
    let rules = args.rules.load();
    let rules = rules.map_err(|error| failures(error.findings()))?;
    let spec = BotSpec::parse(library(), &args.script);
    let spec = spec.map_err(|error| failures(error.findings))?;
    if !matches!(spec.source, BotSource::Script(_)) {
        let text = format!("{} is not a script", args.script);
        return Err(failures([Finding::error("cli::isolate", text)]));
    }
    let limits = ScriptLimits {
        budget: Budget(args.budget),
        ..ScriptLimits::default()
    };
    let served = ServedBot {
        spec,
        rules,
        limits,
    };
    let ready = LineJsonBot::ready(&served, args.players);
    let bot = ready.map_err(|error| match error {
        BuildError::Script(faults) => faults.iter().map(in_script).collect(),
        BuildError::Bot(finding) => failures([*finding]),
    })?;
    Ok((served, bot))
}

/// Converts findings to the failures that a bot reports, without places, because the parent process
/// has already shown them.
fn failures(findings: impl IntoIterator<Item = Finding>) -> Vec<Failure> {
    let told = findings.into_iter().map(|finding| Failure {
        code: finding.code,
        text: finding.text,
        help: finding.help,
        ..Failure::default()
    });
    told.collect()
}

pub(super) fn run(args: &IsolatedArgs) -> CommandResult {
    can_isolate()?;
    confine::confine(args.seconds)?;
    match ready(args) {
        Ok((served, mut bot)) => {
            confine::seal()?;
            answer_lines(|line| bot.answer(&served, "", line))
        }
        Err(failures) => {
            let refusal = line_json::refusal(&failures).to_string();
            answer_lines(|_| Ok(refusal.clone()))
        }
    }
}
