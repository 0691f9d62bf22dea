//! Names of people, which are public: no name can pass for another person's.

use risk_engine::players::names;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::skeleton;

/// Checks a person's name: a valid player's name, in Unicode's form NFKC (Standard Annex 15).
///
/// # Errors
/// When the name is invalid; the text describes valid names.
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

/// Reports whether people can mistake one name for the other. Case and spaces make no difference,
/// nor do letters that look alike, such as the Latin and the Cyrillic `a` (skeletons of Unicode
/// Technical Standard 39).
pub(super) fn are_alike(a: &str, b: &str) -> bool {
    let seen = |name: &str| -> String { skeleton(&name.replace(' ', "")).collect() };
    let alike = |a: &str, b: &str| seen(a) == seen(b);
    names::are_alike(a, b) || alike(a, b) || alike(&a.to_lowercase(), &b.to_lowercase())
}
