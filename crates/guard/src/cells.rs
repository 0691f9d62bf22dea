//! The sizes of values, and their nesting.

use rhai::Dynamic;

use crate::meter;
use crate::sizes::MOST_NESTED;

/// The number of cells of an entry of a map.
const ENTRY: u64 = 8;

/// Returns the number of cells of a value, including nested values.
pub(crate) fn count(value: &Dynamic) -> u64 {
    if let Ok(array) = value.as_array_ref() {
        let nested: u64 = array.iter().map(count).sum();
        return array.len() as u64 + nested;
    }
    if let Ok(map) = value.as_map_ref() {
        let nested: u64 = map.values().map(count).sum();
        return ENTRY * map.len() as u64 + nested;
    }
    0
}

/// Copies a value and counts its cells.
#[inline]
pub(crate) fn copy(value: &Dynamic) -> Dynamic {
    if value.is_array() || value.is_map() {
        meter::make(count(value));
    }
    value.clone()
}

/// The sizes of the arrays, maps and strings in a value, including nested values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Contents {
    pub(crate) elements: usize,
    pub(crate) entries: usize,
    /// The bytes of strings.
    pub(crate) bytes: usize,
}

impl Contents {
    /// Counts the contents of a value. Returns `None` if values are nested so deeply in it that
    /// another one can't contain it.
    pub(crate) fn of(value: &Dynamic) -> Option<Self> {
        let mut contents = Self::default();
        contents.add(value, MOST_NESTED).then_some(contents)
    }

    fn add(&mut self, value: &Dynamic, most: usize) -> bool {
        let rest = most.checked_sub(1);
        if let Ok(array) = value.as_array_ref() {
            self.elements += array.len();
            return rest.is_some_and(|rest| array.iter().all(|item| self.add(item, rest)));
        }
        if let Ok(map) = value.as_map_ref() {
            self.entries += map.len();
            return rest.is_some_and(|rest| map.values().all(|item| self.add(item, rest)));
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            self.bytes += text.len();
        }
        true
    }
}
