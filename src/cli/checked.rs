//! The process that checks one script for a ladder, and does nothing else.

use crate::cli::library;
use clap::Args;

use super::{Error, say};
use risk_lab::check::{self, BotTrial};
use risk_report::checks;
use risk_wire::isolated::confine;

const GAMES: u64 = 5;
const MOST_FINDINGS: usize = 50;

#[derive(Args, Debug)]
pub(super) struct CheckedArgs {
    /// Ruleset to play
    #[arg(long)]
    ruleset: String,
    /// Script to check and try
    script: String,
}

pub(super) fn run(args: &CheckedArgs) -> Result<(), Error> {
    confine::confine_check()?;
    let trial = BotTrial {
        ruleset: &args.ruleset,
        alone: true,
        against: "random",
        games: Some(GAMES),
    };
    let mut report = check::bot(library(), &args.script, &trial);
    report.findings.truncate(MOST_FINDINGS);
    say(&checks::report(&report).to_string())
}
