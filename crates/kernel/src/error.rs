//! Errors in values from outside the kernel.

/// An error in a value from outside the kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// An inconsistent position: the reason, as a fragment of a sentence.
    #[error("{0}")]
    Position(String),
    /// Words that are not an action of the ruleset: the reason.
    #[error("{0}")]
    Action(String),
}

/// Returns the message, for use in a longer one.
impl From<KernelError> for String {
    fn from(error: KernelError) -> Self {
        error.to_string()
    }
}
