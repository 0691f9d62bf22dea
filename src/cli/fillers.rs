//! The bots that play alongside the bots under test.

use crate::cli::library;
use clap::Args;

use super::{Error, note};
use risk_engine::RuleSetup;
use risk_engine::bot_spec::BotSpec;
use risk_text::plural::{counted, range};

/// The `--filler` option.
#[derive(Args, Clone, Debug)]
pub(super) struct Fillers {
    /// Bot for another seat; may be given several times (default: as many of the ruleset's own bots
    /// as needed)
    #[arg(
        long = "filler",
        short = 'f',
        alias = "fillers",
        value_name = "C",
        value_delimiter = ','
    )]
    pub(super) given: Vec<String>,
}

impl Fillers {
    pub(super) fn given(&self) -> Result<Vec<BotSpec>, Error> {
        bots(self.given.iter().map(String::as_str))
    }
}

/// Returns the given bots or, without any, `missing` of the ruleset's own bots.
pub(super) fn or_own(
    given: Vec<BotSpec>,
    rules: &RuleSetup,
    missing: usize,
) -> Result<Vec<BotSpec>, Error> {
    if !given.is_empty() || missing == 0 {
        return Ok(given);
    }
    let manifest = &rules.ruleset.manifest;
    let own = manifest.bots.iter().map(String::as_str);
    let names: Vec<&str> = own.cycle().take(missing).collect();
    let verb = if names.len() == 1 { "plays" } else { "play" };
    note(&format!(
        "  {} needs more players, so {} {verb} too; --filler sets other bots",
        manifest.decl.name,
        names.join(" and ")
    ));
    bots(names.into_iter())
}

fn bots<'a>(specs: impl Iterator<Item = &'a str>) -> Result<Vec<BotSpec>, Error> {
    let parsed = specs.map(|spec| BotSpec::parse(library(), spec));
    Ok(parsed.collect::<Result<_, _>>()?)
}

/// Checks that the ruleset allows this number of players.
pub(super) fn check_players(rules: &RuleSetup, players: usize) -> Result<(), Error> {
    let (least, most) = rules.players()?;
    if (least..=most).contains(&players) {
        return Ok(());
    }
    let name = &rules.ruleset.manifest.decl.name;
    let needed = counted(range(least, most), "player");
    let text = format!("{name} needs {needed}, found {players}");
    let help = "add or remove a --filler";
    Error::refuse("compare::players", text, help)
}
