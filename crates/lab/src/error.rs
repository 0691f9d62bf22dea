//! Why a name or a word can't be used.

/// Why a name or a word can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabError {
    /// No bot of a ladder can have this name: what a name must be.
    #[error("{0}")]
    Name(String),
    /// The text is no part of a tournament: what one is.
    #[error("{0}")]
    Shard(String),
}
