//! Values by name, ordered by name.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::offers::Word;
use crate::quote::brief;

/// Values by name, with no duplicate names.
#[derive(Debug, Default)]
pub(super) struct NamedValues<'a, T>(Vec<(Cow<'a, str>, T)>);

impl<'a, T> NamedValues<'a, T> {
    /// Creates a value for each name from its index.
    pub(super) fn new(names: impl Iterator<Item = &'a str>, value: impl Fn(usize) -> T) -> Self {
        let named = |(index, name)| (Cow::Borrowed(name), value(index));
        let mut all: Vec<_> = names.enumerate().map(named).collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        Self(all)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get(&self, name: &str) -> Result<&T, String> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value)
            .ok_or_else(|| format!("missing `{}`", brief(name)))
    }
}

impl<T: Serialize> Serialize for NamedValues<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for NamedValues<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NamedVisitor(PhantomData))
    }
}

struct NamedVisitor<'a, T>(PhantomData<(&'a str, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for NamedVisitor<'a, T> {
    type Value = NamedValues<'a, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut all: Vec<(Cow<'a, str>, T)> = Vec::new();
        while let Some((Word::Name(name), value)) = access.next_entry::<Word<'a>, T>()? {
            if all.iter().any(|(known, _)| *known == name) {
                let name = brief(&name);
                return Err(A::Error::custom(format!("duplicate key `{name}`")));
            }
            all.push((name, value));
        }
        Ok(NamedValues(all))
    }
}

impl<T: JsonSchema> JsonSchema for NamedValues<'_, T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<String, T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, T>::json_schema(generator)
    }
}
