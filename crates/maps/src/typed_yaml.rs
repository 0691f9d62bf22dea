//! Reads YAML files, such as tournaments, into types of their own. The JSON Schemas of these files
//! are generated from the same types.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::yaml_reader::YamlKind;
use risk_text::diag::{Finding, TextFile};

const MOST_VALUES: usize = 100_000;

/// Reads a file of this kind, for example `a tournament`.
///
/// # Errors
/// Returns the first error, with its place.
pub fn read<T: DeserializeOwned>(file: &TextFile, kind: &str, code: &str) -> Result<T, Finding> {
    let kind = YamlKind {
        name: kind,
        code,
        most: MOST_VALUES,
    };
    kind.read(file)
}

/// The value of an option or a setting.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected true, false, an integer or a string")]
pub enum Scalar {
    /// `true` or `false`.
    Flag(bool),
    /// An integer.
    Number(i64),
    /// A string.
    Word(String),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// The schema of a string in such a file. A string that looks like another type needs no quotes,
/// for example `name: 3`.
pub struct YamlString;

impl JsonSchema for YamlString {
    fn schema_name() -> Cow<'static, str> {
        "Word".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"] })
    }
}

/// Returns the JSON Schema of a type read by [`read`]: integers may have quotes, and strings need
/// none.
#[must_use]
pub fn schema<T: JsonSchema>() -> Value {
    let mut schema = bounded::<T>();
    let bare = schema.as_object_mut().and_then(|it| it.remove("$defs"));
    quote(&mut schema);
    if let Some(Value::Object(mut defs)) = bare {
        // The value of an option keeps its type.
        let written = defs.remove_entry("Scalar");
        defs.values_mut().for_each(quote);
        defs.extend(written);
        schema["$defs"] = Value::Object(defs);
    }
    schema
}

/// Returns the JSON Schema of a type, with the ranges of its integer types.
#[must_use]
pub fn bounded<T: JsonSchema>() -> Value {
    let mut schema: Value = schemars::schema_for!(T).into();
    bound(&mut schema);
    schema
}

/// Allows quotes around integers.
fn quote(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            let is_number = match entries.get("type") {
                Some(Value::String(of)) => of == "integer",
                Some(Value::Array(all)) => all.contains(&json!("integer")),
                _ => false,
            };
            if is_number {
                if let Some(of) = entries.get_mut("type") {
                    let mut all = of.as_array().cloned().unwrap_or_else(|| vec![of.clone()]);
                    all.push(json!("string"));
                    *of = Value::Array(all);
                }
                entries.insert("pattern".to_owned(), json!("^-?[0-9]+$"));
            }
            entries.values_mut().for_each(quote);
        }
        Value::Array(items) => items.iter_mut().for_each(quote),
        _ => {}
    }
}

/// Adds the range that `format` implies for integers, because few schema readers know these
/// formats.
fn bound(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            let (low, high) = match entries.get("format").and_then(Value::as_str) {
                Some("uint8") => (json!(0), json!(u8::MAX)),
                Some("uint16") => (json!(0), json!(u16::MAX)),
                Some("uint32") => (json!(0), json!(u32::MAX)),
                Some("uint" | "uint64") => (json!(0), json!(u64::MAX)),
                Some("int32") => (json!(i32::MIN), json!(i32::MAX)),
                Some("int64") => (json!(i64::MIN), json!(i64::MAX)),
                _ => (Value::Null, Value::Null),
            };
            for (key, value) in [("minimum", low), ("maximum", high)] {
                if !value.is_null() && !entries.contains_key(key) {
                    entries.insert(key.to_owned(), value);
                }
            }
            if entries.contains_key("maximum") {
                entries.remove("format");
            }
            entries.values_mut().for_each(bound);
        }
        Value::Array(items) => items.iter_mut().for_each(bound),
        _ => {}
    }
}

/// Combines the schemas of two kinds of files: files with this key, and files without it.
#[must_use]
pub fn either(title: &str, key: &str, with: Value, without: Value) -> Value {
    let mut defs = serde_json::Map::new();
    for (name, mut schema) in [("with", with), ("without", without)] {
        if let Some(inner) = schema.as_object_mut() {
            if let Some(Value::Object(own)) = inner.remove("$defs") {
                defs.extend(own);
            }
            inner.remove("$schema");
        }
        defs.insert(format!("{name}_{key}"), schema);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "if": { "required": [key] },
        "then": { "$ref": format!("#/$defs/with_{key}") },
        "else": { "$ref": format!("#/$defs/without_{key}") },
        "$defs": defs,
    })
}
