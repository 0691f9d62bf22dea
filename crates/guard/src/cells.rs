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

/// Reports whether values are nested so deeply in a value that another one can't contain it.
pub(crate) fn is_deep(value: &Dynamic) -> bool {
    deeper(value, MOST_NESTED)
}

fn deeper(value: &Dynamic, most: usize) -> bool {
    let Some(rest) = most.checked_sub(1) else {
        return value.is_array() || value.is_map();
    };
    if let Ok(array) = value.as_array_ref() {
        return array.iter().any(|item| deeper(item, rest));
    }
    if let Ok(map) = value.as_map_ref() {
        return map.values().any(|item| deeper(item, rest));
    }
    false
}
