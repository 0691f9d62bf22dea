//! Plans: complete actions with several steps, in addition to the options for the first step.

use super::options::more;
use super::{Action, LegalAction, Offer, Options};

impl Options {
    /// Adds plans, which are complete actions with several steps: the product of the steps'
    /// products. A plan may be a single action in the terms of the game. The offers are the first
    /// steps of plans. If a step has an empty domain, no plan is added.
    ///
    /// # Panics
    /// Panics with too many domains, or too many actions in all: see [`Options::offer`].
    pub fn plan(&mut self, steps: &[Offer]) {
        let size = self.plan_len(steps);
        if size > 0 {
            self.plans = more(self.plans, size);
            self.steps.extend_from_slice(steps);
            self.ends.push(self.steps.len());
        }
    }

    /// Returns the number of plans for these steps; [`u64::MAX`] if the number does not fit.
    #[must_use]
    pub fn plan_len(&self, steps: &[Offer]) -> u64 {
        steps.iter().fold(1_u64, |size, step| {
            size.saturating_mul(self.offer_len(step))
        })
    }

    /// Returns the lists of steps in the order in which they were added. Each list is the product
    /// of its steps' products.
    pub fn plan_offers(&self) -> impl Iterator<Item = &[Offer]> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, &end)| &self.steps[start..end])
    }

    /// Returns the number of plans; 0 if a phase's options are complete actions.
    #[must_use]
    pub const fn plans(&self) -> u64 {
        self.plans
    }

    /// Returns the plan with this number. Plans are numbered in the order in which they were added,
    /// and the last parameter of the last step varies fastest.
    ///
    /// # Panics
    /// Panics if `number` is not below [`Options::plans`].
    #[must_use]
    pub fn nth_plan(&self, mut number: u64) -> Vec<Action> {
        assert!(
            number < self.plans,
            "plan {number} is out of range: the number of plans is {}",
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

    /// Admits the first step of a plan if `actions` is a plan; `None` if it is not.
    #[must_use]
    pub fn admit_plan(&self, actions: &[Action]) -> Option<LegalAction> {
        let first = actions.first().filter(|_| self.has_plan(actions));
        first.map(|&first| LegalAction(first))
    }

    /// Reports whether `actions` is one of the plans.
    #[must_use]
    pub fn has_plan(&self, actions: &[Action]) -> bool {
        let mut start = 0;
        self.ends.iter().any(|&end| {
            let steps = &self.steps[start..end];
            start = end;
            let fits = |(step, action): (&Offer, &Action)| {
                step.verb == action.verb && self.covers(step, action)
            };
            steps.len() == actions.len() && steps.iter().zip(actions).all(fits)
        })
    }

    fn covers(&self, offer: &Offer, action: &Action) -> bool {
        let mut slots = offer.slots().iter().zip(action.args());
        offer.count == action.count && slots.all(|(&slot, &value)| self.contains(slot, value))
    }

    /// Converts each offer to a plan with one step.
    pub fn plan_options(&mut self) {
        for index in 0..self.offers.len() {
            let offer = self.offers[index];
            self.plan(&[offer]);
        }
    }

    /// Removes the plans that don't fit.
    pub fn keep_plans(&mut self, fits: impl Fn(&[Offer]) -> bool) {
        let steps = std::mem::take(&mut self.steps);
        let ends = std::mem::take(&mut self.ends);
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
}
