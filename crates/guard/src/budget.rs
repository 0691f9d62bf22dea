//! The operation budget of a call, and the limits that a call can exceed.

/// The maximum number of operations in a call of a script. Operations are counted rather than
/// timed, so the budget is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Default for Budget {
    fn default() -> Self {
        Self(300_000)
    }
}

/// A limit that a call of a script exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exceeded {
    /// The call used all of its operations.
    Operations,
    /// The script uses too much memory at once.
    Memory,
    /// The script made or copied too many elements of arrays and entries of maps.
    Values,
    /// The script allocated too much memory in total, including memory that it has freed.
    Copies,
    /// A string, an array or a map would have become too large.
    Size,
    /// The calls of the script's functions were nested too deeply.
    Depth,
    /// The work of the thread was interrupted from outside.
    Interrupt,
}

impl Exceeded {
    /// Reports whether the call used up its budget, either of operations or of total memory.
    #[must_use]
    pub const fn is_budget(self) -> bool {
        matches!(self, Self::Operations | Self::Values | Self::Copies)
    }
}
