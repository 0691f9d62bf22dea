//! Reads all YAML input within limits, and reports errors in the program's own words. Only this
//! file handles the errors of the YAML library.

use serde::de::DeserializeOwned;
use serde_yaml::budget::BudgetBreach;
use serde_yaml::granit_parser::ErrorKind;
use serde_yaml::{
    DefaultMessageFormatter, Error, ExternalMessageSource, Location, MessageFormatter,
};

use risk_text::diag::{Finding, TextFile};
use risk_text::{beginning, escape_control, suggest};

const DEEPEST: usize = 32;
/// The maximum number of characters of a key in a message.
const LONGEST_KEY: usize = 60;

#[derive(Clone, Copy, Debug)]
pub(crate) struct YamlKind<'a> {
    /// The name with its article, for example `a map`.
    pub(crate) name: &'a str,
    pub(crate) code: &'a str,
    /// The maximum number of keys and values.
    pub(crate) most: usize,
}

impl YamlKind<'_> {
    /// Reads a file of this kind, which must be a single document. Aliases are refused, because
    /// they allow exponential expansion and our files don't need them.
    pub(crate) fn read<T: DeserializeOwned>(self, file: &TextFile) -> Result<T, Finding> {
        let mut options = serde_yaml::Options::default();
        options.with_snippet = false;
        options.strict_booleans = true;
        if let Some(budget) = &mut options.budget {
            budget.max_depth = DEEPEST;
            budget.max_aliases = 0;
            budget.max_anchors = 0;
            budget.max_events = 4 * self.most;
            budget.max_nodes = self.most;
            budget.max_documents = 1;
        }
        serde_yaml::from_str_with_options::<T>(&file.text, options).map_err(|error| {
            let error = innermost(&error);
            let found = error.location().map(|location| place(&file.text, location));
            if let Some((start, len)) = found.and_then(|(at, _)| cutting_comment(&file.text, at)) {
                let text = "`#` begins a comment, and this one hides the end of a list or mapping";
                let finding = Finding::error(self.code, text);
                let help = "put a text with `#`, such as a colour, in quotes";
                return finding.help(help).at(file, start, len);
            }
            let (mut text, mut help) = self.explain(error);
            let raw = found.and_then(|(start, len)| file.text.get(start..start + len));
            if let Some(bare) = raw.and_then(without_zeros) {
                text.push_str(", found a leading zero");
                help = format!("write `{bare}`");
            }
            let finding = Finding::error(self.code, text).help(help);
            match found {
                Some((start, len)) => finding.at(file, start, len),
                None => finding,
            }
        })
    }

    /// Returns the message and the help for an error.
    fn explain(self, error: &Error) -> (String, String) {
        let name = self.name;
        let correct = || "correct the value".to_owned();
        let (text, help) = match error {
            Error::Budget { breach, .. } => return self.exceeded(breach),
            Error::UnknownAnchor { .. } => return self.has_alias(),
            Error::MultipleDocuments { .. } => return self.has_documents(),
            Error::ExternalMessage { source, .. } if is_too_deep(source) => return self.is_deep(),
            Error::DuplicateMappingKey { key, .. } => {
                let key = key.as_ref();
                let key = key.map_or_else(String::new, |key| format!(" `{}`", shown(key)));
                (
                    format!("duplicate key{key}"),
                    "remove one of the two keys".to_owned(),
                )
            }
            Error::Eof { .. } => (
                format!("expected {name}, found the end of the file"),
                "check that the file was saved completely".to_owned(),
            ),
            Error::SerdeUnknownField {
                field, expected, ..
            } => (
                format!("unknown key `{}`", shown(field)),
                suggest::help(field, expected.iter().copied()),
            ),
            Error::SerdeMissingField { field, .. } => (
                format!("missing key `{field}`"),
                format!("add `{field}:` with a value"),
            ),
            Error::SerdeUnknownVariant {
                variant, expected, ..
            } => (
                format!("unknown value `{}`", shown(variant)),
                suggest::help(variant, expected.iter().copied()),
            ),
            Error::Unexpected { expected, .. } => {
                (format!("expected {}", wanted(expected)), correct())
            }
            Error::InvalidScalar { ty, .. } => (format!("expected {}", wanted(ty)), correct()),
            Error::InvalidBooleanStrict { .. } => ("expected true or false".to_owned(), correct()),
            Error::Message { msg, .. } => (escape_control(msg).into_owned(), correct()),
            _ => {
                let words = DefaultMessageFormatter.format_message(error);
                (
                    format!("invalid YAML in {name}: {}", escape_control(&words)),
                    "check the keys, the indentation, the colons and the quotes".to_owned(),
                )
            }
        };
        (text, help)
    }

    fn exceeded(self, breach: &BudgetBreach) -> (String, String) {
        match breach {
            BudgetBreach::Aliases { .. }
            | BudgetBreach::Anchors { .. }
            | BudgetBreach::AliasAnchorRatio { .. }
            | BudgetBreach::RecordedAnchorEvents { .. }
            | BudgetBreach::RecordedAnchorBytes { .. } => self.has_alias(),
            BudgetBreach::Documents { .. } => self.has_documents(),
            BudgetBreach::Depth { .. } => self.is_deep(),
            _ => (
                format!(
                    "too many keys and values: {} has at most {}",
                    self.name, self.most
                ),
                "shorten the file".to_owned(),
            ),
        }
    }

    fn has_alias(self) -> (String, String) {
        (
            format!(
                "anchors and aliases (`&` and `*`) are not allowed in {}",
                self.name
            ),
            "repeat the value, or put a string that begins with `&` or `*` in quotes".to_owned(),
        )
    }

    fn is_deep(self) -> (String, String) {
        (
            "the file is nested too deeply".to_owned(),
            format!("use at most {DEEPEST} levels in {}", self.name),
        )
    }

    fn has_documents(self) -> (String, String) {
        (
            format!(
                "unexpected second YAML document: {} is a single document",
                self.name
            ),
            "remove the line `---` and everything after it".to_owned(),
        )
    }
}

/// Reports whether the input exceeded a limit of the YAML library's own parser.
fn is_too_deep(source: &ExternalMessageSource) -> bool {
    match source {
        ExternalMessageSource::Parser(error) => {
            matches!(error.kind(), ErrorKind::RecursionLimitExceeded)
        }
        _ => false,
    }
}

/// Removes the YAML library's wrappers from an error.
fn innermost(error: &Error) -> &Error {
    match error {
        Error::WithSnippet { error, .. } | Error::AliasError { error, .. } => innermost(error),
        _ => error,
    }
}

/// Shortens and escapes a key for messages.
fn shown(key: &str) -> String {
    beginning(&escape_control(key), LONGEST_KEY, "…")
}

/// Translates the YAML library's description of the expected value.
fn wanted(expected: &str) -> String {
    let range = |low: i128, high: u128| format!("an integer from {low} to {high}");
    match expected {
        "string scalar" => "a string".to_owned(),
        "sequence start" => "a list".to_owned(),
        "mapping start" => "a mapping".to_owned(),
        "bool" | "boolean" => "true or false".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "u8" => range(0, u8::MAX.into()),
        "u16" => range(0, u16::MAX.into()),
        "u32" => range(0, u32::MAX.into()),
        "u64" | "usize" => "an integer of at least 0".to_owned(),
        "i32" => range(i32::MIN.into(), i32::MAX as u128),
        "i64" => range(i64::MIN.into(), i64::MAX as u128),
        other => other.to_owned(),
    }
}

/// Returns the place of an error: the offset of the first byte, and the number of bytes.
fn place(text: &str, location: Location) -> (usize, usize) {
    let span = location.span();
    let start = match span.byte_offset() {
        Some(start) => start as usize,
        None => offset_of(text, location.line() as usize, location.column() as usize),
    };
    let len = span.byte_len().map_or(0, |len| len as usize);
    let start = floor(text, start);
    let end = floor(text, start.saturating_add(len));
    (start, end - start)
}

/// Returns an integer without its leading zeros, if it has any.
pub(crate) fn without_zeros(raw: &str) -> Option<String> {
    let digits = raw.trim_start_matches('-');
    let is_number = digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    let bare = digits.trim_start_matches('0');
    let sign = &raw[..raw.len() - digits.len()];
    (is_number && digits.len() > 1)
        .then(|| format!("{sign}{}", if bare.is_empty() { "0" } else { bare }))
}

/// Returns the comment that hides the closing bracket of a list or mapping that is open at `until`.
fn cutting_comment(text: &str, until: usize) -> Option<(usize, usize)> {
    let mut open = 0_usize;
    let mut found = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if start >= until {
            break;
        }
        // The quote that is open, and whether a value may begin here.
        let mut quote = None;
        let mut begins = true;
        let mut before = ' ';
        for (at, c) in line.char_indices() {
            match c {
                _ if quote.is_some() => quote = quote.filter(|&open| open != c),
                '#' if before.is_whitespace() => {
                    if open > 0 && line[at..].contains(['}', ']']) {
                        found = found.or(Some((start + at, line[at..].trim_end().len())));
                    }
                    break;
                }
                '"' | '\'' if begins => quote = Some(c),
                '{' | '[' if begins => open += 1,
                '}' | ']' if open > 0 => open -= 1,
                _ => {}
            }
            begins = match c {
                '{' | '[' | ',' => open > 0,
                ' ' | '\t' => begins || matches!(before, ':' | '-'),
                '-' => begins,
                _ => false,
            };
            before = c;
            found = found.filter(|_| open > 0);
        }
        start += line.len();
    }
    found
}

/// Returns the offset of a line and a column. The column is in characters, and both are counted
/// from 1.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let mut lines = text.split_inclusive('\n');
    let before = lines.by_ref().take(line.saturating_sub(1));
    let before: usize = before.map(str::len).sum();
    let line = lines.next().unwrap_or_default();
    let mut chars = line.char_indices();
    before
        + chars
            .nth(column.saturating_sub(1))
            .map_or(line.len(), |(at, _)| at)
}

/// Returns the start of the character that contains a byte.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
