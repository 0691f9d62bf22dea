//! Checking scripts: what can be known by reading them, and then by playing with them.
//!
//! A trial plays random games on the ruleset's own map and on a small and a large one, always with
//! the same seed. Its length is counted in games and decisions, never in time.

mod first_faults;
mod trial;

use crate::load::bot_spec::BotSpec;
use crate::load::diag::{Failure, Finding, Level};
use crate::matches::RuleSetup;
use crate::players::BotSource;
use crate::script::ScriptLimits;
use crate::script::bot::ScriptBot;

pub use first_faults::{FirstFault, FirstFaults};

/// What a check found.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was checked, as it was given.
    pub spec: String,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// What the trial counted: a name and its value.
    pub facts: Vec<(&'static str, String)>,
}

impl Report {
    /// Is there an error among the findings?
    #[must_use]
    pub fn fails(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.level == Level::Deny)
    }

    fn failed(spec: &str, failure: Failure) -> Self {
        Self {
            spec: spec.to_owned(),
            findings: failure.findings,
            facts: Vec::new(),
        }
    }
}

/// Checks a ruleset, and plays so many random games with it; as many as are usual when nobody says.
#[must_use]
pub fn ruleset(spec: &str, games: Option<u64>) -> Report {
    match load_ruleset(spec) {
        Err(failure) => Report::failed(spec, failure),
        Ok((rules, mut findings)) => {
            let mut facts = Vec::new();
            if games != Some(0) {
                trial::ruleset(&rules, games, &mut findings, &mut facts);
            }
            Report {
                spec: spec.to_owned(),
                findings,
                facts,
            }
        }
    }
}

fn load_ruleset(spec: &str) -> Result<(RuleSetup, Vec<Finding>), Failure> {
    let rules = RuleSetup::load(spec, None, &[])?;
    let (least, most) = rules.ruleset.manifest.players;
    let limits = ScriptLimits::default();
    let bound = rules.bind(least, &limits)?;
    rules.bind(most, &limits)?;
    let findings = bound
        .lints(&rules.ruleset)
        .into_iter()
        .map(Finding::from)
        .collect();
    Ok((rules, findings))
}

/// Checks a bot for a ruleset, and plays so many games with it against another, or as many
/// as are usual.
#[must_use]
pub fn bot(spec: &str, ruleset: &str, against: &str, games: Option<u64>) -> Report {
    let loaded = BotSpec::parse(against).and_then(|other| Ok((load_bot(spec, ruleset)?, other)));
    match loaded {
        Err(failure) => Report::failed(spec, failure),
        Ok(((tried, rules, hooks, mut findings), other)) => {
            let mut facts = Vec::new();
            if games != Some(0) {
                trial::bot(
                    &tried,
                    &other,
                    &rules,
                    &hooks,
                    games,
                    &mut findings,
                    &mut facts,
                );
            }
            Report {
                spec: spec.to_owned(),
                findings,
                facts,
            }
        }
    }
}

type LoadedBot = (BotSpec, RuleSetup, Vec<String>, Vec<Finding>);

fn load_bot(spec: &str, ruleset: &str) -> Result<LoadedBot, Failure> {
    let rules = RuleSetup::load(ruleset, None, &[])?;
    let players = rules.ruleset.manifest.players.1;
    let bound = rules.bind(players, &ScriptLimits::default())?;
    let spec = BotSpec::parse(spec)?;
    let mut hooks = Vec::new();
    let mut findings = Vec::new();
    if let BotSource::Script(script) = &spec.source {
        let bot = ScriptBot::new(
            script,
            &bound.decl,
            rules.board.len(),
            players,
            None,
            &ScriptLimits::default(),
        )?;
        findings.extend(
            bot.lints(script, &bound.decl)
                .into_iter()
                .map(Finding::from),
        );
        hooks = bot.hook_names();
    }
    Ok((spec, rules, hooks, findings))
}
