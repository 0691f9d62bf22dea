//! YAML files that are read into a type of their own: a tournament, say.

use serde::de::DeserializeOwned;

use super::diag::{Finding, TextFile};

/// The most keys and values of such a file.
const MOST_VALUES: usize = 100_000;

/// Reads a file of this kind, `a tournament` say. Aliases are refused: nobody needs them here, and
/// a bomb does.
///
/// # Errors
/// What is wrong with it, with its place.
pub fn read<T: DeserializeOwned>(file: &TextFile, kind: &str, code: &str) -> Result<T, Finding> {
    let mut options = serde_yaml::Options::default();
    options.with_snippet = false;
    options.strict_booleans = true;
    if let Some(budget) = &mut options.budget {
        budget.max_depth = 32;
        budget.max_aliases = 0;
        budget.max_anchors = 0;
        budget.max_events = 4 * MOST_VALUES;
        budget.max_nodes = MOST_VALUES;
        budget.max_documents = 1;
    }
    serde_yaml::from_str_with_options::<T>(&file.text, options).map_err(|error| {
        let span = error.location().map(|location| location.span());
        let message = error.without_snippet().to_string();
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        let message = message.split(" at line ").next().unwrap_or(message);
        let message = match message.split_once(": ") {
            Some((place, rest)) if place.starts_with("line ") => rest,
            _ => message,
        };
        let mut finding = Finding::error(code, format!("this is not {kind}: {message}"))
            .help("check the keys, the indentation, the colons and the quotes there");
        if let Some(span) = span {
            let at = |byte: usize| floor(&file.text, byte);
            let start = span.byte_offset().map_or(0, |start| start as usize);
            let len = span.byte_len().map_or(0, |len| len as usize);
            let end = at(start.saturating_add(len));
            finding = finding.at(file, at(start), end - at(start));
        }
        finding
    })
}

/// The start of the character that a byte is in.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
