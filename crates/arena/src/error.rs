//! Errors in setting up a server.

/// An error in setting up a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArenaError {
    /// A secret is too short or too long.
    #[error("a secret must have {least} to {most} characters, found {length}")]
    Secret {
        /// The fewest characters.
        least: usize,
        /// The most characters.
        most: usize,
        /// The number of characters found.
        length: usize,
    },
}
