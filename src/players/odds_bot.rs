//! `odds`: attacks where the exact chance of taking the land favours it.

use super::heuristics::{Eyes, armies, is_front};
use crate::kernel::action::{Action, Options};
use crate::kernel::fault::BotFault;
use crate::kernel::id::Territory;
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};
use crate::odds::Fight;

/// The chance from which on a fight is worth it.
const WORTH: f64 = 0.6;

pub(super) struct OddsBot {
    eyes: Eyes,
    fight: Option<Fight>,
}

impl OddsBot {
    pub(super) fn new(fight: Option<Fight>) -> Self {
        Self {
            eyes: Eyes::default(),
            fight,
        }
    }

    fn attack(&mut self, view: &View, ask: &Options) -> Option<Action> {
        if !self.eyes.may_attack(ask) {
            return None;
        }
        let fight = &mut self.fight;
        let worth = |from, to| chance(fight, armies(view, from) - 1, armies(view, to));
        self.eyes
            .best_attack(ask, WORTH, worth)
            .map(|(_, action)| action)
    }

    fn decide(&mut self, view: &View, ask: &Options) -> Action {
        if let Some(action) = self.attack(view, ask) {
            return action;
        }
        if let Some(action) = self.eyes.follow(view, ask) {
            return action;
        }
        let near = |at: Territory| {
            weakest_neighbour(view, at)
                .map(|weakest| i64::from(armies(view, at)) - i64::from(weakest))
        };
        let placed = self.eyes.place(view, ask, near);
        let action = placed
            .or_else(|| self.eyes.trade(ask))
            .or_else(|| self.eyes.fortify(view, ask));
        action.unwrap_or_else(|| self.eyes.any(ask))
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
    fn start(&mut self, view: &View, luck: Stream) {
        self.eyes = Eyes::new(view, luck);
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(self.decide(view, ask)))
    }
}
