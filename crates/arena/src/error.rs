//! Why a server can't be set up.

/// Why a server can't be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArenaError {
    /// A secret is too short or too long.
    #[error("a secret has {least} to {most} characters, and this one has {length}")]
    Secret {
        /// The fewest characters.
        least: usize,
        /// The most.
        most: usize,
        /// How many it has.
        length: usize,
    },
}
