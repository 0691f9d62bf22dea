//! The reasons why a person gives no answer, or why people can't be asked.

use std::io;

use risk_text::diag::{Finding, LoadError};

/// A request of a person that is not an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableCommand {
    /// A request to stop. The game is kept.
    Quit,
    /// A request to return to the position after this number of answers.
    Undo(u64),
    /// A request like `Undo`, although a chance event has followed. The record marks the takeback.
    TakeBack(u64),
}

/// The reason why people can't be asked.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// An error in people's input, or in the console or pages.
    #[error(transparent)]
    Input(LoadError),
    /// A failed write: the target and the error.
    #[error("can't write {0}: {1}")]
    Write(String, #[source] io::Error),
}

impl TableError {
    /// Creates an error for invalid input that is not in a file.
    #[must_use]
    pub fn input(code: &str, text: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input(LoadError::one(Finding::error(code, text).help(help)))
    }
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        Self::Write("the output".to_owned(), error)
    }
}

/// The reason why there is no answer.
pub(super) enum Interruption {
    Wish(TableCommand),
    /// The player gives up. The game goes on without this player.
    Resign,
    Error(TableError),
}

impl From<TableError> for Interruption {
    fn from(error: TableError) -> Self {
        Self::Error(error)
    }
}
