//! Events in the format that scripts receive.

use serde_json::{Map, Value};

use super::{GameMessage, ReadResult, list, text};
use crate::error::ProtocolError;
use crate::json::{no_object, whole_number};
use crate::line_json::offers::Lexicon;
use crate::quote::brief;
use risk_engine::script::event_value::EventValue;
use risk_kernel::declare::SlotKind;
use risk_kernel::event::table::{EVENTS, FieldKind};
use risk_kernel::view::View;
use risk_kernel::words::Words;

/// An event for a script, as pairs of a name and a value.
type ScriptEvent = Vec<(&'static str, EventValue)>;

impl GameMessage {
    /// Returns the events in a message `events` in the format for scripts. For kinds of events from
    /// a later version, only the kind itself is included.
    ///
    /// # Errors
    /// Returns an error if the message is invalid.
    pub fn events(
        view: &View,
        message: &Map<String, Value>,
    ) -> Result<Vec<ScriptEvent>, ProtocolError> {
        let lexicon = Lexicon::new(view.board(), view.decl());
        let events = list(message, "events")?.iter();
        let object = |event: &'_ Value| match event.as_object() {
            Some(event) => read(lexicon, event),
            None => Err(no_object(event)),
        };
        Ok(events.map(object).collect::<ReadResult<_>>()?)
    }
}

fn read(lexicon: Lexicon<'_>, event: &Map<String, Value>) -> ReadResult<ScriptEvent> {
    let name = text(event, "kind")?;
    let kind = EVENTS.iter().find(|kind| kind.name == name);
    let mut all = vec![("kind", EventValue::Words(name.to_owned()))];
    for &(key, field) in kind.map_or(&[][..], |kind| kind.fields) {
        let given = event.get(key).unwrap_or(&Value::Null);
        let wrong = || {
            let given = brief(&given.to_string());
            format!("invalid value `{given}` for `{key}` in an event")
        };
        all.push((key, value(lexicon, field, given).ok_or_else(wrong)?));
    }
    Ok(all)
}

/// Returns a field's value, or `None` if the value is invalid for the field.
fn value(lexicon: Lexicon<'_>, field: FieldKind, given: &Value) -> Option<EventValue> {
    let known = |kind| lexicon.value(kind, given).map(i64::from);
    let numbers = |of: &dyn Fn(&Value) -> Option<i64>| {
        let all: Option<Vec<i64>> = given.as_array()?.iter().map(of).collect();
        all.map(EventValue::Numbers)
    };
    match field {
        FieldKind::MaybePlayer | FieldKind::Card if given.is_null() => Some(EventValue::Number(-1)),
        FieldKind::Cards if given.is_null() => Some(EventValue::Numbers(Vec::new())),
        FieldKind::Player | FieldKind::MaybePlayer | FieldKind::Number => {
            whole_number(given).map(EventValue::Number)
        }
        FieldKind::Territory => known(SlotKind::Territory).map(EventValue::Number),
        FieldKind::Card => known(SlotKind::Card).map(EventValue::Number),
        FieldKind::Cards => numbers(&|card| lexicon.value(SlotKind::Card, card).map(i64::from)),
        FieldKind::Flag => given.as_bool().map(EventValue::Flag),
        FieldKind::Action => {
            let action = lexicon.read_step(given).ok()?;
            let words = Words::new(lexicon.board, lexicon.decl).action(action);
            Some(EventValue::Words(words))
        }
        FieldKind::Dice | FieldKind::Players => numbers(&whole_number),
        FieldKind::Unit
        | FieldKind::Phase
        | FieldKind::Counter
        | FieldKind::Mark
        | FieldKind::Pile
        | FieldKind::Word
        | FieldKind::Text => given
            .as_str()
            .map(|text| EventValue::Words(text.to_owned())),
    }
}
