//! `odds`: attacks where the exact chance of taking the land favours it.

use super::heuristics::{Heuristics, armies, is_front};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::id::Territory;
use risk_kernel::odds::Fight;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};

/// The chance from which on a fight is worth it.
const WORTH: f64 = 0.6;

pub(super) struct OddsBot {
    heuristics: Heuristics,
    fight: Option<Fight>,
}

impl OddsBot {
    pub(super) fn new(fight: Option<Fight>) -> Self {
        Self {
            heuristics: Heuristics::default(),
            fight,
        }
    }

    fn attack(&mut self, view: &View, options: &Options) -> Option<Action> {
        if !self.heuristics.may_attack(options) {
            return None;
        }
        let fight = &mut self.fight;
        let worth = |from, to| chance(fight, armies(view, from) - 1, armies(view, to));
        self.heuristics
            .best_attack(options, WORTH, worth)
            .map(|(_, action)| action)
    }

    fn decide(&mut self, view: &View, options: &Options) -> Action {
        if let Some(action) = self.attack(view, options) {
            return action;
        }
        if let Some(action) = self.heuristics.follow(view, options) {
            return action;
        }
        let near = |at: Territory| {
            weakest_neighbour(view, at)
                .map(|weakest| i64::from(armies(view, at)) - i64::from(weakest))
        };
        let placed = self.heuristics.place(view, options, near);
        let action = placed
            .or_else(|| self.heuristics.trade(options))
            .or_else(|| self.heuristics.fortify(view, options));
        action.unwrap_or_else(|| self.heuristics.any(options))
    }
}

fn weakest_neighbour(view: &View, at: Territory) -> Option<i32> {
    let foes = view
        .board()
        .neighbours(at)
        .iter()
        .filter(|&&to| !view.mine(to));
    foes.map(|&to| armies(view, to))
        .min()
        .filter(|_| is_front(view, at))
}

/// The chance of taking the land. Without dice fights in the ruleset, two to one counts as good.
pub(super) fn chance(fight: &mut Option<Fight>, attackers: i32, defenders: i32) -> f64 {
    match fight {
        Some(fight) => fight
            .chance(attackers.max(0), defenders.max(0))
            .unwrap_or(0.0),
        None => f64::from(u8::from(attackers >= 2 * defenders)),
    }
}

impl Bot for OddsBot {
    fn start(&mut self, view: &View, rng: Stream) {
        self.heuristics = Heuristics::new(view, rng);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(self.decide(view, options)))
    }
}
