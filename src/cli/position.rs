//! Reads and writes positions from which games can start.

use risk_maps::files::{self, is_path};
use std::path::{Path, PathBuf};

use super::faults::rules_failed;
use super::{Error, recorded};
use risk_engine::record::{Record, hex};
use risk_engine::{MatchFault, Setup, Worker};
use risk_kernel::fault::RuleFault;
use risk_kernel::state::GameState;
use risk_lab::analysis::chances;
use risk_maps::position::{self, PositionFile};
use risk_text::diag::TextFile;

/// Reads a position from a file, or the position before a decision of a record: `game.jsonl@412`.
pub(super) fn named(spec: &str) -> Result<PositionFile, Error> {
    let path = Path::new(spec);
    let at = spec.rsplit_once('@').filter(|_| !path.exists());
    if let Some((record, number)) = at {
        let at = number.parse().ok().filter(|&at| at > 0).ok_or_else(|| {
            let text = format!("expected the number of a decision, found `{number}`");
            let help = "write game.jsonl@1, for example, for the position before decision 1";
            Error::input("cli::from", text, help)
        })?;
        return of_record(spec, Path::new(record), at);
    }
    let file = files::file(path, position::LARGEST)?;
    if recorded::is_record(&file.text) {
        let text = format!("expected a position, found a record: {}", file.name);
        let help = format!("write {spec}@N for the position before decision N");
        return Error::refuse("cli::from", text, help);
    }
    let mut found = position::read(&file)?;
    // Paths in a position are relative to its file. They must be inside the current folder, because
    // the file may come from someone else.
    let folder = path.parent().unwrap_or(Path::new(""));
    found.ruleset = reached(folder, &file, "ruleset", &found.ruleset)?;
    found.map = match &found.map {
        Some(map) => Some(reached(folder, &file, "map", map)?),
        None => None,
    };
    Ok(found)
}

fn reached(folder: &Path, file: &TextFile, what: &str, spec: &str) -> Result<String, Error> {
    let spec = files::from_folder(folder, spec);
    let bare = PathBuf::from(risk_maps::files::map_path(&spec));
    if is_path(&spec) && !files::is_below_here(&bare) {
        let text = format!(
            "{} uses the {what} {spec}, outside the current folder",
            file.name
        );
        let help = "run the program in a folder that contains both files";
        return Error::refuse("position::path", text, help);
    }
    Ok(spec)
}

/// Reads the position before a decision of a record.
fn of_record(spec: &str, path: &Path, at: u64) -> Result<PositionFile, Error> {
    let (file, record) = recorded::read_unquoted(path)?;
    let setup = recorded::setup(None, None, &file, &record.header)?;
    let text = before(&file, &record, &setup, at)?;
    Ok(position::read(&TextFile::new(spec, &text))?)
}

/// Returns the text of the position before a decision of a record.
pub(super) fn before(
    file: &TextFile,
    record: &Record,
    setup: &Setup,
    at: u64,
) -> Result<String, Error> {
    let mut worker = Worker::new(setup)?;
    let found = chances::positions(&mut worker, record, &[at - 1]);
    let found = found.map_err(|fault| match fault {
        MatchFault::Rules(number, fault) => failed(&fault, number, setup),
        MatchFault::Load(failure) => failure.into(),
        other => Error::input("cli::at", other.to_string(), "choose another decision"),
    })?;
    let Some(game) = found.first().filter(|game| game.answers() + 1 == at) else {
        return Err(none(record, found.first(), at));
    };
    let head = format!(
        "# {} on {}, before decision {at} of {}: digest {}.\n\
         # This file also contains the hidden information of the game.\n",
        setup.rules.ruleset_spec,
        setup.rules.map_spec,
        file.name,
        hex(game.digest())
    );
    let header = &record.header;
    let names: Vec<String> = header.players.iter().map(|it| it.name.clone()).collect();
    setup
        .position_text(game, &header.seed, header.game, &names, &head)
        .map_err(|text| {
            let help = "continue the game from its record: `play --resume`";
            Error::input("position::size", text, help)
        })
}

fn failed(fault: &RuleFault, number: u64, setup: &Setup) -> Error {
    rules_failed(fault, None, number, None, setup)
}

fn none(record: &Record, found: Option<&GameState>, at: u64) -> Error {
    let text = format!("no position before decision {at} in the record");
    let last = record.answers();
    let help = match found {
        Some(game) if game.answers() < last => format!(
            "several players decide at the same time: choose decision {}",
            game.answers() + 1
        ),
        _ => format!("choose a decision from 1 to {last}"),
    };
    Error::input("cli::at", text, help)
}
