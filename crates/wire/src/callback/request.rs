//! An arena's questions to a bot, in either dialect.

use serde_json::{Map, Value};

use super::dialect::Dialect;
use super::place::{field, territory};
use crate::json;
use risk_kernel::board::Board;
use risk_kernel::id::Territory;

/// Most armies that an arena may report in one place.
const MOST_ARMIES: i64 = 1_000_000;

/// The kind of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionKind {
    /// Placing an army.
    Place,
    /// Attacking a neighbour, or passing.
    Attack,
    /// Continuing an attack, or ending it.
    GoOn,
}

impl DecisionKind {
    /// Returns the decision of a path, and the dialect if only one has that path.
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

/// A territory, as an arena describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The owner's name; `None` if the territory is free.
    pub(super) owner: Option<String>,
    pub(super) armies: i64,
}

/// A parsed request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub(super) decision: DecisionKind,
    pub(super) dialect: Dialect,
    /// One cell for each territory of the board.
    pub(super) cells: Vec<Cell>,
    /// Armies that are still to be placed.
    pub(super) remaining: i64,
    /// The attack that may go on, if known: from and to.
    pub(super) fight: Option<(Territory, Territory)>,
}

impl Request {
    /// Parses a request about a decision.
    ///
    /// # Errors
    /// When the request is invalid.
    pub(super) fn parse(
        board: &Board,
        decision: DecisionKind,
        dialect: Option<Dialect>,
        body: &str,
    ) -> Result<Self, String> {
        let Value::Object(object) = json::parse_unique_keys(body, "request")? else {
            return Err("the request is not a JSON object".to_owned());
        };
        let dialect = match dialect {
            Some(dialect) => dialect,
            // Both dialects have this path; only snow sends a number.
            None if field(&object, &["status"])?.is_some_and(Value::is_number) => Dialect::Snow,
            None => Dialect::Seed,
        };
        let cells = cells(board, &object)?;
        let remaining = match decision {
            DecisionKind::Place => {
                armies(field(&object, &["armiesRemaining"])?, "armiesRemaining")?
            }
            DecisionKind::Attack | DecisionKind::GoOn => 0,
        };
        let fight = match (decision, dialect) {
            (DecisionKind::GoOn, Dialect::Snow) => Some((
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
        .ok_or_else(|| format!("`{key}` is not a whole number from 0 to {MOST_ARMIES}"))
}

fn side(board: &Board, object: &Map<String, Value>, key: &str) -> Result<Territory, String> {
    let side = field(object, &[key])?.and_then(Value::as_object);
    let place = side
        .map(|side| field(side, &["location"]))
        .transpose()?
        .flatten()
        .ok_or_else(|| format!("the request has no `{key}` with a `location`"))?;
    territory(board, place)
}

fn cells(board: &Board, object: &Map<String, Value>) -> Result<Vec<Cell>, String> {
    let Some(Value::Array(listed)) = field(object, &["board"])? else {
        return Err("the request has no list `board`".to_owned());
    };
    let mut cells: Vec<Option<Cell>> = vec![None; board.len()];
    for cell in listed {
        let Value::Object(cell) = cell else {
            return Err("a cell of the board is not an object".to_owned());
        };
        let place = field(cell, &["location"])?.ok_or("a cell of the board has no `location`")?;
        let at = territory(board, place).map_err(|text| format!("{text}: is it another map?"))?;
        let owner = match field(cell, &["ownerName"])? {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => Some(name.clone()).filter(|name| !name.is_empty()),
            Some(_) => return Err("an `ownerName` is neither a text nor null".to_owned()),
        };
        let armies = armies(field(cell, &["armies"])?, "armies")?;
        if cells[at.index()].replace(Cell { owner, armies }).is_some() {
            return Err("a cell of the board is given twice".to_owned());
        }
    }
    let count = cells.iter().flatten().count();
    let all: Option<Vec<Cell>> = cells.into_iter().collect();
    all.ok_or_else(|| format!("the board has {count} cells, and the map {}", board.len()))
}
