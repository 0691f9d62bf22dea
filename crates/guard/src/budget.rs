//! The operations that a call into a script may take, and the limit that a call exceeded.

/// The number of operations that a call into a script may take. Counted, never timed, so it is the
/// same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Default for Budget {
    fn default() -> Self {
        Self(300_000)
    }
}

/// The limit that a call of a script exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exceeded {
    /// The operations are used up.
    Operations,
    /// The script holds too much memory.
    Memory,
    /// The script took too much memory in all, including what it gave back.
    Copies,
    /// A text, an array or a map would have grown too large.
    Size,
    /// The script's functions called each other too deep.
    Depth,
}

impl Exceeded {
    /// Reports whether the budget of work is used up, of operations or of copying.
    #[must_use]
    pub const fn is_budget(self) -> bool {
        matches!(self, Self::Operations | Self::Copies)
    }
}
