//! Position files, which describe a game in progress in YAML that people can read and edit.
//!
//! A file is read in two steps. The first step reads its ruleset, map and players. The second step
//! reads the rest, after the ruleset and the map have been loaded and their names are known.

mod bind;
mod reading;
mod write;

use std::path::Path;

use super::nodes::{self, Node, NodeReader};
use super::yaml_reader::YamlKind;
use crate::seed::Seed;
use reading::PositionReader;
use risk_kernel::id::MAX_PLAYERS;
use risk_text::diag::{Finding, LoadError, TextFile};
pub use write::{Origin, write};

/// The size limit of a file, in bytes. A position must fit into one line of a record.
pub const LARGEST: u64 = 400 << 10;

const MOST_VALUES: usize = 100_000;

/// The version of the format that this program reads and writes.
const FORMAT: i64 = 1;

const KEYS: [&str; 20] = [
    "position",
    "ruleset",
    "map",
    "options",
    "seed",
    "game",
    "drawn",
    "round",
    "turn",
    "turn_of",
    "decisions",
    "fight_rounds",
    "players",
    "out",
    "nobody",
    "table",
    "closed",
    "marks",
    "orders",
    "phases",
];

/// A position before its ruleset and map are loaded.
#[derive(Clone, Debug)]
pub struct PositionFile {
    /// The file's name and text, for later findings.
    pub file: TextFile,
    root: Node,
    /// The ruleset: a name or a path.
    pub ruleset: String,
    /// The map: a name or a path; `None` for the ruleset's own map.
    pub map: Option<String>,
    /// Options of the ruleset. All other options have their defaults.
    pub options: Vec<(String, String)>,
    /// The seed of the game's dice and cards.
    pub seed: Seed,
    /// The number of the game in its match, from 0.
    pub game: u64,
    /// The names of the players, by seat.
    pub names: Vec<String>,
}

/// Reads a position file.
///
/// # Errors
/// Returns an error if the file can't be read, or the list of all problems with its keys.
pub fn file(path: &Path) -> Result<PositionFile, LoadError> {
    read(&crate::files::file(path, LARGEST)?)
}

/// Reads a position from the text of a file.
///
/// # Errors
/// Returns all problems in the parts that need no ruleset or map.
pub fn read(file: &TextFile) -> Result<PositionFile, LoadError> {
    if !is_position(&file.text) {
        return Err(no_position(file));
    }
    let kind = YamlKind {
        name: "a position",
        code: "position::syntax",
        most: MOST_VALUES,
    };
    let root = nodes::parse(file, kind).map_err(LoadError::one)?;
    let Some(form) = root.get("position") else {
        return Err(no_position(file));
    };
    let mut reading = PositionReader::new(file);
    reading.entries(&root, "a position", &KEYS);
    reading.number(form, "`position`", FORMAT, FORMAT);
    let ruleset = match root.get("ruleset") {
        Some(node) => reading.text(node, "`ruleset`").unwrap_or_default(),
        None => {
            let help = "add `ruleset: hasbro`, for example";
            reading.wrong(&root, "missing key `ruleset`", help);
            String::new()
        }
    };
    let map = root.get("map").and_then(|node| reading.text(node, "`map`"));
    let options = root
        .get("options")
        .map_or_else(Vec::new, |node| reading.options(node));
    let seed = root
        .get("seed")
        .map_or_else(|| Seed::from(0), |node| reading.seed(node));
    let game = root
        .get("game")
        .map_or(0, |node| reading.large(node, "`game`"));
    let names = match root.get("players") {
        Some(node) => names(&mut reading, node),
        None => {
            let help = "add `players:` with a list, for example `- name: alice`";
            reading.wrong(&root, "missing key `players`", help);
            Vec::new()
        }
    };
    reading.finish()?;
    Ok(PositionFile {
        file: file.clone(),
        root,
        ruleset,
        map,
        options,
        seed,
        game,
        names,
    })
}

/// Reports whether the text looks like a position. A line must begin with the first key of the
/// format, or with that key after `{`, as in JSON.
fn is_position(text: &str) -> bool {
    let is_json = text.trim_start().starts_with('{');
    let begins = |line: &str| {
        let line = if is_json {
            line.trim_start_matches(['{', ' ', '\t'])
        } else {
            line
        };
        let line = line.trim_start_matches(['"', '\'']);
        let rest = line.strip_prefix("position").unwrap_or_default();
        rest.trim_start_matches(['"', '\'', ' ']).starts_with(':')
    };
    text.lines().any(begins)
}

/// Returns the error for a file that is not a position. The error does not quote the file, because
/// a test file from another person may name any file on this machine.
fn no_position(file: &TextFile) -> LoadError {
    let text = format!("{} is not a position: missing key `position`", file.name);
    let help = "add `position: 1` as the first line";
    LoadError::new("position::value", text, help)
}

/// Returns the JSON Schema of position files. Both the schema and the reader are handwritten.
#[must_use]
pub fn schema() -> serde_json::Value {
    serde_json::from_str(include_str!("position/schema.json")).expect("the schema is valid JSON")
}

fn names(reading: &mut PositionReader<'_>, node: &Node) -> Vec<String> {
    let list = reading.list(node, "`players`");
    if list.is_empty() || list.len() > MAX_PLAYERS {
        let text = format!("expected 1 to {MAX_PLAYERS} players, found {}", list.len());
        reading.wrong(node, text, "list the players in seat order");
        return Vec::new();
    }
    let mut names: Vec<String> = Vec::new();
    for (seat, player) in list.iter().enumerate() {
        reading.entries(player, "a player", &bind::PLAYER_KEYS);
        let name = match player.get("name") {
            Some(node) => reading.text(node, "`name`"),
            None => Some(format!("player-{}", seat + 1)),
        };
        let name = name.unwrap_or_default();
        if names.contains(&name) {
            let text = format!("duplicate player name {name}");
            reading.wrong(player, text, "give each player a different name");
        }
        names.push(name);
    }
    names
}

fn failure(findings: Vec<Finding>) -> LoadError {
    LoadError { findings }
}
