//! Why a person gives no answer.

use crate::cli::Error;

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

/// Why there is no answer.
pub(super) enum Stopped {
    Wish(Wish),
    Error(Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}
