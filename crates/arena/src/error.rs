//! Errors in setting up a server.

/// An error in setting up a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// A secret is too short or too long.
    #[error("a secret must have {least} to {most} characters, found {length}")]
    Secret {
        /// The minimum number of characters.
        least: usize,
        /// The maximum number of characters.
        most: usize,
        /// The actual number of characters.
        length: usize,
    },
}
