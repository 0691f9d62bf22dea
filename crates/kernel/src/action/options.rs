//! The options of a player at one decision.

use super::{Action, Bounds, Domain, LegalAction, MAX_SLOTS, Offer};
use crate::id::Verb;

/// The options of a player at one decision. Offers must not overlap, so that each action is counted
/// once. The products are never expanded.
#[derive(Debug, Default)]
pub struct Options {
    pub(super) offers: Vec<Offer>,
    pub(super) pool: Vec<i32>,
    total: u64,
    /// The steps of all plans, concatenated.
    pub(super) steps: Vec<Offer>,
    pub(super) ends: Vec<usize>,
    pub(super) plans: u64,
    /// The verb whose parameters may come in any order.
    unordered: Option<Verb>,
}

/// The reason why an action was not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdmissionError {
    /// The verb is not offered.
    #[error("the verb is not offered")]
    Verb,
    /// The verb is offered with a different number of parameters.
    #[error("the verb is offered with {wants} parameters")]
    Count {
        /// The number of parameters in the offer.
        wants: usize,
    },
    /// The parameter at this index, counted from 0, is not offered with the parameters before it.
    #[error("parameter {} is not offered with those before it", .0 + 1)]
    Slot(usize),
}

const MOST_TOTAL: u64 = (1 << 63) - 1;

pub(super) fn sum(total: u64, size: u64) -> Option<u64> {
    total.checked_add(size).filter(|&sum| sum <= MOST_TOTAL)
}

pub(super) fn more(total: u64, size: u64) -> u64 {
    sum(total, size).expect("offers stay below 2^63 actions")
}

impl Clone for Options {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.offers.clone_from(&other.offers);
        self.pool.clone_from(&other.pool);
        self.total = other.total;
        self.steps.clone_from(&other.steps);
        self.ends.clone_from(&other.ends);
        self.plans = other.plans;
        self.unordered = other.unordered;
    }
}

impl Options {
    /// Creates options without offers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all offers and plans but keeps the allocated memory.
    #[inline]
    pub fn clear(&mut self) {
        self.offers.clear();
        self.pool.clear();
        self.total = 0;
        self.steps.clear();
        self.ends.clear();
        self.plans = 0;
        self.unordered = None;
    }

    /// Accepts the parameters of a verb in any order, such as the cards of a set.
    /// [`Options::admit`] changes their order to that of the offer. If several orders fit, an order
    /// that begins with the first named parameter takes precedence.
    pub fn any_order(&mut self, verb: Verb) {
        self.unordered = Some(verb);
    }

    /// Returns the possible orders of `count` parameters of a verb, each as a list of indices into
    /// the named parameters. The given order comes first, followed by the other orders that begin
    /// with the same parameter. If there are more than [`MAX_SLOTS`] parameters, only the given
    /// order is returned because no action has that many parameters.
    pub fn orders_of(&self, verb: Verb, count: usize) -> impl Iterator<Item = Vec<usize>> + use<> {
        let may_turn = self.unordered == Some(verb) && count <= MAX_SLOTS;
        let as_named = (0..count).collect();
        let others = orders(if may_turn { count } else { 0 });
        std::iter::once(as_named).chain(others.skip(1))
    }

    /// Puts a list of distinct values into the pool and returns it as a domain.
    pub fn among(&mut self, values: impl IntoIterator<Item = i32>) -> Domain {
        let start = self.pool.len() as u32;
        values.into_iter().for_each(|value| self.pool.push(value));
        Domain::Among {
            start,
            len: self.pool.len() as u32 - start,
        }
    }

    /// Offers a verb with these domains. If a domain is empty, nothing is offered.
    ///
    /// # Panics
    /// Panics with more than [`MAX_SLOTS`] domains, or if all offers together exceed 2^63 actions.
    #[inline]
    pub fn offer(&mut self, verb: Verb, slots: &[Domain]) {
        let offered = self.offer_within(verb, slots, MOST_TOTAL);
        assert!(offered, "offers stay below 2^63 actions");
    }

    /// Offers a verb as [`Options::offer`] does, unless the total number of actions would exceed
    /// `most`. Returns whether the verb was offered.
    ///
    /// # Panics
    /// Panics with more than [`MAX_SLOTS`] domains, or if `most` is not below 2^63.
    // Inlining helps because callers know the number of domains. It saves 5 % of the work in a game
    // with orders.
    #[inline(always)]
    pub fn offer_within(&mut self, verb: Verb, slots: &[Domain], most: u64) -> bool {
        assert!(most <= MOST_TOTAL, "offers stay below 2^63 actions");
        let offer = Offer::new(verb, slots);
        let size = self.offer_len(&offer);
        let total = self.total.saturating_add(size);
        if total > most {
            return false;
        }
        if size > 0 {
            self.total = total;
            self.offers.push(offer);
        }
        true
    }

    /// Returns the offer's action with this number, modulo the offer's size. Divides `number` by
    /// that size.
    pub fn nth_of(&self, offer: &Offer, number: &mut u64) -> Action {
        let mut args = [0; MAX_SLOTS];
        for index in (0..offer.slots().len()).rev() {
            let size = self.size(offer.slots[index]);
            args[index] = self.value(offer.slots[index], *number % size);
            *number /= size;
        }
        Action {
            verb: offer.verb,
            count: offer.count,
            args,
        }
    }

    /// Returns the offers in the order in which they were added.
    #[inline]
    #[must_use]
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// Keeps the offers whose verbs fit, and the plans in which the verbs of all steps fit.
    pub fn keep(&mut self, fits: impl Fn(Verb) -> bool) {
        self.keep_plans(|steps| steps.iter().all(|step| fits(step.verb)));
        self.offers.retain(|offer| fits(offer.verb));
        self.total = self
            .offers
            .iter()
            .fold(0, |total, offer| more(total, self.offer_len(offer)));
    }

    /// Returns the number of actions.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.total
    }

    /// Reports whether there are no actions.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Reports whether a verb is offered.
    #[inline]
    #[must_use]
    pub fn has(&self, verb: Verb) -> bool {
        self.offers.iter().any(|offer| offer.verb == verb)
    }

    /// Returns the number of actions of one offer.
    #[must_use]
    pub fn offer_len(&self, offer: &Offer) -> u64 {
        offer
            .slots()
            .iter()
            .fold(1_u64, |size, &slot| size.saturating_mul(self.size(slot)))
    }

    /// Returns the total number of offers, steps and values, which measures the cost of reading or
    /// copying the options.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.offers.len() + self.steps.len() + self.ends.len() + self.pool.len()
    }

    /// Returns the number of values of a domain.
    #[inline]
    #[must_use]
    pub fn size(&self, domain: Domain) -> u64 {
        match domain {
            Domain::Is(_) => 1,
            Domain::Span { low, high } => (i64::from(high) - i64::from(low) + 1).max(0) as u64,
            Domain::Among { len, .. } => u64::from(len),
        }
    }

    /// Returns the value of a domain at an index, which must be below the size of the domain.
    #[inline]
    #[must_use]
    pub fn value(&self, domain: Domain, index: u64) -> i32 {
        match domain {
            Domain::Is(value) => value,
            Domain::Span { low, .. } => (i64::from(low) + index as i64) as i32,
            Domain::Among { start, .. } => self.pool[start as usize + index as usize],
        }
    }

    /// Returns the largest value of a domain; 0 if it is empty.
    #[must_use]
    pub fn largest(&self, domain: Domain) -> i32 {
        self.ends(Some(domain)).map_or(0, |(_, high)| high)
    }

    /// Returns the values of a domain as a list; `None` for a span.
    #[inline]
    #[must_use]
    pub fn list<'a>(&'a self, domain: &'a Domain) -> Option<&'a [i32]> {
        match *domain {
            Domain::Is(ref value) => Some(std::slice::from_ref(value)),
            Domain::Span { .. } => None,
            Domain::Among { start, len } => Some(&self.pool[start as usize..][..len as usize]),
        }
    }

    /// Reports whether a domain contains this value.
    #[inline]
    #[must_use]
    pub fn contains(&self, domain: Domain, value: i32) -> bool {
        match domain {
            Domain::Is(only) => only == value,
            Domain::Span { low, high } => (low..=high).contains(&value),
            Domain::Among { start, len } => {
                self.pool[start as usize..][..len as usize].contains(&value)
            }
        }
    }

    /// Returns the action with this number. Actions are numbered offer by offer, and the last
    /// parameter varies fastest.
    ///
    /// # Panics
    /// Panics if `number` is not below [`Options::len`].
    #[must_use]
    pub fn nth(&self, mut number: u64) -> Action {
        assert!(
            number < self.total,
            "action {number} is out of range: the number of actions is {}",
            self.total
        );
        for offer in &self.offers {
            let size = self.offer_len(offer);
            if number < size {
                return self.nth_of(offer, &mut number);
            }
            number -= size;
        }
        unreachable!("the sizes of the offers add up to the total")
    }

    /// Returns the bounds of a verb's last parameter, given the parameters before it. They are the
    /// least and the greatest value over all offers that fit.
    #[must_use]
    pub fn bounds_of(&self, verb: Verb, given: &[i32]) -> Bounds {
        let fits = |offer: &&Offer| {
            offer.verb == verb
                && offer.slots().len().saturating_sub(1) == given.len()
                && offer
                    .slots()
                    .iter()
                    .zip(given)
                    .all(|(&slot, &value)| self.contains(slot, value))
        };
        let mut found: Option<(i32, i32)> = None;
        for offer in self.offers.iter().filter(fits) {
            let Some((low, high)) = self.ends(offer.slots().last().copied()) else {
                continue;
            };
            found = Some(found.map_or((low, high), |all| (all.0.min(low), all.1.max(high))));
        }
        found.map_or(Bounds::NONE, |(low, high)| Bounds::Span { low, high })
    }

    /// Returns the least and the greatest value of the last parameter; zeros if there is no
    /// parameter.
    fn ends(&self, last: Option<Domain>) -> Option<(i32, i32)> {
        match last {
            None => Some((0, 0)),
            Some(Domain::Is(value)) => Some((value, value)),
            Some(Domain::Span { low, high }) => Some((low, high)),
            Some(Domain::Among { start, len }) => {
                let values = &self.pool[start as usize..][..len as usize];
                let low = values.iter().min().copied();
                low.zip(values.iter().max().copied())
            }
        }
    }

    /// Admits an action that was offered. If its parameters may come in any order, they have the
    /// order of the offer in the result.
    ///
    /// # Errors
    /// Returns the reason why the action is not offered.
    #[inline]
    pub fn admit(&self, action: Action) -> Result<LegalAction, AdmissionError> {
        self.admit_as_said(action).or_else(|why| {
            let turned = self
                .orders_of(action.verb, action.args().len())
                .find_map(|order| {
                    let args: Vec<i32> = order.iter().map(|&at| action.args()[at]).collect();
                    self.admit_as_said(Action::new(action.verb, &args)).ok()
                });
            turned.ok_or(why)
        })
    }

    #[inline]
    fn admit_as_said(&self, action: Action) -> Result<LegalAction, AdmissionError> {
        let mut best = AdmissionError::Verb;
        for offer in self.offers.iter().filter(|offer| offer.verb == action.verb) {
            if offer.count != action.count {
                best = AdmissionError::Count {
                    wants: offer.count as usize,
                };
                continue;
            }
            let wrong = offer
                .slots()
                .iter()
                .zip(action.args())
                .position(|(&slot, &value)| !self.contains(slot, value));
            match (wrong, best) {
                (None, _) => return Ok(LegalAction(action)),
                (Some(slot), AdmissionError::Slot(so_far)) => {
                    best = AdmissionError::Slot(so_far.max(slot))
                }
                (Some(slot), _) => best = AdmissionError::Slot(slot),
            }
        }
        Err(best)
    }
}

/// Returns all permutations of `count` indices in lexicographic order. `count` is at most
/// [`MAX_SLOTS`].
fn orders(count: usize) -> impl Iterator<Item = Vec<usize>> {
    let most = count.pow(count as u32);
    (0..most).filter_map(move |code| {
        let digit = |at: usize| code / count.pow((count - 1 - at) as u32) % count;
        let order: Vec<usize> = (0..count).map(digit).collect();
        (0..count).all(|at| order.contains(&at)).then_some(order)
    })
}
