//! Chains through maps and arrays only, which need no functions: `a.b[c]`.

use rhai::{Dynamic, INT};

use super::link::{Link, LinkKind};
use super::operators::AssignOperator;
use super::place::position;
use crate::value::Value;

/// Reads the value at the end of a chain. Returns `None` if the chain leaves maps and arrays, or if
/// there is no such value.
#[inline]
pub(crate) fn peek(from: &Dynamic, links: &[Link], indexes: &[Value]) -> Option<Value> {
    let (link, rest) = links.split_first()?;
    match &link.kind {
        LinkKind::Property(property) => {
            let map = from.as_map_ref().ok()?;
            let value = map.get(property.key.as_str())?;
            peek_rest(value, rest, indexes)
        }
        LinkKind::Index(_) => {
            let (index, indexes) = indexes.split_first()?;
            match index {
                Value::Int(number) => {
                    let array = from.as_array_ref().ok()?;
                    let value = &array[position(array.len(), *number, true)?];
                    peek_rest(value, rest, indexes)
                }
                Value::Other(key) => {
                    let map = from.as_map_ref().ok()?;
                    let value = map.get(key.as_immutable_string_ref().ok()?.as_str())?;
                    peek_rest(value, rest, indexes)
                }
                _ => None,
            }
        }
        LinkKind::Method(_) => None,
    }
}

#[inline]
fn peek_rest(value: &Dynamic, rest: &[Link], indexes: &[Value]) -> Option<Value> {
    if rest.is_empty() {
        Some(Value::of(value))
    } else {
        peek(value, rest, indexes)
    }
}

/// A change of the value at the end of a chain.
pub(crate) struct Poke<'p> {
    pub(crate) operator: Option<&'p AssignOperator>,
    /// The new value, which is taken if the value was changed.
    pub(crate) value: &'p mut Value,
}

impl Poke<'_> {
    /// Changes the value at the end of a chain. Returns `None`, and changes nothing, if the chain
    /// leaves maps and arrays or the change needs a function.
    pub(crate) fn at(&mut self, to: &mut Dynamic, links: &[Link], indexes: &[Value]) -> Option<()> {
        let (link, rest) = links.split_first()?;
        match &link.kind {
            LinkKind::Property(property) => self.entry(to, &property.key, rest, indexes),
            LinkKind::Index(_) => {
                let (index, indexes) = indexes.split_first()?;
                match index {
                    Value::Int(number) => {
                        let mut array = to.as_array_mut().ok()?;
                        let place = position(array.len(), *number, true)?;
                        self.go_on(&mut array[place], rest, indexes)
                    }
                    Value::Other(key) => {
                        let key = key.as_immutable_string_ref().ok()?;
                        self.entry(to, &key, rest, indexes)
                    }
                    _ => None,
                }
            }
            LinkKind::Method(_) => None,
        }
    }

    fn entry(
        &mut self,
        to: &mut Dynamic,
        key: &str,
        rest: &[Link],
        indexes: &[Value],
    ) -> Option<()> {
        let mut map = to.as_map_mut().ok()?;
        if let Some(value) = map.get_mut(key) {
            return self.go_on(value, rest, indexes);
        }
        let adds = rest.is_empty() && self.operator.is_none();
        adds.then(|| {
            map.insert(key.into(), self.value.take().dynamic());
        })
    }

    fn go_on(&mut self, value: &mut Dynamic, rest: &[Link], indexes: &[Value]) -> Option<()> {
        if rest.is_empty() {
            self.change(value)
        } else {
            self.at(value, rest, indexes)
        }
    }

    fn change(&mut self, value: &mut Dynamic) -> Option<()> {
        match self.operator {
            None => *value = self.value.take().dynamic(),
            Some(operator) => {
                let number = self.number()?;
                *value = Dynamic::from_int(operator.of_ints(value.as_int().ok()?, number)?);
            }
        }
        Some(())
    }

    fn number(&self) -> Option<INT> {
        match &*self.value {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }
}
