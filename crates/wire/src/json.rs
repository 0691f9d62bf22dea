//! A JSON parser that rejects duplicate keys, because their intended value is ambiguous.

use crate::error::ProtocolError;
use std::fmt;

use super::quote::brief;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Parses one JSON value. `what` names the text in error messages, for example `answer`.
///
/// # Errors
/// Returns an error if the text is not JSON or contains a duplicate key.
pub fn parse_unique_keys(text: &str, what: &str) -> Result<Value, ProtocolError> {
    match serde_json::from_str::<UniqueKeysValue>(text) {
        Ok(unique) => Ok(unique.0),
        Err(error) if error.is_data() => Err(format!("invalid {what}: {error}").into()),
        Err(error) => Err(format!("the {what} is not valid JSON: {error}").into()),
    }
}

/// Returns the value as a whole number, regardless of its notation. `3`, `3.0` and `3e0` are the
/// same number, and many programs write `3.0`. Returns `None` for other values and for floats
/// beyond 2⁵³, because floats can't represent every whole number in that range.
#[must_use]
pub fn whole_number(value: &Value) -> Option<i64> {
    const MOST: f64 = 9_007_199_254_740_992.0;
    let written_as_float = || {
        value
            .as_f64()
            .filter(|number| number.fract() == 0.0 && number.abs() <= MOST)
    };
    value
        .as_i64()
        .or_else(|| written_as_float().map(|number| number as i64))
}

/// Describes a key that is missing or whose value is not as `expected`.
pub(crate) fn unfit(key: &str, expected: &str, found: Option<&Value>) -> String {
    match found {
        None => format!("missing `{key}`"),
        Some(found) => {
            let found = brief(&found.to_string());
            format!("`{key}` must be {expected}, found `{found}`")
        }
    }
}

/// Returns what `read` makes of the value of a key. Fails if the key is missing, or if its value is
/// not as `expected`.
pub(crate) fn fitting<'a, T>(
    key: &str,
    expected: &str,
    found: Option<&'a Value>,
    read: impl FnOnce(&'a Value) -> Option<T>,
) -> Result<T, String> {
    let value = found.and_then(read);
    value.ok_or_else(|| unfit(key, expected, found))
}

/// Describes a value that is not an object.
pub(crate) fn no_object(found: &Value) -> String {
    let kind = match found {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    format!("expected a JSON object, found {kind}")
}

struct UniqueKeysValue(Value);

impl<'de> Deserialize<'de> for UniqueKeysValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = UniqueKeysValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<UniqueKeysValue, E> {
        Ok(UniqueKeysValue(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<UniqueKeysValue, E> {
        Ok(UniqueKeysValue(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<UniqueKeysValue, E> {
        Ok(UniqueKeysValue(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<UniqueKeysValue, E> {
        Ok(UniqueKeysValue(
            Number::from_f64(value).map_or(Value::Null, Value::Number),
        ))
    }

    fn visit_str<E>(self, value: &str) -> Result<UniqueKeysValue, E> {
        Ok(UniqueKeysValue(value.into()))
    }

    fn visit_unit<E>(self) -> Result<UniqueKeysValue, E> {
        Ok(UniqueKeysValue(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<UniqueKeysValue, A::Error> {
        let mut list = Vec::new();
        while let Some(UniqueKeysValue(item)) = access.next_element()? {
            list.push(item);
        }
        Ok(UniqueKeysValue(list.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<UniqueKeysValue, A::Error> {
        let mut keys = Map::new();
        while let Some((key, UniqueKeysValue(value))) =
            access.next_entry::<String, UniqueKeysValue>()?
        {
            if keys.insert(key.clone(), value).is_some() {
                return Err(A::Error::custom(format!("duplicate key `{}`", brief(&key))));
            }
        }
        Ok(UniqueKeysValue(keys.into()))
    }
}
