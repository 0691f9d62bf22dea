//! Bounds of an action, for checks without computing all options.

use super::{Action, LegalAction};

/// The bounds of a verb's last parameter, given the parameters before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// The bounds are not known. The options decide.
    Unknown,
    /// Every value from `low` to `high`; no value if `low > high`. For a verb without parameters, a
    /// span with at least one value means that the verb is offered.
    Span {
        /// The least value.
        low: i32,
        /// The greatest value.
        high: i32,
    },
}

impl Bounds {
    /// The bounds that admit no value.
    pub const NONE: Self = Self::Span { low: 1, high: 0 };

    /// The bounds of a verb without parameters that is offered.
    pub const OFFERED: Self = Self::only(0);

    /// Admits a single value.
    #[must_use]
    pub const fn only(value: i32) -> Self {
        Self::Span {
            low: value,
            high: value,
        }
    }

    /// Admits the values from 1 to `high`.
    #[must_use]
    pub const fn up_to(high: i32) -> Self {
        Self::Span { low: 1, high }
    }

    /// Admits an action whose last parameter is within the bounds.
    #[inline]
    #[must_use]
    pub fn admit(self, action: Action) -> Option<LegalAction> {
        let Self::Span { low, high } = self else {
            return None;
        };
        let fits = match action.args().last() {
            Some(last) => (low..=high).contains(last),
            None => low <= high,
        };
        fits.then_some(LegalAction(action))
    }
}
