//! Words that nobody guesses.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A word that nobody guesses, in the form of a GUID.
pub(super) fn token() -> String {
    let word = || RandomState::new().build_hasher().finish();
    let a = word();
    let b = word();
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xffff,
        b >> 48,
        b & 0xffff_ffff_ffff
    )
}
