//! People's public names. No name may be mistaken for another person's name.

use risk_engine::names;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::skeleton;

/// Checks a person's name. It must be a valid player name in the Unicode form NFKC (Standard Annex
/// 15).
pub(super) fn check(name: &str) -> Result<(), String> {
    names::check(name)?;
    let plain: String = name.nfkc().collect();
    if plain == name {
        return Ok(());
    }
    Err(format!(
        "expected a name in Unicode's form NFKC; write `{plain}`"
    ))
}

/// Reports whether people could confuse the two names. Ignores case and spaces, and treats letters
/// that look alike as equal, such as the Latin and the Cyrillic `a` (skeletons of Unicode Technical
/// Standard 39).
pub(super) fn are_alike(a: &str, b: &str) -> bool {
    let seen = |name: &str| -> String { skeleton(&name.replace(' ', "")).collect() };
    let alike = |a: &str, b: &str| seen(a) == seen(b);
    names::are_alike(a, b) || alike(a, b) || alike(&a.to_lowercase(), &b.to_lowercase())
}
