//! Checking scripts: what can be known by reading them, and then by playing with them.
//!
//! A trial plays random games on the ruleset's own map and on a small and a large one, always with
//! the same seed. Its length is counted in games and decisions, never in time.

mod first_faults;
mod trial;

use std::sync::Arc;

use crate::kernel::board::Board;
use crate::load;
use crate::load::bot_spec::BotSpec;
use crate::load::diag::{Failure, Finding, Level};
use crate::load::lint::Levels;
use crate::matches::Setup;
use crate::players::BotSource;
use crate::script::bot::ScriptBot;
use crate::script::{Ruleset, ScriptLimits};

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
        Ok((ruleset, mut findings)) => {
            let mut facts = Vec::new();
            if games != Some(0) {
                trial::ruleset(spec, &ruleset, games, &mut findings, &mut facts);
            }
            Report {
                spec: spec.to_owned(),
                findings,
                facts,
            }
        }
    }
}

fn load_ruleset(spec: &str) -> Result<(Ruleset, Vec<Finding>), Failure> {
    let ruleset = load::ruleset(spec)?;
    let options = defaults(&ruleset);
    let board = load::map(&ruleset.manifest.map, &Levels::default())?;
    let (least, most) = ruleset.manifest.players;
    let limits = ScriptLimits::default();
    let bound = ruleset.bind(&board, &options, least, &limits)?;
    ruleset.bind(&board, &options, most, &limits)?;
    let findings = bound
        .lints(&ruleset)
        .into_iter()
        .map(Finding::from)
        .collect();
    Ok((ruleset, findings))
}

/// Checks a bot for a ruleset, and plays so many games with it against another, or as many as are
/// usual.
#[must_use]
pub fn bot(spec: &str, (ruleset, against): (&str, &str), games: Option<u64>) -> Report {
    let loaded = BotSpec::parse(against).and_then(|other| Ok((load_bot(spec, ruleset)?, other)));
    match loaded {
        Err(failure) => Report::failed(spec, failure),
        Ok(((tried, rules, hooks, mut findings), other)) => {
            let mut facts = Vec::new();
            if games != Some(0) {
                trial::bot(
                    (&tried, &other),
                    (ruleset, &rules),
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

type LoadedBot = (BotSpec, Ruleset, Vec<String>, Vec<Finding>);

fn load_bot(spec: &str, ruleset: &str) -> Result<LoadedBot, Failure> {
    let rules = load::ruleset(ruleset)?;
    let board = load::map(&rules.manifest.map, &Levels::default())?;
    let players = rules.manifest.players.1;
    let bound = rules.bind(&board, &defaults(&rules), players, &ScriptLimits::default())?;
    let spec = BotSpec::parse(spec)?;
    let (mut hooks, mut findings) = (Vec::new(), Vec::new());
    if let BotSource::Script(script) = &spec.source {
        let bot = ScriptBot::new(
            script,
            &bound.decl,
            board.len(),
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

fn defaults(ruleset: &Ruleset) -> std::collections::BTreeMap<String, crate::script::OptionValue> {
    ruleset
        .options(&[])
        .expect("the defaults of options are values of options")
}

/// A setup for a trial.
fn setup(ruleset: &Ruleset, board: &Arc<Board>, bots: Vec<BotSpec>, limits: ScriptLimits) -> Setup {
    let mut bots = bots;
    load::bot_spec::tell_apart(&mut bots);
    Setup {
        ruleset: ruleset.clone(),
        board: Arc::clone(board),
        options: defaults(ruleset),
        bots,
        seed: trial::SEED,
        seats: crate::matches::Seats::Rotate,
        limits,
        strikes: None,
    }
}
