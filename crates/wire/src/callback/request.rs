//! Questions from an arena to a bot, in either dialect.

use serde_json::{Map, Value};

use super::dialect::Dialect;
use super::place::{field, territory};
use crate::json;
use crate::quote::brief;
use risk_kernel::board::Board;
use risk_kernel::id::Territory;

/// The maximum number of armies that an arena may report for one territory.
const MOST_ARMIES: i64 = 1_000_000;
/// The likely reason for a board that does not match the map.
const OTHER_MAP: &str = "the arena plays on another map";

/// The kind of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// Places an army.
    Place,
    /// Attacks a neighbour or passes.
    Attack,
    /// Continues an attack or ends it.
    GoOn,
}

impl RequestKind {
    /// Returns the decision for a path, and the dialect if the path exists in only one dialect.
    #[must_use]
    pub fn from_path(path: &str) -> Option<(Self, Option<Dialect>)> {
        Some(match path {
            "placeArmy" => (Self::Place, Some(Dialect::Seed)),
            "deployArmy" => (Self::Place, Some(Dialect::Snow)),
            "beginAttack" => (Self::Attack, None),
            "continueAttack" => (Self::GoOn, Some(Dialect::Seed)),
            "continueAttacking" => (Self::GoOn, Some(Dialect::Snow)),
            _ => return None,
        })
    }
}

/// A territory, as described by an arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The owner's name, or `None` if the territory is free.
    pub(super) owner: Option<String>,
    pub(super) armies: i64,
}

/// A parsed request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRequest {
    pub(super) decision: RequestKind,
    pub(super) dialect: Dialect,
    /// The cells of the board, one per territory.
    pub(super) cells: Vec<Cell>,
    /// The number of armies left to place.
    pub(super) remaining: i64,
    /// The territories of the attack that may continue, if known: source and target.
    pub(super) fight: Option<(Territory, Territory)>,
}

impl DecisionRequest {
    /// Parses a request for a decision.
    ///
    /// # Errors
    /// Returns an error if the request is invalid.
    pub(super) fn parse(
        board: &Board,
        decision: RequestKind,
        dialect: Option<Dialect>,
        body: &str,
    ) -> Result<Self, String> {
        let object = match json::parse_unique_keys(body, "request")? {
            Value::Object(object) => object,
            other => return Err(json::no_object(&other)),
        };
        let dialect = match dialect {
            Some(dialect) => dialect,
            // Both dialects have this path, but only `snow` sends a numeric status.
            None if field(&object, &["status"])?.is_some_and(Value::is_number) => Dialect::Snow,
            None => Dialect::Seed,
        };
        let cells = cells(board, &object)?;
        let remaining = match decision {
            RequestKind::Place => armies(field(&object, &["armiesRemaining"])?, "armiesRemaining")?,
            RequestKind::Attack | RequestKind::GoOn => 0,
        };
        let fight = match (decision, dialect) {
            (RequestKind::GoOn, Dialect::Snow) => Some((
                side(board, &object, "attackingTerritorry")?,
                side(board, &object, "defendingTerritorry")?,
            )),
            _ => None,
        };
        Ok(Self {
            decision,
            dialect,
            cells,
            remaining,
            fight,
        })
    }
}

fn armies(value: Option<&Value>, key: &str) -> Result<i64, String> {
    value
        .and_then(json::whole_number)
        .filter(|number| (0..=MOST_ARMIES).contains(number))
        .ok_or_else(|| {
            let expected = format!("an integer from 0 to {MOST_ARMIES}");
            json::unfit(key, &expected, value)
        })
}

fn side(board: &Board, object: &Map<String, Value>, key: &str) -> Result<Territory, String> {
    let side = field(object, &[key])?.and_then(Value::as_object);
    let place = side
        .map(|side| field(side, &["location"]))
        .transpose()?
        .flatten()
        .ok_or_else(|| format!("missing `location` in `{key}`"))?;
    territory(board, place)
}

fn cells(board: &Board, object: &Map<String, Value>) -> Result<Vec<Cell>, String> {
    let listed = match field(object, &["board"])? {
        Some(Value::Array(listed)) => listed,
        other => return Err(json::unfit("board", "a list", other)),
    };
    let mut cells: Vec<Option<Cell>> = vec![None; board.len()];
    for cell in listed {
        let Value::Object(cell) = cell else {
            return Err(json::unfit("board", "a list of objects", Some(cell)));
        };
        let place = field(cell, &["location"])?.ok_or("missing `location` in a cell of `board`")?;
        let at = territory(board, place).map_err(|text| format!("{text}: {OTHER_MAP}"))?;
        let owner = match field(cell, &["ownerName"])? {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => Some(name.clone()).filter(|name| !name.is_empty()),
            other => return Err(json::unfit("ownerName", "a string or null", other)),
        };
        let armies = armies(field(cell, &["armies"])?, "armies")?;
        if cells[at.index()].replace(Cell { owner, armies }).is_some() {
            let place = brief(&place.to_string());
            return Err(format!("duplicate cell `{place}` in `board`"));
        }
    }
    let count = cells.iter().flatten().count();
    let all: Option<Vec<Cell>> = cells.into_iter().collect();
    let wanted = board.len();
    all.ok_or_else(|| format!("expected {wanted} cells in `board`, found {count}: {OTHER_MAP}"))
}
