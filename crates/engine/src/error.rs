//! The error for a value that can be described in one sentence. Problems in a file are a
//! [`LoadError`].
//!
//! [`LoadError`]: crate::LoadError

/// An error about a value from a user or another program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The text is not a seed.
    #[error(
        "a seed must have 1 to {most} characters (a-z, 0-9, `-`, `_` or `.`) and begin with a \
         letter or a digit"
    )]
    Seed {
        /// The maximum number of characters in a seed.
        most: usize,
    },
    /// The name or value of a ruleset option is not valid. The message says what is valid.
    #[error("{0}")]
    Option(String),
    /// A lint can't have the given level. The message gives the reason.
    #[error("{0}")]
    Level(String),
    /// A name is not valid for a player. The message says what is required.
    #[error("{0}")]
    Name(String),
    /// A state can't be written as a position. The message gives the reason.
    #[error("{0}")]
    Position(String),
}

/// Returns the message, for use in a longer message.
impl From<EngineError> for String {
    fn from(error: EngineError) -> Self {
        error.to_string()
    }
}
