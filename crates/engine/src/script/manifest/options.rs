//! The options and tables that a ruleset declares.

use rhai::Dynamic;

use crate::error::EngineError;
use risk_kernel::board::Datum;

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// An integer.
    Number(i64),
    /// True or false.
    Flag(bool),
    /// A word from the option's list.
    Word(String),
}

impl OptionValue {
    pub(in crate::script) fn to_dynamic(&self) -> Dynamic {
        match self {
            Self::Number(number) => (*number).into(),
            Self::Flag(flag) => (*flag).into(),
            Self::Word(word) => word.clone().into(),
        }
    }
}

impl From<&OptionValue> for Datum {
    fn from(value: &OptionValue) -> Self {
        match value {
            OptionValue::Number(number) => Self::Number(*number),
            OptionValue::Flag(flag) => Self::Bool(*flag),
            OptionValue::Word(word) => Self::Text(word.clone()),
        }
    }
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// An option: its default value and its possible values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionInfo {
    /// The default value.
    pub default: OptionValue,
    /// The possible words; empty for numbers and flags.
    pub words: Vec<String>,
    /// The range of a number, both ends included.
    pub range: (i64, i64),
    /// A description in one line; empty if the ruleset has none for the option.
    pub about: String,
}

impl OptionInfo {
    /// Parses a value of the option.
    ///
    /// # Errors
    /// Returns an error that lists the possible values.
    pub fn read(&self, text: &str) -> Result<OptionValue, EngineError> {
        let value = match &self.default {
            OptionValue::Flag(_) => text.parse().ok().map(OptionValue::Flag),
            OptionValue::Number(_) => text
                .parse()
                .ok()
                .filter(|number| (self.range.0..=self.range.1).contains(number))
                .map(OptionValue::Number),
            OptionValue::Word(_) => self
                .words
                .contains(&text.to_owned())
                .then(|| OptionValue::Word(text.to_owned())),
        };
        value.ok_or_else(|| EngineError::Option(self.domain()))
    }

    /// Returns a description of the possible values.
    #[must_use]
    pub fn domain(&self) -> String {
        match &self.default {
            OptionValue::Flag(_) => "true or false".to_owned(),
            OptionValue::Number(_) => {
                format!("an integer from {} to {}", self.range.0, self.range.1)
            }
            OptionValue::Word(_) => self.words.join(" or "),
        }
    }
}

/// A table: its parameters' ranges, and a description.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableInfo {
    /// The range of each parameter, both ends included.
    pub ranges: Vec<(i32, i32)>,
    /// A description in one line; empty if the ruleset has none for the table.
    pub about: String,
}
