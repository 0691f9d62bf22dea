//! Findings for other programs: JSON, annotations of a pull request, and SARIF for editors.

use clap::ValueEnum;
use risk_maps::files;
use serde_json::{Value, json};

use super::{Error, say, say_json};
use risk_report::checks::{FindingRange, level};
use risk_text::diag::{Finding, LineCounter};
use risk_text::uri;

/// The output format of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FindingsFormat {
    /// Human-readable text
    Text,
    /// One JSON document
    Json,
    /// GitHub workflow commands, shown as annotations on the lines of a pull request
    Github,
    /// SARIF 2.1.0 for editors and code scanning
    Sarif,
}

/// Prints the findings of several files, in a format that contains only findings.
pub(super) fn say_all<'a>(
    format: FindingsFormat,
    files: impl Iterator<Item = (&'a str, &'a [Finding])>,
) -> Result<(), Error> {
    if format == FindingsFormat::Sarif {
        return say_json(&sarif(files));
    }
    let lines: Vec<String> = files
        .flat_map(|(file, findings)| findings.iter().map(move |finding| github(file, finding)))
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    say(&lines.join("\n"))
}

/// Returns the file of a finding; `None` for programs, addresses and names.
fn path<'a>(spec: &'a str, finding: &'a Finding) -> Option<&'a str> {
    let name = finding.place.as_ref().map_or(spec, |it| &*it.file.name);
    let is_bot = name.starts_with("cmd:") || name.contains("://") || name.contains('=');
    (files::is_path(name) && (finding.place.is_some() || !is_bot)).then_some(name)
}

fn message(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\n{help}", finding.text),
        None => finding.text.clone(),
    }
}

fn github(file: &str, finding: &Finding) -> String {
    // GitHub's workflow commands percent-encode the characters that end a property or a line.
    let data = |text: &str| {
        text.replace('%', "%25")
            .replace('\r', "%0D")
            .replace('\n', "%0A")
    };
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut properties = Vec::new();
    let path = path(file, finding);
    if let Some(path) = path {
        let path = path.strip_prefix("./").unwrap_or(path);
        properties.push(format!("file={}", property(path)));
        if let Some(place) = &finding.place {
            let region = FindingRange::new(place, &mut LineCounter::default());
            properties.push(format!("line={},endLine={}", region.line, region.end_line));
            // Columns are only valid within a single line.
            if region.line == region.end_line {
                let (begin, end) = (region.column, region.end_column);
                properties.push(format!("col={begin},endColumn={end}"));
            }
        }
    }
    properties.push(format!("title={}", property(&finding.code)));
    let mut message = message(finding);
    if path.is_none() {
        message = format!("{file}: {message}");
    }
    format!(
        "::{} {}::{}",
        level(finding),
        properties.join(","),
        data(&message)
    )
}

fn sarif<'a>(files: impl Iterator<Item = (&'a str, &'a [Finding])>) -> Value {
    let mut rules: Vec<&str> = Vec::new();
    let mut results = Vec::new();
    for (file, findings) in files {
        for finding in findings {
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
                "locations": [location(file, finding)],
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
                "version": risk_engine::VERSION,
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn location(file: &str, finding: &Finding) -> Value {
    let Some(path) = path(file, finding) else {
        return json!({ "logicalLocations": [{ "name": file }] });
    };
    let mut location =
        json!({ "artifactLocation": { "uri": uri::reference(path, cfg!(windows)) } });
    if let Some(place) = &finding.place {
        let region = FindingRange::new(place, &mut LineCounter::default());
        location["region"] = json!({
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
        });
    }
    json!({ "physicalLocation": location })
}
