//! YAML as a tree in which every scalar and key knows its place.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;

use crate::load::diag::{Finding, TextFile};
use crate::load::typed_yaml;

/// A value with its place.
#[derive(Clone, Debug)]
pub(in crate::load) struct Node {
    pub(in crate::load) value: Value,
    pub(in crate::load) start: usize,
    pub(in crate::load) len: usize,
}

/// What stands there.
#[derive(Clone, Debug)]
pub(in crate::load) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float,
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl Node {
    fn new(spanned: Spanned<Value>) -> Self {
        let span = spanned.referenced.span();
        let start = span.byte_offset().unwrap_or(0) as usize;
        Self {
            value: spanned.value,
            start,
            len: span.byte_len().unwrap_or(0) as usize,
        }
    }

    /// The kind of value, in words.
    pub(in crate::load) fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Int(_) => "a whole number",
            Value::Float => "a number that is not whole",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float, Value::Int))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float, Value::Int))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float, Value::Int))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Float)
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = access.next_element::<Spanned<Value>>()? {
            list.push(Node::new(item));
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = access.next_entry::<Spanned<Value>, Spanned<Value>>()? {
            entries.push((Node::new(key), Node::new(value)));
        }
        Ok(Value::Map(entries))
    }
}

/// Keys, values and lists of a file: enough for the most borders, with all that territories
/// say of themselves.
const MOST_VALUES: usize = 600_000;

/// Reads the YAML of a map.
pub(super) fn parse(file: &TextFile) -> Result<Node, Finding> {
    parse_as(file, "map::syntax", MOST_VALUES, explain)
}

/// Reads one YAML document of at most so many keys and values. Aliases are refused: no file of ours
/// has a use for them and a bomb has. `explain` says what is wrong from the parser's words, and
/// what to do.
pub(in crate::load) fn parse_as(
    file: &TextFile,
    code: &str,
    most: usize,
    explain: fn(&str) -> (String, String),
) -> Result<Node, Finding> {
    let mut options = serde_yaml::Options::default();
    options.with_snippet = false;
    options.strict_booleans = true;
    if let Some(budget) = &mut options.budget {
        budget.max_depth = 32;
        budget.max_aliases = 0;
        budget.max_anchors = 0;
        budget.max_events = 4 * most;
        budget.max_nodes = most;
        budget.max_documents = 1;
    }
    let parsed = serde_yaml::from_str_with_options::<Spanned<Value>>(&file.text, options);
    parsed.map(Node::new).map_err(|error| {
        let location = error.location();
        let start = location
            .and_then(|location| location.span().byte_offset())
            .map_or(0, |at| at as usize);
        let len = location
            .and_then(|location| location.span().byte_len())
            .map_or(0, |len| len as usize);
        let (text, help) = explain(&error.without_snippet().to_string());
        let start = floor(&file.text, start);
        let end = floor(&file.text, start.saturating_add(len));
        let mut finding = Finding::error(code, text).help(help);
        if location.is_some() {
            finding = finding.at(file, start, end - start);
        }
        finding
    })
}

/// The start of the character that a byte is in.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The parser's words, said better where they are terse.
fn explain(message: &str) -> (String, String) {
    let bare = message.split(" at line ").next().unwrap_or(message);
    let bare = bare
        .split("error: line ")
        .next()
        .filter(|bare| !bare.is_empty())
        .unwrap_or(bare);
    let bare = bare.split(", set ").next().unwrap_or(bare);
    let lower = bare.to_lowercase();
    if let Some(text) = typed_yaml::doubled(bare) {
        return (text, typed_yaml::ONCE.to_owned());
    }
    if lower.contains("alias") || lower.contains("anchor") {
        return (
            "anchors and aliases (& and *) are not read in maps".to_owned(),
            "write the values out".to_owned(),
        );
    }
    if lower.contains("depth") || lower.contains("recursion") {
        return (
            "the file is nested too deep".to_owned(),
            "a map needs four levels".to_owned(),
        );
    }
    if lower.contains("budget") {
        let text =
            format!("the file is too large: a map has at most {MOST_VALUES} keys and values");
        return (text, "leave out what is listed twice".to_owned());
    }
    if lower.contains("end of") || lower.contains("eof") {
        return (
            "the file is empty, or ends too early".to_owned(),
            "a map begins with name: and has territories:".to_owned(),
        );
    }
    (
        format!("this is not the YAML of a map: {bare}"),
        "check the indentation, the colons and the quotes there".to_owned(),
    )
}
