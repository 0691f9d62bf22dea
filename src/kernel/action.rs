//! Actions, and options as products of small domains.

use super::id::Verb;

/// The most parameters a verb can have.
pub const MAX_SLOTS: usize = 4;

/// One decision: a verb and its parameters, as the ruleset declares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// What is done.
    pub verb: Verb,
    count: u8,
    args: [i32; MAX_SLOTS],
}

impl Action {
    /// An action.
    ///
    /// # Panics
    /// With more than [`MAX_SLOTS`] parameters.
    #[inline]
    #[must_use]
    pub fn new(verb: Verb, args: &[i32]) -> Self {
        assert!(
            args.len() <= MAX_SLOTS,
            "an action has at most {MAX_SLOTS} parameters"
        );
        let mut all = [0; MAX_SLOTS];
        for (slot, &arg) in all.iter_mut().zip(args) {
            *slot = arg;
        }
        Self {
            verb,
            count: args.len() as u8,
            args: all,
        }
    }

    /// The parameters.
    #[inline]
    #[must_use]
    pub fn args(&self) -> &[i32] {
        &self.args[..self.count as usize]
    }
}

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
    /// Nothing.
    pub const NONE: Self = Self::Span { low: 1, high: 0 };

    /// Lets an action through that is within the limit of its last parameter.
    #[inline]
    #[must_use]
    pub fn admit(self, said: Action) -> Option<Legal> {
        let Self::Span { low, high } = self else {
            return None;
        };
        let fits = match said.args().last() {
            Some(last) => (low..=high).contains(last),
            None => low <= high,
        };
        fits.then_some(Legal(said))
    }
}

/// An action that was offered. Only [`Options::admit`] and [`Bounds::admit`] make one, so an
/// illegal move inside the kernel does not type-check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legal(Action);

impl Legal {
    /// The action itself.
    #[inline]
    #[must_use]
    pub const fn action(self) -> Action {
        self.0
    }
}

impl std::ops::Deref for Legal {
    type Target = Action;
    fn deref(&self) -> &Action {
        &self.0
    }
}

/// The values that one parameter of an offer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// This value alone.
    Is(i32),
    /// Every value from `low` to `high`, both included; empty when `low > high`.
    Span {
        /// The least value.
        low: i32,
        /// The greatest value.
        high: i32,
    },
    /// The values of a list that [`Options::among`] put into the pool.
    Among {
        /// Where the list starts in the pool.
        start: u32,
        /// How many values it has.
        len: u32,
    },
}

/// A verb with a domain for each parameter: it stands for the product of its domains.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// What may be done.
    pub verb: Verb,
    count: u8,
    slots: [Domain; MAX_SLOTS],
}

impl Offer {
    /// A verb with these domains.
    ///
    /// # Panics
    /// With more than [`MAX_SLOTS`] domains.
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

    /// The domains of the parameters.
    #[must_use]
    pub fn slots(&self) -> &[Domain] {
        &self.slots[..self.count as usize]
    }
}

/// Everything a player may do at one decision. The offers of one ask must not overlap, so that each
/// action counts once; the product is never written out.
#[derive(Clone, Debug, Default)]
pub struct Options {
    offers: Vec<Offer>,
    pool: Vec<i32>,
    total: u64,
    /// The steps of all plans, and where each plan ends in them.
    steps: Vec<Offer>,
    ends: Vec<usize>,
    plans: u64,
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

/// Both together, if that is no more actions than options may have.
fn sum(total: u64, size: u64) -> Option<u64> {
    total.checked_add(size).filter(|&sum| sum < 1 << 63)
}

fn more(total: u64, size: u64) -> u64 {
    sum(total, size).expect("offers stay below 2^63 actions")
}

impl Options {
    /// Nothing offered.
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
        let offer = Offer::new(verb, slots);
        let size = self.offer_len(&offer);
        if size > 0 {
            self.total = more(self.total, size);
            self.offers.push(offer);
        }
    }

    /// Adds plans: whole actions of several steps each, as the product of the steps' products. What
    /// a game counts as one action may be a plan; the offers are the first steps. A plan with an
    /// empty domain is no plan.
    ///
    /// # Panics
    /// As [`Options::offer`].
    pub fn plan(&mut self, steps: &[Offer]) {
        let size = self.plan_len(steps);
        if size > 0 {
            self.plans = more(self.plans, size);
            self.steps.extend_from_slice(steps);
            self.ends.push(self.steps.len());
        }
    }

    fn plan_len(&self, steps: &[Offer]) -> u64 {
        steps.iter().fold(1_u64, |size, step| {
            size.saturating_mul(self.offer_len(step))
        })
    }

    /// How many plans there are; 0 where a phase's options are its whole actions.
    #[must_use]
    pub const fn plans(&self) -> u64 {
        self.plans
    }

    /// The plan with this number: plans in the order in which they were added, the last parameter
    /// of the last step fastest.
    ///
    /// # Panics
    /// When `number` is not below [`Options::plans`].
    #[must_use]
    pub fn nth_plan(&self, mut number: u64) -> Vec<Action> {
        assert!(
            number < self.plans,
            "plan {number} of {} was asked for",
            self.plans
        );
        let mut start = 0;
        for &end in &self.ends {
            let steps = &self.steps[start..end];
            let size: u64 = steps.iter().map(|step| self.offer_len(step)).product();
            if number < size {
                let mut actions: Vec<Action> = steps
                    .iter()
                    .rev()
                    .map(|step| self.nth_of(step, &mut number))
                    .collect();
                actions.reverse();
                return actions;
            }
            number -= size;
            start = end;
        }
        unreachable!("the sizes of the plans add up to their total")
    }

    /// Is this one of the plans?
    #[must_use]
    pub fn has_plan(&self, said: &[Action]) -> bool {
        let mut start = 0;
        self.ends.iter().any(|&end| {
            let steps = &self.steps[start..end];
            start = end;
            let fits =
                |(step, said): (&Offer, &Action)| step.verb == said.verb && self.covers(step, said);
            steps.len() == said.len() && steps.iter().zip(said).all(fits)
        })
    }

    fn covers(&self, offer: &Offer, said: &Action) -> bool {
        let mut slots = offer.slots().iter().zip(said.args());
        offer.count == said.count && slots.all(|(&slot, &value)| self.contains(slot, value))
    }

    /// Makes each offer a plan of one step.
    pub fn plan_options(&mut self) {
        for index in 0..self.offers.len() {
            let offer = self.offers[index];
            self.plan(&[offer]);
        }
    }

    /// Drops the plans that don't fit.
    pub fn keep_plans(&mut self, fits: impl Fn(&[Offer]) -> bool) {
        let (steps, ends) = (
            std::mem::take(&mut self.steps),
            std::mem::take(&mut self.ends),
        );
        self.plans = 0;
        let mut start = 0;
        for end in ends {
            let plan = &steps[start..end];
            if fits(plan) {
                self.plan(plan);
            }
            start = end;
        }
    }

    /// The action of an offer with this number, counted modulo the offer's size; what is left is
    /// the number divided by it.
    fn nth_of(&self, offer: &Offer, number: &mut u64) -> Action {
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

    /// The offers.
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

    /// What the last parameter of a verb may be, given those before it: of a list, from its least
    /// value to its greatest.
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
        let Some(offer) = self.offers.iter().find(fits) else {
            return Bounds::NONE;
        };
        match offer.slots().last().copied() {
            None => Bounds::Span { low: 0, high: 0 },
            Some(Domain::Is(value)) => Bounds::Span {
                low: value,
                high: value,
            },
            Some(Domain::Span { low, high }) => Bounds::Span { low, high },
            Some(Domain::Among { start, len }) => {
                let values = &self.pool[start as usize..][..len as usize];
                let (low, high) = (values.iter().min(), values.iter().max());
                low.zip(high)
                    .map_or(Bounds::NONE, |(&low, &high)| Bounds::Span { low, high })
            }
        }
    }

    /// Lets an action through if it was offered.
    ///
    /// # Errors
    /// Says what rules it out.
    #[inline]
    pub fn admit(&self, said: Action) -> Result<Legal, Illegal> {
        let mut best = Illegal::Verb;
        for offer in self.offers.iter().filter(|offer| offer.verb == said.verb) {
            if offer.count != said.count {
                best = Illegal::Count {
                    wants: offer.count as usize,
                };
                continue;
            }
            let wrong = offer
                .slots()
                .iter()
                .zip(said.args())
                .position(|(&slot, &value)| !self.contains(slot, value));
            match (wrong, best) {
                (None, _) => return Ok(Legal(said)),
                (Some(slot), Illegal::Slot(so_far)) => best = Illegal::Slot(so_far.max(slot)),
                (Some(slot), _) => best = Illegal::Slot(slot),
            }
        }
        Err(best)
    }
}

/// Options as plain numbers, to hand them to another process.
impl Options {
    /// The numbers.
    #[must_use]
    pub fn numbers(&self) -> Vec<i64> {
        let mut all = vec![self.offers.len() as i64];
        for offer in self.offers.iter().chain(&self.steps) {
            all.extend([i64::from(offer.verb.0), i64::from(offer.count)]);
            for slot in offer.slots() {
                all.extend(match *slot {
                    Domain::Is(value) => [0, i64::from(value), 0],
                    Domain::Span { low, high } => [1, i64::from(low), i64::from(high)],
                    Domain::Among { start, len } => [2, i64::from(start), i64::from(len)],
                });
            }
        }
        // How many steps there are stands behind them: the ends say it.
        all.push(self.ends.len() as i64);
        all.extend(self.ends.iter().map(|&end| end as i64));
        all.extend(self.pool.iter().map(|&value| i64::from(value)));
        let steps = self.ends.last().map_or(0, |&end| end as i64);
        [vec![steps], all].concat()
    }

    /// The options that these numbers tell of.
    ///
    /// # Errors
    /// When they are those of no options.
    pub fn from_numbers(numbers: &[i64]) -> Result<Self, String> {
        let mut from = numbers.iter().copied();
        let mut next = || {
            from.next()
                .ok_or_else(|| "the numbers of options end too early".to_owned())
        };
        let wrong = || "a number of options is out of range".to_owned();
        let small = |number: i64| usize::try_from(number).ok().filter(|&n| n <= numbers.len());
        let index = |number: i64| u32::try_from(number).map_err(|_| wrong());
        let (steps, offers) = (
            small(next()?).ok_or_else(wrong)?,
            small(next()?).ok_or_else(wrong)?,
        );
        let mut read = Vec::new();
        for _ in 0..steps + offers {
            let verb = u8::try_from(next()?).map_err(|_| wrong())?;
            let count = small(next()?)
                .filter(|&count| count <= MAX_SLOTS)
                .ok_or_else(wrong)?;
            let mut domains = [Domain::Is(0); MAX_SLOTS];
            for domain in &mut domains[..count] {
                let (kind, a, b) = (next()?, next()?, next()?);
                let int = |number: i64| i32::try_from(number).map_err(|_| wrong());
                *domain = match kind {
                    0 => Domain::Is(int(a)?),
                    1 => Domain::Span {
                        low: int(a)?,
                        high: int(b)?,
                    },
                    2 => Domain::Among {
                        start: index(a)?,
                        len: index(b)?,
                    },
                    _ => return Err(wrong()),
                };
            }
            read.push(Offer::new(Verb(verb), &domains[..count]));
        }
        let count = small(next()?).ok_or_else(wrong)?;
        let ends = (0..count)
            .map(|_| next().and_then(|end| small(end).ok_or_else(wrong)))
            .collect::<Result<Vec<_>, _>>()?;
        let pool = from
            .map(|value| i32::try_from(value).map_err(|_| wrong()))
            .collect::<Result<Vec<_>, _>>()?;
        let within = |slot: &Domain| match *slot {
            Domain::Among { start, len } => start as usize + len as usize <= pool.len(),
            _ => true,
        };
        let ordered = ends.is_sorted() && ends.last().copied().unwrap_or(0) == steps;
        if !ordered || !read.iter().all(|offer| offer.slots().iter().all(within)) {
            return Err(wrong());
        }
        let mut options = Self {
            pool,
            ..Self::default()
        };
        let mut total = 0_u64;
        for offer in &read[..offers] {
            total = sum(total, options.offer_len(offer)).ok_or_else(wrong)?;
            options.offer(offer.verb, offer.slots());
        }
        let (mut start, mut plans) = (0, 0_u64);
        for end in ends {
            let steps = &read[offers + start..offers + end];
            plans = sum(plans, options.plan_len(steps)).ok_or_else(wrong)?;
            options.plan(steps);
            start = end;
        }
        Ok(options)
    }
}
