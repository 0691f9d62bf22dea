//! The names of a file's functions.

use ahash::AHashMap;
use rhai::ImmutableString;

/// The number of each function of a file.
#[derive(Default)]
pub(crate) struct Names {
    by_name: AHashMap<ImmutableString, Vec<Named>>,
    /// True if some function can be called only on objects of one type.
    has_typed: bool,
}

struct Named {
    /// The type of the objects on which the function is called, or `None` for any function.
    of: Option<ImmutableString>,
    parameters: usize,
    number: usize,
}

impl Names {
    /// Adds a function, which may belong to one type of object.
    pub(crate) fn add(
        &mut self,
        of: Option<&ImmutableString>,
        name: &ImmutableString,
        parameters: usize,
        number: usize,
    ) {
        let named = Named {
            of: of.cloned(),
            parameters,
            number,
        };
        self.has_typed |= of.is_some();
        self.by_name.entry(name.clone()).or_default().push(named);
    }

    fn all(&self, name: &str, parameters: usize) -> impl Iterator<Item = &Named> {
        let all = self.by_name.get(name).into_iter().flatten();
        all.filter(move |named| named.parameters == parameters)
    }

    pub(crate) fn find(&self, name: &str, parameters: usize) -> Option<usize> {
        let mut all = self.all(name, parameters);
        all.find(|named| named.of.is_none())
            .map(|named| named.number)
    }

    /// Returns the function of one type of object.
    pub(crate) fn find_typed(&self, of: &str, name: &str, parameters: usize) -> Option<usize> {
        let mut all = self.all(name, parameters);
        let is_of = |named: &&Named| named.of.as_ref().is_some_and(|known| known == of);
        all.find(is_of).map(|named| named.number)
    }

    /// Reports whether some function can be called only on objects of one type.
    pub(crate) const fn has_typed(&self) -> bool {
        self.has_typed
    }

    /// Reports whether there is a function with this name and number of parameters, of any type.
    pub(crate) fn has_any(&self, name: &str, parameters: usize) -> bool {
        self.all(name, parameters).next().is_some()
    }

    /// Returns a function with this name, the one with the fewest parameters.
    pub(crate) fn has_name(&self, name: &str) -> Option<usize> {
        let all = self.by_name.get(name)?.iter();
        let all = all.filter(|named| named.of.is_none());
        let fewest = all.min_by_key(|named| named.parameters)?;
        Some(fewest.number)
    }
}
