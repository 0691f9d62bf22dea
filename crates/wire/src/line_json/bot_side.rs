//! The bot's side of the protocol. Parses the program's messages.

mod ask;
mod event;
mod game;
mod position;

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::ProtocolError;
use crate::json::unfit;

pub use ask::AskMessage;
pub use game::GameMessage;

/// The content of a message, or an error as a sentence without a full stop.
type ReadResult<T> = Result<T, String>;

fn read<'a, T: Deserialize<'a>>(message: &'a str) -> ReadResult<T> {
    serde_json::from_str(message).map_err(|error| {
        if error.is_data() {
            format!("invalid message: {error}")
        } else {
            format!("the message is not valid JSON: {error}")
        }
    })
}

/// Returns the type of a message.
///
/// # Errors
/// Returns an error if the message is not an object or has no type.
pub fn message_type(message: &str) -> Result<Cow<'_, str>, ProtocolError> {
    #[derive(Deserialize)]
    struct TypeField<'a> {
        #[serde(borrow, rename = "type")]
        kind: Cow<'a, str>,
    }
    if message.trim_start().starts_with('[') {
        return Err("expected a JSON object, found a list".into());
    }
    Ok(read::<TypeField<'_>>(message)?.kind)
}

fn object<'a>(of: &'a Map<String, Value>, key: &str) -> ReadResult<&'a Map<String, Value>> {
    let found = of.get(key).and_then(Value::as_object);
    found.ok_or_else(|| unfit(key, "an object", of.get(key)))
}

fn list<'a>(of: &'a Map<String, Value>, key: &str) -> ReadResult<&'a [Value]> {
    let found = of.get(key).and_then(Value::as_array);
    found
        .map(Vec::as_slice)
        .ok_or_else(|| unfit(key, "a list", of.get(key)))
}

fn text<'a>(of: &'a Map<String, Value>, key: &str) -> ReadResult<&'a str> {
    let found = of.get(key).and_then(Value::as_str);
    found.ok_or_else(|| unfit(key, "a string", of.get(key)))
}

fn number<T: TryFrom<i64>>(of: &Map<String, Value>, key: &str) -> ReadResult<T> {
    let found = of.get(key).and_then(crate::json::whole_number);
    found
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| unfit(key, "an integer", of.get(key)))
}
