//! Helpers for functions in Rust that scripts call.

use rhai::{Dynamic, EvalAltResult, Position};

/// The result of a function in Rust that a script calls.
pub type NativeResult<T> = Result<T, Box<EvalAltResult>>;

/// Returns an error from a function in Rust. Rhai adds the position of the call.
///
/// # Errors
/// Always returns the text as a run-time error.
pub fn fail<T>(text: impl Into<String>) -> NativeResult<T> {
    Err(Box::new(EvalAltResult::ErrorRuntime(
        Dynamic::from(text.into()),
        Position::NONE,
    )))
}

/// Returns the kind of a value in words, for use in an error.
#[must_use]
pub fn kind(value: &Dynamic) -> &'static str {
    match value.type_name() {
        "Fn" => "a function",
        name => type_word(name).unwrap_or("another type"),
    }
}

/// Returns the name of one of Rhai's own types for messages.
pub(crate) fn type_word(name: &str) -> Option<&'static str> {
    Some(match name {
        "()" => "nothing",
        "i64" => "an integer",
        "f64" => "a float",
        "string" | "&str" | "ImmutableString" => "a string",
        "map" => "a map",
        "array" => "an array",
        "bool" => "a boolean",
        _ => return None,
    })
}
