//! Names of people, which all see: nobody takes the name of another that only looks different to a
//! computer.

use risk_engine::players::names;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::skeleton;

/// Can a person have this name? Beside what a player's name must be, it is in the form NFKC of
/// Unicode (Standard Annex 15), which most keyboards write: no letters of a font of their own.
///
/// # Errors
/// Says what the name must be instead.
pub(super) fn check(name: &str) -> Result<(), String> {
    names::check(name)?;
    let plain: String = name.nfkc().collect();
    if plain == name {
        return Ok(());
    }
    Err(format!(
        "a person's name has plain characters (NFKC of Unicode): write `{plain}`"
    ))
}

/// Do people take one name for the other? They do where case and blanks alone differ, and where
/// letters look alike, as the Latin and the Cyrillic `a` (the skeletons of Unicode Technical
/// Standard 39).
pub(super) fn are_alike(a: &str, b: &str) -> bool {
    let seen = |name: &str| -> String { skeleton(&name.replace(' ', "")).collect() };
    let alike = |a: &str, b: &str| seen(a) == seen(b);
    names::are_alike(a, b) || alike(a, b) || alike(&a.to_lowercase(), &b.to_lowercase())
}
