//! Conversion of territories to and from the protocol's locations and keys.

use serde_json::{Map, Value, json};

use crate::json;
use crate::quote::brief;
use risk_kernel::board::{Board, Datum};
use risk_kernel::id::Territory;

/// Returns the row and column of a territory on a grid.
fn square(board: &Board, at: Territory) -> Option<(i64, i64)> {
    let data = &board.info(at).data;
    match (data.get("row"), data.get("column")) {
        (Some(Datum::Number(row)), Some(Datum::Number(column))) => Some((*row, *column)),
        _ => None,
    }
}

/// Returns the location of a territory: its row and column on a grid, or its id on any other map.
pub(super) fn location(board: &Board, at: Territory) -> Value {
    match square(board, at) {
        Some((row, column)) => json!({ "row": row, "column": column }),
        None => json!(board.info(at).id),
    }
}

/// Describes one territory in the protocol's terms.
#[must_use]
pub fn cell(board: &Board, at: Territory, owner: Option<&str>, armies: i64) -> Value {
    let location = location(board, at);
    let named = location.is_string();
    let mut cell = json!({ "location": location, "ownerName": owner, "armies": armies });
    if named {
        let ids: Vec<&str> = board
            .neighbours(at)
            .iter()
            .map(|&next| board.info(next).id.as_str())
            .collect();
        cell["neighbours"] = json!(ids);
    }
    cell
}

/// Returns the value of the first key in `names`, or of one of its synonyms. Ignores case. Only
/// one of the keys may be present.
pub(super) fn field<'a>(
    object: &'a Map<String, Value>,
    names: &[&str],
) -> Result<Option<&'a Value>, String> {
    let mut found = object
        .iter()
        .filter(|(key, _)| names.iter().any(|name| key.eq_ignore_ascii_case(name)));
    match (found.next(), found.next()) {
        (None, _) => Ok(None),
        (Some((_, value)), None) => Ok(Some(value)),
        (Some((a, _)), Some((b, _))) => Err(format!(
            "duplicate key `{}`, same as `{}`",
            brief(b),
            brief(a)
        )),
    }
}

pub(super) fn territory(board: &Board, value: &Value) -> Result<Territory, String> {
    match value {
        Value::String(id) => board
            .find(id)
            .ok_or_else(|| format!("unknown territory `{}`", brief(id))),
        Value::Object(object) => {
            let whole_number = |name: &str| {
                let found = field(object, &[name])?;
                json::fitting(name, "an integer", found, json::whole_number)
            };
            let row = whole_number("row")?;
            let column = whole_number("column")?;
            let found = board
                .territories()
                .find(|&at| square(board, at) == Some((row, column)));
            found.ok_or_else(|| format!("no territory at row {row}, column {column}"))
        }
        other => {
            let expected = "a territory id, or an object with `row` and `column`";
            Err(json::unfit("location", expected, Some(other)))
        }
    }
}
