//! The reasons that a person gives no answer, or that people can't be asked.

use std::io;

use risk_engine::load::diag::{Finding, LoadError};

/// A person's wish other than an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// To stop; the game is kept.
    Quit,
    /// To return to the position after this number of answers.
    Undo(u64),
    /// The same, although chance has intervened since. The record marks it.
    TakeBack(u64),
}

/// The reason that people can't be asked.
#[derive(Debug)]
pub enum TableError {
    /// An error in the input of people, or in the place where they are asked.
    Input(LoadError),
    /// A failed write: what could not be written, and why.
    Write(String, io::Error),
}

impl TableError {
    /// Creates an error for bad input that is not in a file.
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

/// The reason that there is no answer.
pub(super) enum Stopped {
    Wish(Wish),
    Error(TableError),
}

impl From<TableError> for Stopped {
    fn from(error: TableError) -> Self {
        Self::Error(error)
    }
}
