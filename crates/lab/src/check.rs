//! Checks of scripts, which first read the scripts and then play games with them.
//!
//! A trial plays random games on the ruleset's own map, a small map and a large map. The seed of a
//! ruleset's trial depends on the ruleset's text, and a bot's trial always has the same seed. The
//! length of a trial is measured in games and decisions instead of time. For a process or
//! remote bot that uses line-JSON, the check begins with a scripted conversation.

mod chances;
mod conversation;
mod cut_games;
mod imagined;
mod opponents;
mod order_effects;
mod trial;

use risk_engine::bot_spec::BotSpec;
use risk_engine::script::ScriptLimits;
use risk_engine::script::bot::ScriptBot;
use risk_engine::{BotSource, Library, MatchFault, MatchSpec, RuleSetup, script_fault};
use risk_kernel::fault::RuleFault;
use risk_text::diag::{Finding, Level, LoadError};
use risk_wire::Endpoint;
use risk_wire::line_json;

pub use conversation::{CONFORMANCE, CaseReport, CaseVerdict};
pub use opponents::{MOST_GAMES, OpponentResult, Opponents, opponents};

/// The result of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The checked specification as entered by the user.
    pub spec: String,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The cases of the conversation, or an empty list if there was none.
    pub cases: Vec<CaseReport>,
    /// The names and values of the trial's statistics.
    pub facts: Vec<(&'static str, String)>,
    /// The comparison of the bots that can play by the ruleset, if it was asked for.
    pub opponents: Option<Opponents>,
}

impl Report {
    /// Reports whether any finding is an error.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.level == Level::Deny)
    }

    fn new(spec: &str, findings: Vec<Finding>) -> Self {
        Self {
            spec: spec.to_owned(),
            findings,
            cases: Vec::new(),
            facts: Vec::new(),
            opponents: None,
        }
    }

    /// Compares the bots that can play by the checked ruleset: see [`opponents`]. A failure becomes
    /// a finding.
    pub fn compare_bots(
        &mut self,
        library: &Library,
        games: u64,
        jobs: usize,
        on_game: impl FnMut(u64),
    ) {
        let loaded = RuleSetup::load(library, &self.spec, None, &[]).map_err(MatchFault::Load);
        match loaded.and_then(|rules| opponents(&rules, games, jobs, on_game)) {
            Ok(found) => self.opponents = Some(found),
            Err(MatchFault::Load(failure)) => self.findings.extend(failure.findings),
            Err(MatchFault::Rules(_, fault)) => {
                let help = "in a game between bots that can play by the ruleset";
                self.findings.push(rules_failed(&fault).add_help(help));
            }
            Err(fault) => {
                let finding = Finding::error("ruleset::failed", fault.to_string());
                self.findings.push(finding);
            }
        }
    }
}

/// Returns a ruleset's failure with its place in the script.
#[must_use]
pub fn rules_failed(fault: &RuleFault) -> Finding {
    match script_fault(fault) {
        Some(script) => script.clone().into(),
        None => Finding::error("ruleset::failed", fault.text()),
    }
}

/// Receives the number of the trial's games that are over, and the maximum number of its games.
pub type OnGame<'a> = dyn FnMut(u64, u64) + 'a;

/// Checks a ruleset and plays `games` random games with it, or the default number of games if
/// `None`.
#[must_use]
pub fn ruleset(
    library: &Library,
    spec: &str,
    games: Option<u64>,
    on_game: &mut OnGame<'_>,
) -> Report {
    match load_ruleset(library, spec) {
        Err(failure) => Report::new(spec, failure.findings),
        Ok((rules, findings)) => {
            let mut report = Report::new(spec, findings);
            if games != Some(0) {
                let Report {
                    findings, facts, ..
                } = &mut report;
                trial::ruleset(&rules, games, on_game, findings, facts);
            }
            report
        }
    }
}

fn load_ruleset(library: &Library, spec: &str) -> Result<(RuleSetup, Vec<Finding>), LoadError> {
    let rules = RuleSetup::load(library, spec, None, &[])?;
    let (least, most) = rules.ruleset.manifest.players;
    let limits = ScriptLimits::default();
    let bound = rules.bind(least, &limits)?;
    rules.bind(most, &limits)?;
    let findings = bound.lints(&rules.ruleset).into_iter();
    let findings = findings.map(Finding::from).collect();
    Ok((rules, findings))
}

/// The settings of a bot's trial.
#[derive(Clone, Copy, Debug)]
pub struct BotTrial<'a> {
    /// The ruleset to play.
    pub ruleset: &'a str,
    /// Whether to test only this ruleset. Otherwise, the conversation also tests all built-in
    /// rulesets.
    pub alone: bool,
    /// The opponent's specification.
    pub against: &'a str,
    /// The number of games at the first table, or `None` for the default number.
    pub games: Option<u64>,
}

/// Checks a bot with a ruleset. Holds a conversation if the bot is a process or remote bot that
/// uses line-JSON, and then plays games against another bot.
#[must_use]
pub fn bot(library: &Library, spec: &str, trial: &BotTrial<'_>) -> Report {
    try_bot(library, spec, trial).unwrap_or_else(|failure| Report::new(spec, failure.findings))
}

fn try_bot(library: &Library, spec: &str, trial: &BotTrial<'_>) -> Result<Report, LoadError> {
    let other = BotSpec::parse(library, trial.against)?;
    let (tried, rules, hooks, findings) = load_bot(library, spec, trial.ruleset)?;
    let mut report = Report::new(spec, findings);
    let Report {
        findings,
        cases,
        facts,
        ..
    } = &mut report;
    if let Some(endpoint) = tried.source.factory::<Endpoint>()
        && endpoint.protocol.info().name == line_json::PROTOCOL.name
    {
        *cases = conversation::hold(&tried, endpoint, &rules, !trial.alone)?;
        let mut wrong: Vec<&CaseReport> = cases.iter().collect();
        wrong.sort_by_key(|case| case.rank);
        findings.extend(wrong.into_iter().filter_map(CaseReport::finding));
    }
    if cases.iter().any(CaseReport::stops_games) {
        facts.push(("games", "none until the errors above are fixed".to_owned()));
    } else if trial.games != Some(0) {
        trial::bot(&tried, &other, &rules, &hooks, trial.games, findings, facts);
    }
    Ok(report)
}

type LoadedBot = (BotSpec, RuleSetup, Vec<String>, Vec<Finding>);

fn load_bot(library: &Library, spec: &str, ruleset: &str) -> Result<LoadedBot, LoadError> {
    let spec = BotSpec::parse(library, spec)?;
    let rules = MatchSpec::new(ruleset).rules(library, std::slice::from_ref(&spec))?;
    let players = rules.ruleset.manifest.players.1;
    let bound = rules.bind(players, &ScriptLimits::default())?;
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
