//! Errors in values from outside the kernel.

/// An error in a value from outside the kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// A position is inconsistent. The text is the reason, as a sentence fragment.
    #[error("{0}")]
    Position(String),
    /// A text is not an action of the ruleset. The text of the error is the reason.
    #[error("{0}")]
    Action(String),
}

/// Converts the error to its message, for use in a longer message.
impl From<KernelError> for String {
    fn from(error: KernelError) -> Self {
        error.to_string()
    }
}
