//! Everything that a player may do at one decision.

use super::{Action, Bounds, Domain, Legal, MAX_SLOTS, Offer};
use crate::id::Verb;

/// Everything a player may do at one decision. The offers of one ask must not overlap, so that each
/// action counts once; the product is never written out.
#[derive(Debug, Default)]
pub struct Options {
    pub(super) offers: Vec<Offer>,
    /// The values of domains that are lists.
    pub(super) pool: Vec<i32>,
    /// How many actions the offers have together.
    total: u64,
    /// The steps of all plans, one plan behind the other.
    pub(super) steps: Vec<Offer>,
    /// Where each plan ends in the steps.
    pub(super) ends: Vec<usize>,
    /// How many actions the plans have together.
    pub(super) plans: u64,
    /// The verb whose parameters may be named in any order, if there is one.
    unordered: Option<Verb>,
}

/// Why an action was not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The verb is not offered here.
    Verb,
    /// The verb is offered with another number of parameters.
    Count {
        /// How many parameters it takes.
        wants: usize,
    },
    /// The parameter at this index (counted from 0) rules it out, given those before it.
    Slot(usize),
}

/// The most actions that all offers may have together.
const MOST_TOTAL: u64 = (1 << 63) - 1;

/// Both together, if that is no more actions than options may have.
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

    /// Takes everything over and keeps the memory.
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
    /// Options without an offer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all offers and keeps the memory.
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

    /// Lets the parameters of a verb be named in any order, those of a set of cards say:
    /// [`Options::admit`] brings them into the order in which they are offered. Of several such
    /// orders that is the one which begins with what was named first.
    pub fn any_order(&mut self, verb: Verb) {
        self.unordered = Some(verb);
    }

    /// The orders in which so many parameters of a verb may be meant: by the place of each among
    /// those that were named. As they were named comes first, then what begins with the same one.
    /// More than an action has stay as they are: no order of them is an answer.
    pub fn orders_of(&self, verb: Verb, count: usize) -> impl Iterator<Item = Vec<usize>> + use<> {
        let may_turn = self.unordered == Some(verb) && count <= MAX_SLOTS;
        let as_named = (0..count).collect();
        let others = orders(if may_turn { count } else { 0 });
        std::iter::once(as_named).chain(others.skip(1))
    }

    /// Puts a list of distinct values into the pool and returns it as a domain.
    pub fn among(&mut self, values: impl IntoIterator<Item = i32>) -> Domain {
        let start = self.pool.len() as u32;
        self.pool.extend(values);
        Domain::Among {
            start,
            len: self.pool.len() as u32 - start,
        }
    }

    /// Offers a verb with these domains. An offer with an empty domain is no offer.
    ///
    /// # Panics
    /// With more than [`MAX_SLOTS`] domains, or when all the offers together exceed 2^63 actions.
    #[inline]
    pub fn offer(&mut self, verb: Verb, slots: &[Domain]) {
        let offered = self.offer_within(verb, slots, MOST_TOTAL);
        assert!(offered, "offers stay below 2^63 actions");
    }

    /// Offers a verb as [`Options::offer`] does, unless all the offers together would then be more
    /// than `most` actions. Returns whether they are not.
    ///
    /// # Panics
    /// With more than [`MAX_SLOTS`] domains, or when `most` is not below 2^63.
    // Where the number of domains is known, this is a twentieth of the work of a game of orders.
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

    /// The action of an offer with this number, counted modulo the offer's size; what is left is
    /// the number divided by it.
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

    /// The offers in the order in which they were made.
    #[inline]
    #[must_use]
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// Keeps the offers of some verbs, and the plans whose steps are all of these.
    pub fn keep(&mut self, fits: impl Fn(Verb) -> bool) {
        self.keep_plans(|steps| steps.iter().all(|step| fits(step.verb)));
        self.offers.retain(|offer| fits(offer.verb));
        self.total = self
            .offers
            .iter()
            .fold(0, |total, offer| more(total, self.offer_len(offer)));
    }

    /// How many actions there are.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.total
    }

    /// Nothing to decide?
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Is there an offer of this verb?
    #[inline]
    #[must_use]
    pub fn has(&self, verb: Verb) -> bool {
        self.offers.iter().any(|offer| offer.verb == verb)
    }

    /// How many actions of one offer.
    #[must_use]
    pub fn offer_len(&self, offer: &Offer) -> u64 {
        offer
            .slots()
            .iter()
            .fold(1_u64, |size, &slot| size.saturating_mul(self.size(slot)))
    }

    /// How much there is to look at or to copy: offers, steps of plans, and values that are listed.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.offers.len() + self.steps.len() + self.ends.len() + self.pool.len()
    }

    /// How many values a domain has.
    #[inline]
    #[must_use]
    pub fn size(&self, domain: Domain) -> u64 {
        match domain {
            Domain::Is(_) => 1,
            Domain::Span { low, high } => (i64::from(high) - i64::from(low) + 1).max(0) as u64,
            Domain::Among { len, .. } => u64::from(len),
        }
    }

    /// The value of a domain at an index below its size.
    #[inline]
    #[must_use]
    pub fn value(&self, domain: Domain, index: u64) -> i32 {
        match domain {
            Domain::Is(value) => value,
            Domain::Span { low, .. } => (i64::from(low) + index as i64) as i32,
            Domain::Among { start, .. } => self.pool[start as usize + index as usize],
        }
    }

    /// Is the value in the domain?
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

    /// The action with this number: offers in order, the last parameter fastest.
    ///
    /// # Panics
    /// When `number` is not below [`Options::len`].
    #[must_use]
    pub fn nth(&self, mut number: u64) -> Action {
        assert!(
            number < self.total,
            "action {number} of {} was asked for",
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

    /// What the last parameter of a verb may be, given those before it: from the least to the
    /// greatest of all lists and offers that have them.
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

    /// The least and the greatest value of the last parameter; two zeros where there is none.
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

    /// Lets an action through if it was offered; where its parameters may be named in any order,
    /// in the order of the offer.
    ///
    /// # Errors
    /// Says what rules it out.
    #[inline]
    pub fn admit(&self, action: Action) -> Result<Legal, Illegal> {
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

    /// The action, if it is one of these as it is.
    #[inline]
    fn admit_as_said(&self, action: Action) -> Result<Legal, Illegal> {
        let mut best = Illegal::Verb;
        for offer in self.offers.iter().filter(|offer| offer.verb == action.verb) {
            if offer.count != action.count {
                best = Illegal::Count {
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
                (None, _) => return Ok(Legal(action)),
                (Some(slot), Illegal::Slot(so_far)) => best = Illegal::Slot(so_far.max(slot)),
                (Some(slot), _) => best = Illegal::Slot(slot),
            }
        }
        Err(best)
    }
}

/// All orders of so many things, at most [`MAX_SLOTS`], those that begin with the first of them
/// first.
fn orders(count: usize) -> impl Iterator<Item = Vec<usize>> {
    let most = count.pow(count as u32);
    (0..most).filter_map(move |code| {
        let digit = |at: usize| code / count.pow((count - 1 - at) as u32) % count;
        let order: Vec<usize> = (0..count).map(digit).collect();
        (0..count).all(|at| order.contains(&at)).then_some(order)
    })
}
