//! How many operations a call into a script may take, and which limit one went beyond.

/// How many operations a call into a script may take. Counted, never timed, so it is the same
/// on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Default for Budget {
    fn default() -> Self {
        Self(300_000)
    }
}

/// Which limit a call of a script went beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exceeded {
    /// Its operations are used up.
    Operations,
    /// It holds too much memory.
    Memory,
    /// It took too much memory in all, whether it gave it back or not.
    Copies,
    /// A text, an array or a map would have grown too large.
    Size,
    /// Its functions called each other too deep.
    Depth,
}

impl Exceeded {
    /// Is it the budget of work that is used up, of operations or of copying?
    #[must_use]
    pub const fn is_budget(self) -> bool {
        matches!(self, Self::Operations | Self::Copies)
    }
}
