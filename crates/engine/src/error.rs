//! The error for a value that can be described in one sentence. Problems in a file are a
//! [`LoadError`].
//!
//! [`LoadError`]: crate::LoadError

/// An error about a value from a user or another program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The name or value of a ruleset option is not valid. The message says what is valid.
    #[error("{0}")]
    Option(String),
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
