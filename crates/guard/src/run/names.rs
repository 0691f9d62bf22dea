//! The names of a file's functions.

use std::collections::HashMap;

use rhai::ImmutableString;

/// The number of each function of a file.
#[derive(Default)]
pub(crate) struct Names {
    by_name: HashMap<(ImmutableString, usize), usize>,
    /// The functions of one type of object, by the type's name.
    of_type: HashMap<(ImmutableString, usize), Vec<(ImmutableString, usize)>>,
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
        let key = (name.clone(), parameters);
        match of {
            None => {
                self.by_name.insert(key, number);
            }
            Some(of) => {
                let typed = self.of_type.entry(key).or_default();
                typed.push((of.clone(), number));
            }
        }
    }

    pub(crate) fn find(&self, name: &ImmutableString, parameters: usize) -> Option<usize> {
        self.by_name.get(&(name.clone(), parameters)).copied()
    }

    /// Returns the function for a call on an object whose type has this name.
    pub(crate) fn find_method(
        &self,
        of: &str,
        name: &ImmutableString,
        parameters: usize,
    ) -> Option<usize> {
        let key = (name.clone(), parameters);
        let typed = self.of_type.get(&key).and_then(|typed| {
            let found = typed.iter().find(|(known, _)| known == of);
            found.map(|(_, number)| *number)
        });
        typed.or_else(|| self.by_name.get(&key).copied())
    }

    /// Reports whether there is a function with this name and number of parameters, of any type.
    pub(crate) fn has_any(&self, name: &ImmutableString, parameters: usize) -> bool {
        let key = (name.clone(), parameters);
        self.by_name.contains_key(&key) || self.of_type.contains_key(&key)
    }

    pub(crate) fn has_type(&self, of: &str, name: &ImmutableString, parameters: usize) -> bool {
        let typed = self.of_type.get(&(name.clone(), parameters));
        typed.is_some_and(|typed| typed.iter().any(|(known, _)| known == of))
    }

    pub(crate) fn has_name(&self, name: &str) -> Option<usize> {
        let mut all: Vec<_> = self
            .by_name
            .iter()
            .filter(|(key, _)| key.0 == name)
            .collect();
        all.sort_unstable_by_key(|(key, _)| key.1);
        all.first().map(|(_, number)| **number)
    }
}
