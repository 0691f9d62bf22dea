//! Events in the format of the protocol.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use super::offers::Lexicon;
use risk_kernel::event::Event;
use risk_kernel::event::table::{EVENTS, EventKind, FieldKind, FieldValue};
use risk_kernel::id::Card;

/// An event. Players are numbers, and all other values are words. `null` means no player, the
/// table, or a hidden value.
#[derive(Debug)]
pub(super) struct EventOut {
    kind: &'static EventKind,
    values: Vec<Value>,
}

impl Lexicon<'_> {
    /// Converts an event that the player may see.
    pub(super) fn event(self, event: &Event) -> EventOut {
        let (kind, values) = event.fields();
        EventOut {
            kind,
            values: values.into_iter().map(|value| self.field(value)).collect(),
        }
    }

    fn field(self, value: FieldValue<'_>) -> Value {
        let card = |card: Card| &*self.decl.cards[card.index()].name;
        match value {
            FieldValue::Player(player) => player.map(|player| player.0).into(),
            FieldValue::Territory(at) => (&*self.board.info(at).id).into(),
            FieldValue::Unit(unit) => (&*self.decl.units[unit.index()]).into(),
            FieldValue::Phase(phase) => (&*self.decl.phases[phase.index()].name).into(),
            FieldValue::Counter(counter) => (&*self.decl.counters[counter.index()].name).into(),
            FieldValue::Mark(mark) => (&*self.decl.marks[mark.index()].name).into(),
            FieldValue::Pile(pile) => (&*self.decl.piles[pile.index()].name).into(),
            FieldValue::Card(hidden) => hidden.map(card).into(),
            FieldValue::Cards(cards) => match cards {
                None => Value::Null,
                Some(cards) => cards.iter().map(|&one| card(one)).collect(),
            },
            FieldValue::Number(number) => number.into(),
            FieldValue::Flag(flag) => flag.into(),
            FieldValue::Action(action) => json!(self.action(action)),
            FieldValue::Dice(dice) => dice.values().into(),
            FieldValue::Players(players) => players.iter().map(|player| player.0).collect(),
            FieldValue::Text(text) => text.into(),
        }
    }
}

impl Serialize for EventOut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind.name)?;
        for ((name, _), value) in self.kind.fields.iter().zip(&self.values) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl JsonSchema for EventOut {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    /// Returns one schema for each kind of event in the table.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<Value> = EVENTS.iter().map(kind_schema).collect();
        let about = "An event. Players are numbers, everything else is a word; `null` is no \
                     player, the table, or a hidden value.";
        let schema = json!({ "description": about, "oneOf": kinds });
        schema
            .try_into()
            .expect("every JSON object is a valid schema")
    }
}

fn kind_schema(kind: &EventKind) -> Value {
    let mut properties = Map::new();
    properties.insert(
        "kind".to_owned(),
        json!({ "type": "string", "const": kind.name }),
    );
    for (name, field) in kind.fields {
        properties.insert((*name).to_owned(), field_schema(*field));
    }
    let required: Vec<&String> = properties.keys().collect();
    json!({
        "description": format!("{}. Sent to {}.", kind.about, kind.heard_by),
        "type": "object",
        "required": required,
        "properties": properties,
    })
}

fn field_schema(field: FieldKind) -> Value {
    let word = json!({ "type": ["string", "integer"] });
    match field {
        FieldKind::Player => json!({ "type": "integer", "minimum": 0 }),
        FieldKind::MaybePlayer => json!({ "type": ["integer", "null"], "minimum": 0 }),
        FieldKind::Card => json!({ "type": ["string", "null"] }),
        FieldKind::Cards => json!({ "type": ["array", "null"], "items": { "type": "string" } }),
        FieldKind::Number => json!({ "type": "integer" }),
        FieldKind::Flag => json!({ "type": "boolean" }),
        FieldKind::Action => json!({ "type": "array", "items": word }),
        FieldKind::Dice | FieldKind::Players => {
            json!({ "type": "array", "items": { "type": "integer", "minimum": 0 } })
        }
        FieldKind::Territory
        | FieldKind::Unit
        | FieldKind::Phase
        | FieldKind::Counter
        | FieldKind::Mark
        | FieldKind::Pile
        | FieldKind::Word
        | FieldKind::Text => json!({ "type": "string" }),
    }
}
