//! The error for values that one sentence explains. A file's problems are a [`LoadError`].
//!
//! [`LoadError`]: crate::LoadError

/// Why a value from a user or another program can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The text is not a seed.
    #[error(
        "a seed must have 1 to {most} letters (a to z), digits, `-`, `_` and `.`, with a letter or \
         a digit first"
    )]
    Seed {
        /// The most characters of a seed.
        most: usize,
    },
    /// A name or value of a ruleset's option is not possible: which, and what is possible.
    #[error("{0}")]
    Option(String),
    /// A lint can't have the given level: why not.
    #[error("{0}")]
    Level(String),
    /// A name is not valid for a player: what a name must be.
    #[error("{0}")]
    Name(String),
    /// A state can't be written as a position: why not.
    #[error("{0}")]
    Position(String),
}

/// Returns the message, for use in a longer one.
impl From<EngineError> for String {
    fn from(error: EngineError) -> Self {
        error.to_string()
    }
}
