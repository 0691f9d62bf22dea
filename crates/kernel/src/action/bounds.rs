//! What an action may be, without all options.

use super::{Action, Legal};

/// What the last parameter of a verb may be, given those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// The options must be looked at.
    Unknown,
    /// Every value from `low` to `high`; none when `low > high`. For a verb without parameters any
    /// span with a value means that it is offered.
    Span {
        /// The least value.
        low: i32,
        /// The greatest value.
        high: i32,
    },
}

impl Bounds {
    /// Nothing is admitted.
    pub const NONE: Self = Self::Span { low: 1, high: 0 };

    /// Lets an action through that is within the bounds of its last parameter.
    #[inline]
    #[must_use]
    pub fn admit(self, action: Action) -> Option<Legal> {
        let Self::Span { low, high } = self else {
            return None;
        };
        let fits = match action.args().last() {
            Some(last) => (low..=high).contains(last),
            None => low <= high,
        };
        fits.then_some(Legal(action))
    }
}
