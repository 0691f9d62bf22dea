//! Findings for programs: as JSON, as notes on the lines of a pull request, as SARIF for editors.

use clap::ValueEnum;
use serde_json::{Value, json};

use super::{Error, say, say_json};
use crate::load::diag::{Finding, Level, LineCounter, Span};

/// How checks tell what they found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FindingsFormat {
    /// Text for people
    Text,
    /// One JSON document
    Json,
    /// Commands of GitHub's workflows: notes on the lines of a change
    Github,
    /// SARIF 2.1.0, which editors and code scanning read
    Sarif,
}

/// Findings of several files, in a format that knows nothing but findings.
pub(super) fn say_all(format: FindingsFormat, files: &[(&str, &[Finding])]) -> Result<(), Error> {
    if format == FindingsFormat::Sarif {
        return say_json(&sarif(files));
    }
    let lines: Vec<String> = files
        .iter()
        .flat_map(|(file, findings)| findings.iter().map(|finding| github(file, finding)))
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    say(&lines.join("\n"))
}

const fn level(finding: &Finding) -> &'static str {
    match finding.level {
        Level::Deny => "error",
        _ => "warning",
    }
}

/// Where a finding begins and ends: lines, and columns in characters, from 1; the end is behind the
/// last character.
struct Region {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl Region {
    fn of(place: &Span) -> Self {
        let mut counter = LineCounter::default();
        let (line, column) = counter.line_column(place);
        let end = Span {
            file: place.file.clone(),
            start: place.start + place.len,
            len: 0,
        };
        let (end_line, end_column) = end.line_column();
        Self {
            line,
            column,
            end_line,
            end_column,
        }
    }
}

/// The text and what to do.
fn message(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\n{help}", finding.text),
        None => finding.text.clone(),
    }
}

fn github(file: &str, finding: &Finding) -> String {
    // As the workflow commands have it: what ends a property or a line is written in percent.
    let data = |text: &str| {
        text.replace('%', "%25")
            .replace('\r', "%0D")
            .replace('\n', "%0A")
    };
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let place = finding.place.as_ref().map_or_else(
        || format!("file={}", property(file)),
        |place| {
            let region = Region::of(place);
            format!(
                "file={},line={},col={},endLine={},endColumn={}",
                property(&place.file.name),
                region.line,
                region.column,
                region.end_line,
                region.end_column
            )
        },
    );
    let title = property(&finding.code);
    format!(
        "::{} {place},title={title}::{}",
        level(finding),
        data(&message(finding))
    )
}

fn sarif(files: &[(&str, &[Finding])]) -> Value {
    let mut rules: Vec<&str> = Vec::new();
    let mut results = Vec::new();
    for (file, findings) in files {
        for finding in *findings {
            let known = rules.iter().position(|rule| *rule == finding.code);
            let rule = known.unwrap_or_else(|| {
                rules.push(&finding.code);
                rules.len() - 1
            });
            results.push(json!({
                "ruleId": finding.code,
                "ruleIndex": rule,
                "level": level(finding),
                "message": { "text": message(finding) },
                "locations": [{ "physicalLocation": location(file, finding) }],
            }));
        }
    }
    let rules: Vec<Value> = rules.iter().map(|rule| json!({ "id": rule })).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn location(file: &str, finding: &Finding) -> Value {
    let name = (finding.place.as_ref()).map_or(file, |place| &*place.file.name);
    let mut location = json!({ "artifactLocation": { "uri": uri(name) } });
    if let Some(place) = &finding.place {
        let region = Region::of(place);
        location["region"] = json!({
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
        });
    }
    location
}

/// A path as a reference: what is no letter of an address is written in percent.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

pub(super) fn findings_json(findings: &[Finding]) -> Vec<Value> {
    let mut counter = LineCounter::default();
    findings
        .iter()
        .map(|finding| finding_json(finding, &mut counter))
        .collect()
}

fn finding_json<'a>(finding: &'a Finding, counter: &mut LineCounter<'a>) -> Value {
    let level = if finding.level == Level::Deny {
        "error"
    } else {
        "warning"
    };
    let mut value =
        json!({ "code": finding.code, "level": level, "text": finding.text, "help": finding.help });
    if let Some(place) = &finding.place {
        let (line, column) = counter.line_column(place);
        let length = place
            .file
            .text
            .get(place.start..place.start + place.len)
            .map_or(0, |text| text.chars().count());
        value["place"] =
            json!({ "file": &*place.file.name, "line": line, "column": column, "length": length });
    }
    value
}
