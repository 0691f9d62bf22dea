//! `holder`: takes continents, holds them, and breaks the continents of other players.

use super::odds_bot::chance;
use crate::fight_odds::FightOdds;
use crate::heuristics::{Heuristics, armies, is_front, offer_of, threat};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Group, Territory};
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

    /// Returns the value of a claim: that of the most valuable group around it.
    fn wish(view: &View, at: Territory) -> i64 {
        let around = view.board().groups_around(at).iter();
        let wishes = around.map(|&group| Self::value(view, group));
        wishes.max().unwrap_or(0)
    }

    /// Returns the value of the rest of a group. The value grows with the player's share of it and
    /// with its bonus.
    fn value(view: &View, group: Group) -> i64 {
        let board = view.board();
        let members = board.members(group).iter();
        let own = members.filter(|&&member| view.mine(member)).count() as i64;
        let size = board.territories_needed(group).max(1) as i64;
        let bonus = board.group(group).whole_bonus().max(0);
        own * own * 100 / (size * size) + bonus * 20 / size
    }

    /// Reports whether the owner of a territory, another player, holds a group.
    fn is_held_by_owner(view: &View, at: Territory, group: Group) -> bool {
        let owner = view.owner(at).filter(|&owner| owner != view.me());
        owner.is_some_and(|foe| {
            view.board()
                .is_held_by(group, |at| view.owner(at) == Some(foe))
        })
    }

    fn attack(&mut self, view: &View, options: &Options) -> Option<Action> {
        if !self.heuristics.may_attack(options) {
            return None;
        }
        let home = best_group(view);
        let chances = &mut self.chances;
        let took = self.took;
        let margin = |from, to| {
            let mut there = view.board().groups_around(to).iter();
            let wanted = if there.clone().any(|&group| Some(group) == home) {
                0.5
            } else if there.any(|&group| Self::is_held_by_owner(view, to, group)) {
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
        let chosen = self.attack(view, options);
        let chosen = chosen.or_else(|| self.heuristics.follow(view, options));
        if let Some(action) = chosen.or_else(|| self.claim(view, options)) {
            return action;
        }
        let home = best_group(view);
        let need = |at: Territory| {
            let is_home = |to| match home {
                Some(home) => view.board().groups_around(to).contains(&home),
                None => view.board().groups_around(to).is_empty(),
            };
            let reaches = |to: &Territory| !view.mine(*to) && is_home(*to);
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

/// Returns the group that the player is closest to holding, excluding groups that it owns.
fn best_group(view: &View) -> Option<Group> {
    let all = (0..view.board().groups().len()).map(Group::from_index);
    let open = all.filter(|&group| {
        let mut members = view.board().members(group).iter();
        members.any(|&member| !view.mine(member))
    });
    open.max_by_key(|&group| (HolderBot::value(view, group), -i64::from(group.0)))
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
