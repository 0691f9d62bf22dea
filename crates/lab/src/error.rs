//! Errors about invalid names and words.

/// An invalid name of a ladder's bot, or an invalid shard of a tournament. The message describes
/// what is valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LabError(pub String);
