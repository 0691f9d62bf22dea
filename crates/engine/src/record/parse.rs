//! Parses the keys of a line. Errors contain the path to the value, what was expected and what was
//! found.

use std::fmt;

use crate::hosting::TimeControl;
use risk_kernel::declare::OnFault;
use risk_kernel::fault::FaultKind;
use risk_kernel::state::MOST;
use risk_text::{beginning, suggest};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

const QUOTED: usize = 40;

/// Keys that later versions will write, with their meanings. A reader that does not support them
/// reports them by name. docs/records.md lists them.
const RESERVED_KEYS: [(&str, &str); 3] = [
    ("needs", "features that a reader must support"),
    ("unrepeatable", "the bots may not repeat the game"),
    ("continues", "the game continues another record"),
];

pub(super) type Parsed<T> = Result<T, String>;

pub(super) fn quoted(value: &Value) -> String {
    beginning(&value.to_string(), QUOTED, "…")
}

pub(super) fn object(value: Value) -> Parsed<Map<String, Value>> {
    match value {
        Value::Object(keys) => Ok(keys),
        other => Err(format!("expected an object, found {}", quoted(&other))),
    }
}

/// Parses the keys of a line. `what` describes the line, with an article.
pub(super) fn parse<T: DeserializeOwned>(keys: Map<String, Value>, what: &str) -> Parsed<T> {
    let value = Value::Object(keys);
    // Tracking paths costs more than the rest, so it is only done after an error.
    T::deserialize(&value)
        .or_else(|_| serde_path_to_error::deserialize(&value))
        .map_err(|error| told(&error, &value, what))
}

fn told(
    error: &serde_path_to_error::Error<serde_json::Error>,
    value: &Value,
    what: &str,
) -> String {
    let text = error.inner().to_string();
    let path = match error.path().iter().next() {
        Some(_) => error.path().to_string(),
        None => String::new(),
    };
    let shown = beginning(&path, QUOTED, "…");
    if let Some(key) = text.strip_prefix("missing field ") {
        let key = key.trim_matches('`');
        let dot = if path.is_empty() { "" } else { "." };
        return format!("missing key `{shown}{dot}{key}` in {what}");
    }
    let mut found = Some(value);
    let mut last = "";
    for segment in error.path() {
        found = found.and_then(|value| match segment {
            Segment::Seq { index } => value.get(index),
            Segment::Map { key } => {
                last = key;
                value.get(key)
            }
            _ => None,
        });
    }
    if text.starts_with("unknown field ")
        && let Some((_, known)) = text.rsplit_once("`, expected ")
    {
        return unknown(&shown, last, what, known);
    }
    match (text.rsplit_once("expected "), found) {
        (Some((_, expected)), Some(found)) => format!(
            "key `{shown}` in {what}: expected {}, found {}",
            plain(expected),
            quoted(found)
        ),
        _ => format!("key `{shown}` in {what}: {text}"),
    }
}

/// Describes an unknown key. `known` contains the valid keys, which serde lists in backticks.
fn unknown(path: &str, key: &str, what: &str, known: &str) -> String {
    if let Some((_, about)) = RESERVED_KEYS.iter().find(|(name, _)| *name == key) {
        return format!("unsupported key `{path}` in {what} ({about}): update risk-cli");
    }
    let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    format!(
        "unknown key `{path}` in {what}: {}",
        suggest::help(key, known)
    )
}

/// Translates serde's description of the expected value, without Rust types.
fn plain(expected: &str) -> String {
    match expected {
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "i64" => "an integer".to_owned(),
        "u64" | "usize" => "a non-negative integer".to_owned(),
        "u32" => format!("an integer from 0 to {}", u32::MAX),
        other if other.starts_with("struct ") => "an object".to_owned(),
        other => other.to_owned(),
    }
}

/// Deserializes a value that must match a description, or returns what was expected.
fn fitting<'de, D, T>(
    deserializer: D,
    expected: impl fmt::Display,
    fits: impl Fn(&T) -> bool,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let value = T::deserialize(deserializer)
        .ok()
        .filter(|value| fits(value));
    value.ok_or_else(|| D::Error::custom(format_args!("expected {expected}")))
}

pub(super) fn hex<'de, const DIGITS: usize, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    let expected = format_args!("{DIGITS} lowercase hexadecimal digits");
    fitting(deserializer, expected, |text: &String| {
        text.len() == DIGITS && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

pub(super) fn some_hex<'de, const DIGITS: usize, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    hex::<DIGITS, D>(deserializer).map(Some)
}

pub(super) fn decision<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    fitting(deserializer, "a positive integer", |&number| number > 0)
}

/// Returns the description of the numbers of strikes.
pub(super) fn strike_numbers() -> String {
    format!("an integer from 1 to {}", u32::MAX)
}

pub(super) fn strikes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    // `RecordLine::check_strikes` checks 0, which depends on the kind of the fault.
    fitting(deserializer, strike_numbers(), |_| true)
}

/// Accepts only `true`, because a false flag has no key.
pub(super) fn only_true<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    fitting(deserializer, "true, or the key to be absent", |flag| *flag)
}

pub(super) fn decisions_before<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<u64, D::Error> {
    let expected = format_args!("an integer from 0 to {MOST}");
    fitting(deserializer, expected, |number| *number <= MOST as u64)
}

pub(super) fn clock<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let fits = |text: &String| {
        let clock = text.parse::<TimeControl>();
        clock.is_ok_and(|clock| clock.to_string() == *text)
    };
    fitting(deserializer, "a clock such as move=1s,bank=10s", fits).map(Some)
}

fn word<'de, D: Deserializer<'de>>(deserializer: D, words: &[&str]) -> Result<String, D::Error> {
    let expected = format!("one of {}", words.join(", "));
    fitting(deserializer, expected, |text: &String| {
        words.contains(&text.as_str())
    })
}

pub(super) fn fault_kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    word(deserializer, &FaultKind::ALL.map(FaultKind::as_str))
}

pub(super) fn per<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    word(deserializer, &["game", "decision"])
}

pub(super) fn on_fault<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    word(deserializer, &OnFault::ALL.map(OnFault::as_str))
}
