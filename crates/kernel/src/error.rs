//! Why a value from outside is none of a game.

/// Why a value from outside is none of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// A position does not fit together: what does not, as a fragment.
    #[error("{0}")]
    Position(String),
    /// Words are no action of the ruleset: which word is not understood.
    #[error("{0}")]
    Action(String),
}

/// The words, for messages that go on.
impl From<KernelError> for String {
    fn from(error: KernelError) -> Self {
        error.to_string()
    }
}
