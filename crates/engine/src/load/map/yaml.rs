//! YAML as a tree in which every scalar and key knows its place.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;

use crate::load::diag::{Finding, TextFile};
use crate::load::yaml_reader::YamlKind;

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
    let kind = YamlKind {
        name: "a map",
        code: "map::syntax",
        most: MOST_VALUES,
    };
    parse_as(file, kind)
}

/// Reads one YAML document.
pub(in crate::load) fn parse_as(file: &TextFile, kind: YamlKind<'_>) -> Result<Node, Finding> {
    kind.read::<Spanned<Value>>(file).map(Node::new)
}
