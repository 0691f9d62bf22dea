//! Reads records and their set-ups, and reports damaged records.

use crate::cli::library;
use risk_maps::files;
use risk_maps::zipped::on_disk;
use std::path::Path;

use super::{CommandResult, Error, Exit, print_findings};
use risk_engine::record::{self, Header, Mismatch, Playback, Record, RecordError, SetupError};
use risk_engine::{RuleSetup, Setup};
use risk_text::diag::{Finding, Level, TextFile};
use risk_text::escape_control;
use risk_text::plural::counted;

/// The maximum size of a record, in bytes: the writer's limit, plus the line that exceeds it.
const LARGEST: u64 = record::MOST_BYTES + (1 << 20);

/// Reads a record. Damage after its header is in [`Record::broken`].
pub(super) fn read(path: &Path) -> Result<(TextFile, Record), Error> {
    parsed(files::file(path, LARGEST)?)
}

/// Reads a record. Errors don't quote a file that is not a record, because a test file from someone
/// else may name any file on this machine.
pub(super) fn read_unquoted(path: &Path) -> Result<(TextFile, Record), Error> {
    let file = files::file(path, LARGEST)?;
    if !is_record(&file.text) {
        let text = format!("{} is not a record of a game", file.name);
        let help = "write one with `risk-cli play --record game.jsonl`";
        return Error::refuse("record::damaged", text, help);
    }
    parsed(file)
}

/// Reports whether a text begins like a record.
pub(super) fn is_record(text: &str) -> bool {
    text.starts_with("{\"record\"")
}

fn parsed(file: TextFile) -> Result<(TextFile, Record), Error> {
    let record = record::read(&file.text).map_err(|broken| damage(&file, &broken))?;
    Ok((file, record))
}

fn damage(file: &TextFile, broken: &RecordError) -> Finding {
    let start: usize = file
        .text
        .split_inclusive('\n')
        .take(broken.line.saturating_sub(1))
        .map(str::len)
        .sum();
    let len = file.text[start.min(file.text.len())..]
        .lines()
        .next()
        .map_or(0, |line| line.len().min(60));
    let len = (0..=len)
        .rev()
        .find(|&len| file.text.is_char_boundary(start.min(file.text.len()) + len))
        .unwrap_or(0);
    let finding = Finding::error("record::damaged", broken.text.clone());
    if file.text.is_empty() {
        finding
    } else {
        finding.at(file, start.min(file.text.len()), len)
    }
}

/// Returns the ruleset or map that a record names. The record may come from someone else, and
/// errors quote the lines of a file, so only files in the current folder, or else in the record's
/// folder, are allowed.
pub(super) fn named(file: &TextFile, what: &str, spec: &str) -> Result<String, Error> {
    if !is_outside(spec) {
        return Ok(beside(file, spec).unwrap_or_else(|| spec.to_owned()));
    }
    let spec = escape_control(spec);
    let text = format!(
        "the {what} {spec} of {} is outside the current folder",
        file.name
    );
    Error::refuse(
        "record::path",
        text,
        format!("use `--{what} {spec}` to allow that file"),
    )
}

/// Returns the file with a relative path in the record's folder, if the current folder lacks it.
fn beside(file: &TextFile, spec: &str) -> Option<String> {
    let path = on_disk(Path::new(files::map_path(spec)));
    if !files::is_path(spec) || path.is_absolute() || path.exists() {
        return None;
    }
    let folder = Path::new(&*file.name).parent()?;
    let found = files::from_folder(folder, spec);
    let real = on_disk(Path::new(files::map_path(&found)));
    (real.exists() && files::is_below(real, folder)).then_some(found)
}

/// Reports whether a ruleset, map or script is a file outside the current folder, or a pipe.
pub(super) fn is_outside(spec: &str) -> bool {
    let path = risk_maps::files::map_path(spec);
    risk_maps::files::is_piped(path)
        || files::is_path(path) && !files::is_below_here(Path::new(path))
}

/// Loads the set-up of a record, with the given ruleset and map or the ones named in the record.
/// Their hashes must match the record.
pub(super) fn setup(
    ruleset: Option<&str>,
    map: Option<&str>,
    file: &TextFile,
    header: &Header,
) -> Result<Setup, Error> {
    let chosen = |given: Option<&str>, what, spec| {
        given.map_or_else(|| named(file, what, spec), |given| Ok(given.to_owned()))
    };
    let ruleset_spec = chosen(ruleset, "ruleset", &header.ruleset)?;
    let map_spec = chosen(map, "map", &header.map)?;
    let rules = RuleSetup::load(library(), &ruleset_spec, Some(&map_spec), &[])?;
    let differs = |what: &str, spec: &str| {
        let text = format!(
            "the {what} {spec} differs from the {what} of {}: its hash is different",
            file.name
        );
        Error::input(
            "record::differs",
            text,
            format!(
                "a game is resumed with the {what} that it began with; \
                 `replay --{what}` takes the recorded one from a file"
            ),
        )
    };
    header.setup(rules).map_err(|unfit| match unfit {
        SetupError::Ruleset => differs("ruleset", &ruleset_spec),
        SetupError::Map => differs("map", &map_spec),
        SetupError::Header(text) => Error::input(
            "record::damaged",
            text,
            "restore the header: it doesn't match its ruleset",
        ),
    })
}

/// Describes where the replay differs from its record.
pub(super) fn mismatch(file: &TextFile, mismatch: Mismatch) -> Finding {
    let mut finding = damage(
        file,
        &RecordError {
            line: mismatch.line,
            text: mismatch.text,
        },
    );
    finding.code = "record::mismatch".to_owned();
    finding.help("restore the record, or replay it with the version of risk-cli that wrote it")
}

pub(super) fn rest(file: &TextFile, record: &Record) -> Finding {
    let broken = record.broken.clone().unwrap_or(RecordError {
        line: 1,
        text: "the record is incomplete".to_owned(),
    });
    let help = format!(
        "the record is valid up to this line, with {}",
        counted(record.answers(), "decision")
    );
    damage(file, &broken).level(Level::Warn).help(help)
}

/// Checks that a replay reached the end of the game, and reports why if it did not.
pub(super) fn whole(file: &TextFile, record: &Record, playback: &Playback) -> CommandResult {
    if let Some(found) = playback.mismatch() {
        print_findings(&[mismatch(file, found)]);
        return Ok(Exit::No);
    }
    if record.is_whole() {
        return Ok(Exit::Fine);
    }
    print_findings(&[rest(file, record)]);
    Ok(Exit::No)
}
