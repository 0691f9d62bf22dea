//! Why a value can't be used, where one text says all: what is wrong with files is a [`LoadError`].
//!
//! [`LoadError`]: crate::LoadError

/// Why a value that a user or another program gave can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The text is no seed.
    #[error(
        "a seed has 1 to {most} letters (a to z), digits, `-`, `_` and `.`, and begins with a \
         letter or a digit"
    )]
    Seed {
        /// The most characters of one.
        most: usize,
    },
    /// A name or a value of a ruleset's options is not possible: which, and what is.
    #[error("{0}")]
    Option(String),
    /// A lint can't have the level that it is given: why not.
    #[error("{0}")]
    Level(String),
    /// No player can have this name: what a name must be.
    #[error("{0}")]
    Name(String),
    /// A state has no text of a position: why not.
    #[error("{0}")]
    Position(String),
}

/// The words, for messages that go on.
impl From<EngineError> for String {
    fn from(error: EngineError) -> Self {
        error.to_string()
    }
}
