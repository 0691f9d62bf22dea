//! The results of checks as JSON: `--format json` of `bot check`, `ruleset check` and
//! `map validate`.

use serde_json::{Map, Value, json};

use risk_lab::check::{CaseReport, CaseVerdict, OpponentResult, Opponents, Report};
use risk_maps::map::{CheckedMap, Form};
use risk_text::diag::{Finding, Level, LineCounter, Span};

/// Returns the word for the level of a finding: `error` or `warning`.
#[must_use]
pub const fn level(finding: &Finding) -> &'static str {
    match finding.level {
        Level::Deny => "error",
        _ => "warning",
    }
}

/// The range of a finding: lines and columns, counted from 1. Columns count characters, and the end
/// column is the one after the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingRange {
    /// The line of the first character.
    pub line: usize,
    /// The column of the first character.
    pub column: usize,
    /// The line of the last character.
    pub end_line: usize,
    /// The column after the last character.
    pub end_column: usize,
}

impl FindingRange {
    /// Returns the range of a place. Places in the same file should share a counter, so that the
    /// file is read only once.
    #[must_use]
    pub fn new<'a>(place: &'a Span, counter: &mut LineCounter<'a>) -> Self {
        let (line, column) = counter.line_column(place);
        let end = place.start + place.len;
        let here = place.file.text.get(place.start..end).unwrap_or_default();
        let last = here.rsplit('\n').next().unwrap_or_default();
        let breaks = here.matches('\n').count();
        let before = if breaks == 0 { column } else { 1 };
        Self {
            line,
            column,
            end_line: line + breaks,
            end_column: before + last.chars().count(),
        }
    }
}

/// Returns findings with their places.
#[must_use]
pub fn findings(findings: &[Finding]) -> Vec<Value> {
    let mut counter = LineCounter::default();
    findings
        .iter()
        .map(|finding| one(finding, &mut counter))
        .collect()
}

fn one<'a>(finding: &'a Finding, counter: &mut LineCounter<'a>) -> Value {
    let mut value = json!({ "code": finding.code, "level": level(finding), "text": finding.text, "help": finding.help });
    if let Some(place) = &finding.place {
        let region = FindingRange::new(place, counter);
        let length = place
            .file
            .text
            .get(place.start..place.start + place.len)
            .map_or(0, |text| text.chars().count());
        value["place"] = json!({
            "file": &*place.file.name,
            "line": region.line,
            "column": region.column,
            "end_line": region.end_line,
            "end_column": region.end_column,
            "length": length,
        });
    }
    value
}

/// Returns the result of `bot check` or `ruleset check` for one file.
#[must_use]
pub fn report(report: &Report) -> Value {
    let facts: Map<String, Value> = report
        .facts
        .iter()
        .map(|(name, value)| (name.replace(' ', "_"), json!(value)))
        .collect();
    let mut value = json!({
        "file": report.spec,
        "fine": !report.fails(),
        "findings": findings(&report.findings),
        "cases": report.cases.iter().map(case).collect::<Vec<_>>(),
        "trial": facts,
    });
    if let Some(found) = &report.opponents {
        value["bots"] = opponents(found);
    }
    value
}

fn case(case: &CaseReport) -> Value {
    match &case.verdict {
        CaseVerdict::Fine => json!({ "name": case.name, "verdict": "ok" }),
        CaseVerdict::Wrong { text, help } => {
            json!({ "name": case.name, "verdict": "wrong", "text": text, "help": help })
        }
        CaseVerdict::Untried(why) => {
            json!({ "name": case.name, "verdict": "untried", "text": why })
        }
    }
}

fn opponents(found: &Opponents) -> Value {
    let result = |result: &OpponentResult| {
        json!({
            "bot": result.bot,
            "games": result.games,
            "wins": result.wins,
            "duels_with_random": result.duels.0,
            "duels_won": result.duels.1,
            "beats_random": result.beats_random(),
        })
    };
    json!({
        "games": found.games,
        "players": found.players,
        "results": found.results.iter().map(result).collect::<Vec<_>>(),
        "best": found.best().map(|best| &best.bot),
    })
}

/// Returns the result of `map validate` for one map.
#[must_use]
pub fn map(spec: &str, checked: &CheckedMap) -> Value {
    let counts = checked.board.as_ref().map(|board| {
        let territories = board.len();
        let continents = board.continents().len();
        let groups = board.groups().len() - continents;
        let borders = board.border_count();
        json!({
            "territories": territories,
            "borders": borders,
            "continents": continents,
            "groups": groups,
        })
    });
    json!({
        "file": spec,
        "form": checked.form.map(Form::as_str),
        "valid": checked.board.is_some(),
        "counts": counts,
        "findings": findings(&checked.findings),
    })
}
