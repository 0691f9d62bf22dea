//! `outnumber`: attacks whatever is weaker, until nothing is. `scripts/greedy.rhai` is the same
//! policy as a script, and a test holds the two equal.

use super::heuristics::{Eyes, armies, greatest, is_front, threat};
use crate::kernel::action::{Action, Bounds, Options};
use crate::kernel::fault::BotFault;
use crate::kernel::id::{Territory, Verb};
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};
use crate::script::plan::{FightRules, Next, Plan};

#[derive(Default)]
pub(super) struct Outnumber {
    eyes: Eyes,
    /// The fights of this turn.
    plan: Plan,
}

impl Outnumber {
    fn attack(&mut self, view: &View, ask: &Options) -> Option<Action> {
        if !self.eyes.may_attack(ask) {
            return None;
        }
        if self.plan.is_empty() {
            let decl = view.decl();
            self.plan = Plan::fights(
                decl,
                FightRules {
                    edge: Some(1),
                    ..FightRules::default()
                },
            );
            if let Some(stop) = self.eyes.stop(ask) {
                self.plan = std::mem::take(&mut self.plan).then(Plan::say(decl, stop));
            }
        }
        if let Next::Answer(action) = self
            .plan
            .next(view, &mut |verb, given| ask.bounds_of(verb, given))
        {
            return Some(action);
        }
        let worth =
            |&(from, to, _): &(Territory, Territory, Action)| armies(view, from) > armies(view, to);
        let next = self.eyes.attacks(ask).find(worth);
        // Where one must attack, the best of bad attacks it is.
        let difference = |from, to| f64::from(armies(view, from) - armies(view, to));
        next.map(|(_, _, action)| action)
            .or_else(|| self.eyes.stop(ask))
            .or_else(|| {
                self.eyes
                    .best_attack(ask, 0.0, difference)
                    .map(|(_, action)| action)
            })
    }

    fn decide(&mut self, view: &View, ask: &Options) -> Action {
        if let Some(action) = self.attack(view, ask) {
            return action;
        }
        if let Some(offer) = self.eyes.occupy(ask) {
            let [from, to, count] = [offer.slots()[0], offer.slots()[1], offer.slots()[2]];
            return Action::new(
                offer.verb,
                &[ask.value(from, 0), ask.value(to, 0), greatest(ask, count)],
            );
        }
        self.plan = Plan::default();
        let need = |at: Territory| {
            is_front(view, at).then(|| threat(view, at) - i64::from(armies(view, at)))
        };
        let placed = self.eyes.place(view, ask, need);
        let action = placed
            .or_else(|| self.eyes.trade(ask))
            .or_else(|| self.eyes.fortify(view, ask));
        action.unwrap_or_else(|| self.eyes.any(ask))
    }
}

impl Bot for Outnumber {
    fn start(&mut self, view: &View, luck: Stream) {
        *self = Self {
            eyes: Eyes::new(view, luck),
            plan: Plan::default(),
        };
    }

    fn try_next(
        &mut self,
        view: &View,
        bounds_of: &mut dyn FnMut(Verb, &[i32]) -> Bounds,
    ) -> Option<Action> {
        match self.plan.next(view, bounds_of) {
            Next::Answer(action) => Some(action),
            Next::Later | Next::Nothing => None,
        }
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(self.decide(view, ask)))
    }
}
