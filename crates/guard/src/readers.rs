//! Functions that read lists which other variables share, without copying them.

use rhai::{Dynamic, INT};

use crate::guard;
use crate::value::Value;

/// A function that only reads its object. Returns `None` to leave the call to the usual function,
/// which needs a copy of an object that others share.
pub(crate) type Reader = fn(&Dynamic, &[Value]) -> Option<Reading>;

/// The result of a reader and its cost: the work, and the operations apart from that of the call.
pub(crate) struct Reading {
    pub(crate) value: Value,
    pub(crate) work: u64,
    pub(crate) operations: u64,
}

impl Reading {
    const fn free(value: Value) -> Self {
        Self {
            value,
            work: 0,
            operations: 0,
        }
    }
}

/// Returns the reader of a function.
pub(crate) fn reader(name: &str) -> Option<Reader> {
    match name {
        "len" | "get$len" => Some(|of, _| Some(Reading::free(Value::Int(length(of)? as INT)))),
        "is_empty" => Some(|of, _| Some(Reading::free(Value::Bool(length(of)? == 0)))),
        "contains" => Some(contains),
        _ => None,
    }
}

fn length(of: &Dynamic) -> Option<usize> {
    if let Ok(array) = of.as_array_ref() {
        return Some(array.len());
    }
    of.as_map_ref().ok().map(|map| map.len())
}

/// Searches an array of integers or strings, or the keys of a map.
fn contains(of: &Dynamic, args: &[Value]) -> Option<Reading> {
    let [wanted] = args else {
        return None;
    };
    if let Ok(map) = of.as_map_ref() {
        let key = wanted.inner()?.as_immutable_string_ref().ok()?;
        return Some(Reading::free(Value::Bool(map.contains_key(key.as_str()))));
    }
    let array = of.as_array_ref().ok()?;
    let mut work = guard::weigh(of).ok()?;
    let mut compared = 0;
    let mut found = false;
    let text = match wanted {
        Value::Int(_) => None,
        other => {
            work += guard::weigh(other.inner()?).ok()?;
            Some(other.inner()?.as_immutable_string_ref().ok()?)
        }
    };
    for item in array.iter() {
        found = match (&text, wanted) {
            (Some(text), _) => item.as_immutable_string_ref().ok()?.as_str() == text.as_str(),
            (None, Value::Int(number)) => item.as_int().ok()? == *number,
            _ => return None,
        };
        compared += 1;
        if found {
            break;
        }
    }
    Some(Reading {
        value: Value::Bool(found),
        work,
        // The package's function is called by another one, and calls one for each comparison.
        operations: 1 + compared,
    })
}
