//! Offers: a verb with a domain for each of its parameters.

use super::MAX_SLOTS;
use crate::id::Verb;

/// The values that one parameter of an offer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// A single value.
    Is(i32),
    /// Every value from `low` to `high`, inclusive; empty if `low > high`.
    Span {
        /// The least value.
        low: i32,
        /// The greatest value.
        high: i32,
    },
    /// The values of a list that [`Options::among`](super::Options::among) put into the pool.
    Among {
        /// The index of the list's first value in the pool.
        start: u32,
        /// The number of values.
        len: u32,
    },
}

impl Domain {
    /// The values from 1 to `high`.
    #[must_use]
    pub const fn up_to(high: i32) -> Self {
        Self::Span { low: 1, high }
    }
}

/// A verb with a domain for each parameter. The offer is the product of these domains.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// The verb.
    pub verb: Verb,
    pub(super) count: u8,
    pub(super) slots: [Domain; MAX_SLOTS],
}

impl Offer {
    /// Creates an offer from a verb and the domains of its parameters.
    ///
    /// # Panics
    /// Panics with more than [`MAX_SLOTS`] domains.
    #[inline]
    #[must_use]
    pub fn new(verb: Verb, slots: &[Domain]) -> Self {
        let mut all = [Domain::Is(0); MAX_SLOTS];
        all[..slots.len()].copy_from_slice(slots);
        Self {
            verb,
            count: slots.len() as u8,
            slots: all,
        }
    }

    /// Returns the domains of the parameters.
    #[inline]
    #[must_use]
    pub fn slots(&self) -> &[Domain] {
        &self.slots[..self.count as usize]
    }
}
