//! `holder`: takes continents, holds them, and breaks the continents of other players.

use super::odds_bot::chance;
use crate::fight_odds::FightOdds;
use crate::heuristics::{Heuristics, armies, is_front, offer_of, threat};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Continent, Territory};
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};

/// A bot that takes continents and holds them.
pub struct HolderBot {
    heuristics: Heuristics,
    chances: FightOdds,
    /// The turn of the last capture. One capture per turn is enough to receive a card.
    took: u32,
}

impl HolderBot {
    /// Creates the bot with the odds of attacks.
    #[must_use]
    pub fn new(chances: FightOdds) -> Self {
        Self {
            heuristics: Heuristics::default(),
            chances,
            took: u32::MAX,
        }
    }

    /// Returns the value of the rest of a territory's continent. The value grows with the player's
    /// share of the continent and with its bonus.
    fn wish(view: &View, at: Territory) -> i64 {
        let Some(continent) = view.board().info(at).continent else {
            return 0;
        };
        let members = view.board().members(continent);
        let own = members.iter().filter(|&&member| view.mine(member)).count() as i64;
        let size = members.len() as i64;
        let bonus = i64::from(view.board().continents()[continent.index()].bonus.max(0));
        own * own * 100 / (size * size) + bonus * 20 / size
    }

    fn held_by_foe(view: &View, continent: Continent) -> bool {
        let members = view.board().members(continent);
        let owner = members.first().and_then(|&first| view.owner(first));
        owner.is_some_and(|owner| owner != view.me())
            && members.iter().all(|&member| view.owner(member) == owner)
    }

    fn attack(&mut self, view: &View, options: &Options) -> Option<Action> {
        if !self.heuristics.may_attack(options) {
            return None;
        }
        let home = best_continent(view);
        let chances = &mut self.chances;
        let took = self.took;
        let margin = |from, to| {
            let there = view.board().info(to).continent;
            let wanted = if there.is_some() && there == home {
                0.5
            } else if there.is_some_and(|continent| Self::held_by_foe(view, continent)) {
                0.55
            } else if took == view.turn() {
                0.85
            } else {
                0.65
            };
            chance(chances, view, from, to) - wanted
        };
        let (margin, action) = self.heuristics.best_attack(options, 0.0, margin)?;
        if margin >= 0.0 {
            self.took = view.turn();
        }
        Some(action)
    }

    fn decide(&mut self, view: &View, options: &Options) -> Action {
        if let Some(action) = self.attack(view, options) {
            return action;
        }
        if let Some(action) = self.heuristics.follow(view, options) {
            return action;
        }
        if let Some(claim) = self.claim(view, options) {
            return claim;
        }
        let home = best_continent(view);
        let need = |at: Territory| {
            let reaches =
                |to: &Territory| !view.mine(*to) && view.board().info(*to).continent == home;
            let opens = view.attack_borders(at).filter(reaches).count() as i64;
            is_front(view, at)
                .then(|| opens.min(1) * 50 + threat(view, at) - i64::from(armies(view, at)))
        };
        self.heuristics.place_or_go_on(view, options, need)
    }

    fn claim(&self, view: &View, options: &Options) -> Option<Action> {
        let offer = offer_of(options, self.heuristics.verbs.claim)?;
        let free =
            (0..options.offer_len(offer)).map(|index| options.value(offer.slots()[0], index));
        let best =
            free.max_by_key(|&at| (Self::wish(view, Territory::from_index(at as usize)), -at))?;
        Some(Action::new(offer.verb, &[best]))
    }
}

/// Returns the continent that the player is closest to owning, excluding continents that it owns.
fn best_continent(view: &View) -> Option<Continent> {
    let all = (0..view.board().continents().len()).map(Continent::from_index);
    let open = all.filter(|&continent| {
        view.board()
            .members(continent)
            .iter()
            .any(|&member| !view.mine(member))
    });
    open.max_by_key(|&continent| {
        let members = view.board().members(continent);
        let first = members
            .first()
            .map_or(0, |&member| HolderBot::wish(view, member));
        (first, -i64::from(continent.0))
    })
}

impl Bot for HolderBot {
    fn start(&mut self, view: &View, rng: Stream) {
        self.heuristics = Heuristics::new(view, rng);
        self.took = u32::MAX;
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(self.decide(view, options)))
    }
}
