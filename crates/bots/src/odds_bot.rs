//! `odds`: attacks territories that it is likely to take.

use crate::fight_odds::{ChanceError, FightOdds};
use crate::heuristics::{Heuristics, armies, is_front};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::id::Territory;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};

/// The minimum chance at which a fight is worthwhile.
const WORTH: f64 = 0.6;

/// A bot that attacks where it is likely to take the territory.
pub struct OddsBot {
    heuristics: Heuristics,
    chances: FightOdds,
}

impl OddsBot {
    /// Creates the bot with the odds of attacks.
    #[must_use]
    pub fn new(chances: FightOdds) -> Self {
        Self {
            heuristics: Heuristics::default(),
            chances,
        }
    }

    fn attack(&mut self, view: &View, options: &Options) -> Option<Action> {
        if !self.heuristics.may_attack(options) {
            return None;
        }
        let chances = &mut self.chances;
        let worth = |from, to| chance(chances, view, from, to);
        self.heuristics
            .best_attack(options, WORTH, worth)
            .map(|(_, action)| action)
    }

    fn decide(&mut self, view: &View, options: &Options) -> Action {
        let chosen = self.attack(view, options);
        if let Some(action) = chosen.or_else(|| self.heuristics.follow(view, options)) {
            return action;
        }
        let near = |at: Territory| {
            weakest_neighbour(view, at)
                .map(|weakest| i64::from(armies(view, at)) - i64::from(weakest))
        };
        self.heuristics.place_or_go_on(view, options, near)
    }
}

fn weakest_neighbour(view: &View, at: Territory) -> Option<i32> {
    let foes = view.attack_borders(at).filter(|&to| !view.mine(to));
    foes.map(|to| armies(view, to))
        .min()
        .filter(|_| is_front(view, at))
}

/// Returns the chance of taking a territory. If the ruleset defines no chances, a superiority of
/// two to one is considered good.
pub(super) fn chance(chances: &mut FightOdds, view: &View, from: Territory, to: Territory) -> f64 {
    let attackers = armies(view, from) - 1;
    let defenders = armies(view, to);
    let told = chances.of_offer(view, from, to);
    match (told, chances.by_numbers()) {
        (Ok(chance), _) => chance,
        // Armies that fog hides are treated as 0.
        (Err(ChanceError::Hidden), Some(fight)) => fight
            .chance_of(0, attackers.max(0), defenders.max(0))
            .unwrap_or(0.0),
        _ => f64::from(u8::from(attackers >= 2 * defenders)),
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
