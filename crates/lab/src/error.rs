//! Errors about unusable names and words.

/// An unusable name or word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabError {
    /// The name is invalid for a bot of a ladder; the message describes valid names.
    #[error("{0}")]
    Name(String),
    /// The text is no shard of a tournament; the message describes valid ones.
    #[error("{0}")]
    Shard(String),
}
