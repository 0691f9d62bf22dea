//! Why a person gives no answer, and why people can't be asked.

use std::io;

use risk_engine::load::diag::{Finding, LoadError};

/// What a person wants of the game beside an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// To stop; the game is kept.
    Quit,
    /// The game as it was after so many answers.
    Undo(u64),
    /// The same, though chance has spoken since: the record marks it.
    TakeBack(u64),
}

/// Why people can't be asked.
#[derive(Debug)]
pub enum TableError {
    /// What is wrong with what came from them, or with where they are.
    Input(LoadError),
    /// What could not be written, and why.
    Write(String, io::Error),
}

impl TableError {
    /// Bad input that is no file's.
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

/// Why there is no answer.
pub(super) enum Stopped {
    /// A person wants something else.
    Wish(Wish),
    /// They can't be asked.
    Error(TableError),
}

impl From<TableError> for Stopped {
    fn from(error: TableError) -> Self {
        Self::Error(error)
    }
}
