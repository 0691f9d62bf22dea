//! The parts of a plan that determine its games, and their hash.

use std::collections::BTreeMap;

use serde::Serialize;

/// The number of hexadecimal digits in the hash of a plan.
const DIGITS: usize = 16;

/// Everything that determines the games of a tournament, as text.
pub type Parts = BTreeMap<String, String>;

/// The content of `plan.json`.
#[derive(Debug, Serialize)]
pub struct PlanFile<'a> {
    /// The version of the file.
    pub format: u32,
    /// The hash of the parts.
    pub plan: String,
    /// The hashed parts.
    pub parts: &'a Parts,
}

/// Returns the hash of the parts' names and values in order.
pub(super) fn hash_of(parts: &Parts) -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, value) in parts {
        for text in [name, value] {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
    }
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}
