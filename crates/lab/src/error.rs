//! Errors about invalid names and words.

/// An invalid name or word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabError {
    /// The name is invalid for a ladder's bot. The message describes valid names.
    #[error("{0}")]
    Name(String),
    /// The text is not a valid shard of a tournament. The message describes valid shards.
    #[error("{0}")]
    Shard(String),
}
