//! Code shared by `bot check` and `ruleset check`.

mod opponents;

use crate::cli::library;
use risk_maps::files::{self, FileKind};
use std::collections::BTreeMap;

use clap::Args;
use serde_json::{Value, json};

use super::findings::{self, FindingsFormat};
use super::{CommandResult, Error, Exit, paint, print_findings, row, say, say_json};
use risk_lab::check::{CONFORMANCE, CaseVerdict, Report};
use risk_report::checks;
use risk_text::diag::{Finding, Level};
use risk_text::escape_control;
use risk_text::paint::pad;
use risk_text::plural::counted;

pub(super) use opponents::OpponentsArg;

#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// Names or paths of scripts, or folders with scripts
    #[arg(required = true)]
    files: Vec<String>,
    /// Number of trial games at the first table, or 0 for no trial (default: 100, or fewer if games
    /// are long; for rulesets, up to 400 if they are short)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=10_000))]
    games: Option<u64>,
    /// Output format
    #[arg(long, value_enum, default_value_t = FindingsFormat::Text)]
    format: FindingsFormat,
    /// Check again each time a script in the same folders is saved
    #[arg(long)]
    watch: bool,
}

/// Runs `check` with each file's name and the number of games.
pub(super) fn run(
    kind: FileKind,
    args: &CheckArgs,
    check: impl Fn(&str, Option<u64>) -> Report,
) -> CommandResult {
    if args.watch {
        return super::watch::run(&args.files, || once(kind, args, &check));
    }
    once(kind, args, &check)
}

fn once(
    kind: FileKind,
    args: &CheckArgs,
    check: &impl Fn(&str, Option<u64>) -> Report,
) -> CommandResult {
    let mut specs = Vec::new();
    for file in &args.files {
        specs.extend(files::inside(library(), kind, file)?);
    }
    let reports: Vec<Report> = specs.iter().map(|spec| check(spec, args.games)).collect();
    match args.format {
        FindingsFormat::Text => reports.iter().try_for_each(report_text)?,
        FindingsFormat::Json => {
            let reports: Vec<Value> = reports.iter().map(checks::report).collect();
            say_json(&json!({ "format": 1, "files": reports }))?;
        }
        FindingsFormat::Github | FindingsFormat::Sarif => {
            let all = reports.iter();
            let all = all.map(|report| (report.spec.as_str(), &report.findings[..]));
            findings::say_all(args.format, all)?;
        }
    }
    Ok(Exit::of(!reports.iter().any(Report::fails)))
}

fn report_text(report: &Report) -> Result<(), Error> {
    // Findings of conformance cases are printed below, with the cases that passed.
    let is_case = |finding: &&Finding| finding.code.starts_with(CONFORMANCE);
    let others: Vec<Finding> = report
        .findings
        .iter()
        .filter(|one| !is_case(one))
        .cloned()
        .collect();
    print_findings(&others);
    let errors = report
        .findings
        .iter()
        .filter(|finding| finding.level == Level::Deny)
        .count();
    let warnings = report.findings.len() - errors;
    let verdict = match (errors, warnings) {
        (0, 0) => "fine".to_owned(),
        (0, _) => format!("fine, with {}", counted(warnings, "warning")),
        (_, 0) => counted(errors, "error"),
        _ => format!(
            "{}, {}",
            counted(errors, "error"),
            counted(warnings, "warning")
        ),
    };
    say(&format!("{}: {verdict}", report.spec))?;
    let paint = paint(&std::io::stdout());
    for case in &report.cases {
        let text = match &case.verdict {
            CaseVerdict::Fine => "ok".to_owned(),
            CaseVerdict::Wrong { text, help } => format!("{text} → {help}"),
            CaseVerdict::Untried(_) => continue,
        };
        row(case.name, &escape_control(&text))?;
    }
    for (why, names) in untried(report) {
        row("not tried", &format!("{}: {why}", names.join(", ")))?;
    }
    for (name, value) in &report.facts {
        say(&format!("  {}  {value}", paint.dim(&pad(name, 19))))?;
    }
    if let Some(found) = &report.opponents {
        opponents::print(found)?;
    }
    let wrong = report.findings.iter().filter(is_case);
    let wrong: Vec<&str> = wrong
        .filter_map(|finding| finding.text.split(':').next())
        .collect();
    if wrong.len() > 1 {
        row("fix first", &wrong.join(", then "))?;
    }
    Ok(())
}

/// Groups the untried cases by reason.
fn untried(report: &Report) -> BTreeMap<&str, Vec<&str>> {
    let mut untried: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for case in &report.cases {
        if let CaseVerdict::Untried(why) = case.verdict {
            untried.entry(why).or_default().push(case.name);
        }
    }
    untried
}
