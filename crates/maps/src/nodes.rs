//! YAML as a tree in which every value and key has a place, and a reader of such trees for maps and
//! positions.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;

use super::synonyms::meant;
use super::yaml_reader::{YamlKind, without_zeros};
use risk_text::diag::{Finding, TextFile};
use risk_text::{beginning, escape_control, suggest};

/// The maximum number of characters of a value in a message.
const LONGEST_SHOWN: usize = 60;

/// A range in the file: the offset of its first byte, and its number of bytes.
pub(crate) type Extent = (usize, usize);

/// A key, the node with the key's place, and its value.
pub(crate) type Entry<'n> = (&'n str, &'n Node, &'n Node);

/// Parses one YAML document. Duplicate keys are errors.
pub(crate) fn parse(file: &TextFile, kind: YamlKind<'_>) -> Result<Node, Finding> {
    let mut root = kind.read::<Spanned<Value>>(file).map(Node::new)?;
    root.quote(&file.text);
    Ok(root)
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) start: usize,
    pub(crate) len: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    /// A number as written that is not an `i64`.
    Float(String),
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

    /// Takes numbers that are no integers as the text has them.
    fn quote(&mut self, text: &str) {
        match &mut self.value {
            Value::Float(raw) => {
                let written = text.get(self.start..self.start + self.len);
                written.unwrap_or_default().clone_into(raw);
            }
            Value::List(list) => list.iter_mut().for_each(|node| node.quote(text)),
            Value::Map(entries) => entries.iter_mut().for_each(|(key, value)| {
                key.quote(text);
                value.quote(text);
            }),
            _ => {}
        }
    }

    /// Returns an integer without its leading zeros, if it has any.
    pub(crate) fn without_zeros(&self) -> Option<String> {
        match &self.value {
            Value::Float(raw) => without_zeros(raw),
            _ => None,
        }
    }

    pub(crate) const fn extent(&self) -> Extent {
        (self.start, self.len)
    }

    /// Returns the place of the first key, which represents the whole map.
    pub(crate) fn first_key(&self) -> Extent {
        match &self.value {
            Value::Map(entries) => entries
                .first()
                .map_or(self.extent(), |(key, _)| key.extent()),
            _ => self.extent(),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        let Value::Map(entries) = &self.value else {
            return None;
        };
        let is_it = |key: &Self| matches!(&key.value, Value::Text(text) if text == name);
        entries
            .iter()
            .find(|(key, _)| is_it(key))
            .map(|(_, value)| value)
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "a boolean",
            Value::Int(_) => "an integer",
            Value::Float(_) if self.without_zeros().is_some() => "a number with a leading zero",
            Value::Float(_) => "a decimal number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }

    /// Returns the value for a message, or only its type if it is a list or a map.
    pub(crate) fn shown(&self) -> String {
        match &self.value {
            Value::Bool(flag) => format!("`{flag}`"),
            Value::Int(number) => number.to_string(),
            Value::Float(raw) if self.without_zeros().is_some() => {
                format!("`{}`: a leading zero", beginning(raw, LONGEST_SHOWN, "…"))
            }
            Value::Text(text) => {
                format!("`{}`", beginning(&escape_control(text), LONGEST_SHOWN, "…"))
            }
            _ => self.kind().to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

/// Returns a number whose text [`Node::quote`] takes later.
const fn float() -> Value {
    Value::Float(String::new())
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
        Ok(i64::try_from(value).map_or_else(|_| float(), Value::Int))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or_else(|_| float(), Value::Int))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or_else(|_| float(), Value::Int))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(float())
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

/// Reads nodes, and continues after errors.
pub(crate) trait NodeReader {
    /// Records a finding. The code is a lint of maps; other files may ignore it.
    fn found(&mut self, code: &str, text: String, help: Option<String>, place: Extent);

    fn wrong(&mut self, node: &Node, text: impl Into<String>, help: impl Into<String>) {
        self.found("value", text.into(), Some(help.into()), node.extent());
    }

    fn expected(&mut self, node: &Node, what: &str, expected: &str) {
        let (found, help) = match node.without_zeros() {
            Some(bare) => (node.shown(), format!("write `{bare}`")),
            None => (node.kind().to_owned(), format!("write {expected}")),
        };
        self.wrong(
            node,
            format!("{what} must be {expected}, found {found}"),
            help,
        );
    }

    /// Reports a key without a value: in `{ }`, the rest of a text after a comma is one.
    fn valueless(&mut self, code: &str, key: &Node) {
        let text = format!("the key {} has no value", key.shown());
        let help = "put a text with a comma in quotes, and a list in `[ ]`, or add a value";
        self.found(code, text, Some(help.to_owned()), key.extent());
    }

    /// Returns the entries of a map. Keys that are not in `known` are errors.
    fn entries<'n>(&mut self, node: &'n Node, what: &str, known: &[&str]) -> Vec<Entry<'n>> {
        let mut entries = self.pairs(node, what);
        entries.retain(|(key, place, value)| {
            let is_known = known.contains(key);
            if !is_known && matches!(value.value, Value::Null) {
                self.valueless("unknown-key", place);
            } else if !is_known {
                let help = match meant(key, known) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => suggest::help(key, known.iter().copied()),
                };
                let text = format!("unknown key `{key}` in {what}");
                self.found("unknown-key", text, Some(help), place.extent());
            }
            is_known
        });
        entries
    }

    fn pairs<'n>(&mut self, node: &'n Node, what: &str) -> Vec<Entry<'n>> {
        let Value::Map(entries) = &node.value else {
            self.expected(node, what, "a mapping");
            return Vec::new();
        };
        let mut found = Vec::new();
        for (key, value) in entries {
            match &key.value {
                Value::Text(name) => found.push((name.as_str(), key, value)),
                _ if matches!(value.value, Value::Null) => self.valueless("value", key),
                _ => {
                    let text = format!("a key of {what} must be a string, found {}", key.kind());
                    self.wrong(key, text, "put the key in quotes");
                }
            }
        }
        found
    }

    fn list<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        if let Value::List(list) = &node.value {
            list
        } else {
            self.expected(node, what, "a list");
            &[]
        }
    }

    fn number(&mut self, node: &Node, what: &str, low: i64, high: i64) -> Option<i64> {
        match node.value {
            Value::Int(number) if (low..=high).contains(&number) => return Some(number),
            Value::Int(number) => {
                let help = if low == high {
                    format!("write {low}")
                } else {
                    format!("write a number from {low} to {high}")
                };
                let text = if low == high {
                    format!("{what} must be {low}, found {number}")
                } else {
                    format!("{what} must be from {low} to {high}, found {number}")
                };
                self.wrong(node, text, help);
            }
            _ => self.expected(node, what, "an integer"),
        }
        None
    }
}
