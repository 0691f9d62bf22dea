//! `outnumber`: attacks weaker territories until there are none left. `scripts/greedy.rhai`
//! implements the same policy as a script, and a test compares the two.

use crate::heuristics::{Heuristics, armies};
use crate::plan::{FightRules, NextAnswer, Plan};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Territory, Verb};
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, RuleQueries};

/// A bot that attacks territories with fewer armies than its own.
#[derive(Clone, Default)]
pub struct OutnumberBot {
    heuristics: Heuristics,
    plan: Plan,
}

impl OutnumberBot {
    fn attack(&mut self, view: &View, options: &Options) -> Option<Action> {
        if !self.heuristics.may_attack(options) {
            return None;
        }
        if self.plan.is_empty() {
            self.plan = fights(view, self.heuristics.stop(options));
        }
        if let NextAnswer::Answer(action) = self.plan.next(view, &mut &*options) {
            return Some(action);
        }
        let worth =
            |&(from, to, _): &(Territory, Territory, Action)| armies(view, from) > armies(view, to);
        let next = self.heuristics.attacks(options).find(worth);
        // If an attack is forced, choose the best of the bad attacks.
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
        if let Some((verb, args)) = self.heuristics.occupy(options) {
            return Action::new(verb, &args);
        }
        self.plan = Plan::default();
        self.heuristics
            .place_or_go_on(view, options, |at| need(view, at))
    }

    /// Decides without looking at the options, if the rules provide enough information. This is
    /// rarer than the next step of a fight, so the function is separate from that path.
    #[inline(never)]
    fn decide_at_once(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let verbs = self.heuristics.verbs;
        let offered = rules.verbs();
        let has = |verb: Option<Verb>| verb.is_some_and(|verb| offered.contains(&verb));
        let stop = verbs.stops.into_iter().find(|&stop| has(stop)).flatten();
        if has(verbs.attack) {
            return self.attack_at_once(view, rules, stop?);
        }
        if has(verbs.place) {
            return self
                .heuristics
                .place_at_once(view, rules, |at| need(view, at));
        }
        if has(verbs.to_move) {
            return self.heuristics.fortify_at_once(view, rules, stop?);
        }
        None
    }

    fn attack_at_once(
        &mut self,
        view: &View,
        rules: &mut dyn RuleQueries,
        stop: Verb,
    ) -> Option<Action> {
        let stop = Action::new(stop, &[]);
        rules.bounds_of(stop.verb, &[]).admit(stop)?;
        self.plan = fights(view, Some(stop));
        match self.plan.next(view, rules) {
            NextAnswer::Answer(action) if action != stop => Some(action),
            // Only the options show whether an attack is possible.
            _ => {
                self.plan = Plan::default();
                None
            }
        }
    }
}

/// Returns how many more armies a territory needs: the threat to it minus its armies.
fn need(view: &View, at: Territory) -> Option<i64> {
    if view.mine(at) && !view.is_front(at) {
        return None;
    }
    view.bordering_units(at)
        .map(|threat| threat - i64::from(armies(view, at)))
}

/// Returns the plan for all fights of a turn, and for the action that ends them.
fn fights(view: &View, stop: Option<Action>) -> Plan {
    let rules = FightRules {
        edge: Some(1),
        ..FightRules::default()
    };
    let fights = Plan::fights(view.decl(), rules);
    match stop {
        Some(stop) => fights.then(Plan::say(view.decl(), stop)),
        None => fights,
    }
}

impl Bot for OutnumberBot {
    fn start(&mut self, view: &View, rng: Stream) {
        *self = Self {
            heuristics: Heuristics::new(view, rng),
            plan: Plan::default(),
        };
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        match self.plan.next(view, rules) {
            NextAnswer::Answer(action) => Some(action),
            NextAnswer::Later => None,
            NextAnswer::Nothing => self.decide_at_once(view, rules),
        }
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(self.decide(view, options)))
    }
}
