//! The board as described in the protocol.

use std::borrow::Cow;

use serde_json::{Value, json};

use risk_kernel::board::{Board, Datum};
use risk_kernel::id::{Group, Territory};

/// Converts a map to the arena's `board_graph.json`, with the bonus of each continent and the card
/// and borders of each country. Countries without a continent are grouped in one that has the map's
/// name and no bonus.
#[must_use]
pub fn board_graph(board: &Board) -> Value {
    let countries = |members: &[Territory]| {
        let entries = members.iter().map(|&at| {
            let mut entry = serde_json::Map::new();
            if let Some(Datum::Text(card)) = board.info(at).data.get("card") {
                entry.insert("card".to_owned(), card.as_str().into());
            }
            let borders = board
                .neighbours(at)
                .iter()
                .map(|&to| Value::from(country(board, to)));
            entry.insert("border countries".to_owned(), borders.collect());
            (country(board, at).into_owned(), Value::Object(entry))
        });
        Value::Object(entries.collect())
    };
    let continents = board
        .continents()
        .iter()
        .enumerate()
        .map(|(index, continent)| {
            let members = board.members(Group::from_index(index));
            (
                continent.id.replace('-', " "),
                json!({ "bonus": continent.bonus, "countries": countries(members) }),
            )
        });
    let mut graph: serde_json::Map<String, Value> = continents.collect();
    let loose: Vec<Territory> = board
        .territories()
        .filter(|&at| board.info(at).continent.is_none())
        .collect();
    if !loose.is_empty() {
        graph.insert(
            board.name().to_owned(),
            json!({ "bonus": 0, "countries": countries(&loose) }),
        );
    }
    Value::Object(graph)
}

/// Returns a territory's name in the protocol.
pub(super) fn country(board: &Board, at: Territory) -> Cow<'_, str> {
    let id = &board.info(at).id;
    if id.contains('-') {
        Cow::Owned(id.replace('-', " "))
    } else {
        Cow::Borrowed(id)
    }
}
