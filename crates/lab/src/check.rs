//! Checks of scripts: first by reading them, then by playing with them.
//!
//! A trial plays random games on the ruleset's own map and on a small and a large one, always with
//! the same seed. Its length is counted in games and decisions, never in time. A process or remote
//! bot that speaks line-JSON has a scripted conversation first.

mod chances;
mod conversation;
mod first_faults;
mod imagined;
mod trial;

use risk_engine::load::Library;
use risk_engine::load::bot_spec::BotSpec;
use risk_engine::load::diag::{Finding, Level, LoadError};
use risk_engine::matches::RuleSetup;
use risk_engine::players::BotSource;
use risk_engine::script::ScriptLimits;
use risk_engine::script::bot::ScriptBot;
use risk_wire::Endpoint;
use risk_wire::line_json;

pub use conversation::{CONFORMANCE, CaseReport, Verdict};
pub use first_faults::{FirstFault, FirstFaults};

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// The specification that was checked, as given.
    pub spec: String,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The cases of the conversation, if there was one.
    pub cases: Vec<CaseReport>,
    /// Names and values of what the trial counted.
    pub facts: Vec<(&'static str, String)>,
}

impl Report {
    /// Reports whether a finding is an error.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.level == Level::Deny)
    }

    fn failed(spec: &str, failure: LoadError) -> Self {
        Self {
            spec: spec.to_owned(),
            findings: failure.findings,
            cases: Vec::new(),
            facts: Vec::new(),
        }
    }
}

/// Checks a ruleset and plays `games` random games with it, or the usual number if `None`.
#[must_use]
pub fn ruleset(library: &Library, spec: &str, games: Option<u64>) -> Report {
    match load_ruleset(library, spec) {
        Err(failure) => Report::failed(spec, failure),
        Ok((rules, mut findings)) => {
            let mut facts = Vec::new();
            if games != Some(0) {
                trial::ruleset(&rules, games, &mut findings, &mut facts);
            }
            Report {
                spec: spec.to_owned(),
                findings,
                cases: Vec::new(),
                facts,
            }
        }
    }
}

fn load_ruleset(library: &Library, spec: &str) -> Result<(RuleSetup, Vec<Finding>), LoadError> {
    let rules = RuleSetup::load(library, spec, None, &[])?;
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

/// The settings of a bot's trial.
#[derive(Clone, Copy, Debug)]
pub struct BotTrial<'a> {
    /// The ruleset to play.
    pub ruleset: &'a str,
    /// Whether to try this ruleset alone; if not, the conversation tries every built-in one too.
    pub alone: bool,
    /// The opponent's specification.
    pub against: &'a str,
    /// The number of games at the first table; `None` for the usual number.
    pub games: Option<u64>,
}

/// Checks a bot for a ruleset: holds a conversation with a process or remote bot that speaks
/// line-JSON, and plays games against another bot.
#[must_use]
pub fn bot(library: &Library, spec: &str, trial: &BotTrial<'_>) -> Report {
    try_bot(library, spec, trial).unwrap_or_else(|failure| Report::failed(spec, failure))
}

fn try_bot(library: &Library, spec: &str, trial: &BotTrial<'_>) -> Result<Report, LoadError> {
    let other = BotSpec::parse(library, trial.against)?;
    let (tried, rules, hooks, mut findings) = load_bot(library, spec, trial.ruleset)?;
    let mut facts = Vec::new();
    let mut cases = Vec::new();
    if let Some(endpoint) = tried.source.factory::<Endpoint>()
        && endpoint.protocol.info().name == line_json::PROTOCOL.name
    {
        cases = conversation::hold(&tried, endpoint, &rules, !trial.alone)?;
        let mut wrong: Vec<&CaseReport> = cases.iter().collect();
        wrong.sort_by_key(|case| case.rank);
        findings.extend(wrong.into_iter().filter_map(CaseReport::finding));
    }
    if cases.iter().any(CaseReport::stops_games) {
        facts.push(("games", "none until the errors above are fixed".to_owned()));
    } else if trial.games != Some(0) {
        trial::bot(
            &tried,
            &other,
            &rules,
            &hooks,
            trial.games,
            &mut findings,
            &mut facts,
        );
    }
    Ok(Report {
        spec: spec.to_owned(),
        findings,
        cases,
        facts,
    })
}

type LoadedBot = (BotSpec, RuleSetup, Vec<String>, Vec<Finding>);

fn load_bot(library: &Library, spec: &str, ruleset: &str) -> Result<LoadedBot, LoadError> {
    let rules = RuleSetup::load(library, ruleset, None, &[])?;
    let players = rules.ruleset.manifest.players.1;
    let bound = rules.bind(players, &ScriptLimits::default())?;
    let spec = BotSpec::parse(library, spec)?;
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
