//! `outnumber`: attacks whatever is weaker, until nothing is. `scripts/greedy.rhai` is the same
//! policy as a script, and a test holds the two equal.

use super::heuristics::{Heuristics, armies, greatest, is_front, threat};
use crate::kernel::action::{Action, Options};
use crate::kernel::fault::BotFault;
use crate::kernel::id::Territory;
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot, RuleQueries};
use crate::script::plan::{FightRules, Next, Plan};

#[derive(Default)]
pub(super) struct Outnumber {
    heuristics: Heuristics,
    /// The fights of this turn.
    plan: Plan,
}

impl Outnumber {
    fn attack(&mut self, view: &View, options: &Options) -> Option<Action> {
        if !self.heuristics.may_attack(options) {
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
            if let Some(stop) = self.heuristics.stop(options) {
                self.plan = std::mem::take(&mut self.plan).then(Plan::say(decl, stop));
            }
        }
        if let Next::Answer(action) = self
            .plan
            .next(view, &mut |verb, given| options.bounds_of(verb, given))
        {
            return Some(action);
        }
        let worth =
            |&(from, to, _): &(Territory, Territory, Action)| armies(view, from) > armies(view, to);
        let next = self.heuristics.attacks(options).find(worth);
        // Where one must attack, the best of bad attacks it is.
        let difference = |from, to| f64::from(armies(view, from) - armies(view, to));
        next.map(|(_, _, action)| action)
            .or_else(|| self.heuristics.stop(options))
            .or_else(|| {
                self.heuristics
                    .best_attack(options, 0.0, difference)
                    .map(|(_, action)| action)
            })
    }

    fn decide(&mut self, view: &View, options: &Options) -> Action {
        if let Some(action) = self.attack(view, options) {
            return action;
        }
        if let Some(offer) = self.heuristics.occupy(options) {
            let [from, to, count] = [offer.slots()[0], offer.slots()[1], offer.slots()[2]];
            return Action::new(
                offer.verb,
                &[
                    options.value(from, 0),
                    options.value(to, 0),
                    greatest(options, count),
                ],
            );
        }
        self.plan = Plan::default();
        let need = |at: Territory| {
            is_front(view, at).then(|| threat(view, at) - i64::from(armies(view, at)))
        };
        let placed = self.heuristics.place(view, options, need);
        let action = placed
            .or_else(|| self.heuristics.trade(options))
            .or_else(|| self.heuristics.fortify(view, options));
        action.unwrap_or_else(|| self.heuristics.any(options))
    }
}

impl Bot for Outnumber {
    fn start(&mut self, view: &View, rng: Stream) {
        *self = Self {
            heuristics: Heuristics::new(view, rng),
            plan: Plan::default(),
        };
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let bounds_of = &mut |verb, given: &[i32]| rules.bounds_of(verb, given);
        match self.plan.next(view, bounds_of) {
            Next::Answer(action) => Some(action),
            Next::Later | Next::Nothing => None,
        }
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(self.decide(view, options)))
    }
}
