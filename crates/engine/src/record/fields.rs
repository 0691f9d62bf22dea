//! The keys of one line, taken one by one: whatever is wrong is said with its key and
//! what was expected.

use risk_text::beginning;
use serde_json::{Map, Value};

/// The longest piece of a wrong value that is quoted, in characters.
const QUOTED: usize = 40;

/// An object whose keys are taken out of it.
pub(super) struct LineFields {
    map: Map<String, Value>,
    /// What it is, for messages: "an answer line".
    what: &'static str,
    /// The keys that were asked for.
    known: Vec<&'static str>,
}

/// What a line or a part of it holds, or what is wrong with it.
pub(super) type Taken<T> = Result<T, String>;

fn quoted(value: &Value) -> String {
    beginning(&value.to_string(), QUOTED, "…")
}

impl LineFields {
    pub(super) fn from_value(value: Value, what: &'static str) -> Taken<Self> {
        match value {
            Value::Object(map) => Ok(Self {
                map,
                what,
                known: Vec::new(),
            }),
            other => Err(format!(
                "expected {what}, an object, found {}",
                quoted(&other)
            )),
        }
    }

    /// Says what it is, once that is known.
    pub(super) const fn call(&mut self, what: &'static str) {
        self.what = what;
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    pub(super) fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.map.remove(key)
    }

    fn wrong<T>(&self, key: &str, expected: &str, found: Option<&Value>) -> Taken<T> {
        Err(match found {
            Some(found) => format!(
                "key `{key}` of {}: expected {expected}, found {}",
                self.what,
                quoted(found)
            ),
            None => format!(
                "key `{key}` of {} is missing: expected {expected}",
                self.what
            ),
        })
    }

    pub(super) fn need(&mut self, key: &'static str, expected: &str) -> Taken<Value> {
        match self.take(key) {
            Some(value) => Ok(value),
            None => self.wrong(key, expected, None),
        }
    }

    pub(super) fn text(&mut self, key: &'static str) -> Taken<String> {
        match self.take(key) {
            Some(Value::String(text)) => Ok(text),
            other => self.wrong(key, "a text", other.as_ref()),
        }
    }

    /// A text that is one of these words.
    pub(super) fn word(&mut self, key: &'static str, words: &[&str]) -> Taken<String> {
        let expected = format!("one of {}", words.join(", "));
        match self.take(key) {
            Some(Value::String(text)) if words.contains(&text.as_str()) => Ok(text),
            other => self.wrong(key, &expected, other.as_ref()),
        }
    }

    /// So many hexadecimal digits.
    pub(super) fn hex(&mut self, key: &'static str, digits: usize) -> Taken<String> {
        let fits = |text: &String| {
            text.len() == digits && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        };
        match self.take(key) {
            Some(Value::String(text)) if fits(&text) => Ok(text),
            other => self.wrong(
                key,
                &format!("{digits} digits 0 to 9 and a to f"),
                other.as_ref(),
            ),
        }
    }

    /// A whole number from `low` to `high`.
    pub(super) fn number(&mut self, key: &'static str, low: u64, high: u64) -> Taken<u64> {
        let value = self.take(key);
        let expected = if high == u64::MAX {
            format!("a whole number from {low} on")
        } else {
            format!("a whole number from {low} to {high}")
        };
        match value
            .as_ref()
            .and_then(Value::as_u64)
            .filter(|number| (low..=high).contains(number))
        {
            Some(number) => Ok(number),
            None => self.wrong(key, &expected, value.as_ref()),
        }
    }

    pub(super) fn whole(&mut self, key: &'static str) -> Taken<i64> {
        let value = self.take(key);
        let number = value.as_ref().and_then(Value::as_i64);
        number.map_or_else(|| self.wrong(key, "a whole number", value.as_ref()), Ok)
    }

    /// `true`, or nothing.
    pub(super) fn flag(&mut self, key: &'static str) -> Taken<bool> {
        match self.take(key) {
            None => Ok(false),
            Some(Value::Bool(true)) => Ok(true),
            other => self.wrong(key, "true, or that it is left out", other.as_ref()),
        }
    }

    pub(super) fn list(&mut self, key: &'static str, expected: &str) -> Taken<Vec<Value>> {
        match self.take(key) {
            Some(Value::Array(values)) => Ok(values),
            other => self.wrong(key, expected, other.as_ref()),
        }
    }

    /// Nothing else may be in it.
    pub(super) fn end(self, reserved: &[(&str, &str)]) -> Taken<()> {
        let Some(key) = self.map.keys().next() else {
            return Ok(());
        };
        if let Some((_, about)) = reserved.iter().find(|(name, _)| name == key) {
            return Err(format!(
                "key `{key}` of {} ({about}) is one that this version of risk-cli does not know; \
                 a later one does",
                self.what
            ));
        }
        Err(format!(
            "`{key}` is not a key of {}, which has {}",
            self.what,
            self.known.join(", ")
        ))
    }
}
