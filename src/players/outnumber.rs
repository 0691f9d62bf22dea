//! `outnumber`: attacks whatever is weaker, until nothing is. `scripts/greedy.rhai` is the same policy
//! as a script, and a test holds the two equal.

use super::eyes::{Eyes, armies, greatest, is_front, threat};
use crate::kernel::action::{Action, Options};
use crate::kernel::fault::BotFault;
use crate::kernel::id::Territory;
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};

#[derive(Default)]
pub(super) struct Outnumber {
    eyes: Eyes,
    /// The fight under way.
    fight: Option<(Territory, Territory)>,
}

impl Outnumber {
    fn attack(&mut self, view: &View, ask: &Options) -> Option<Action> {
        if !self.eyes.may_attack(ask) {
            return None;
        }
        let worth = |&(from, to, _): &(Territory, Territory, Action)| armies(view, from) > armies(view, to);
        let going_on = self.fight.and_then(|fight| {
            self.eyes.attacks(ask).find(|&(from, to, _)| (from, to) == fight).filter(|attack| worth(attack))
        });
        let next = going_on.or_else(|| self.eyes.attacks(ask).find(worth));
        self.fight = next.map(|(from, to, _)| (from, to));
        // Where one must attack, the best of bad attacks it is.
        let difference = |from, to| f64::from(armies(view, from) - armies(view, to));
        next.map(|(_, _, action)| action)
            .or_else(|| self.eyes.stop(ask))
            .or_else(|| self.eyes.best_attack(ask, 0.0, difference).map(|(_, action)| action))
    }

    fn decide(&mut self, view: &View, ask: &Options) -> Action {
        if let Some(action) = self.attack(view, ask) {
            return action;
        }
        self.fight = None;
        if let Some(offer) = self.eyes.occupy(ask) {
            let [from, to, count] = [offer.slots()[0], offer.slots()[1], offer.slots()[2]];
            return Action::new(offer.verb, &[ask.value(from, 0), ask.value(to, 0), greatest(ask, count)]);
        }
        let need = |at: Territory| is_front(view, at).then(|| threat(view, at) - i64::from(armies(view, at)));
        let placed = self.eyes.place(view, ask, need);
        let action = placed.or_else(|| self.eyes.trade(ask)).or_else(|| self.eyes.fortify(view, ask));
        action.unwrap_or_else(|| self.eyes.any(ask))
    }
}

impl Bot for Outnumber {
    fn start(&mut self, view: &View, luck: Stream) {
        *self = Self { eyes: Eyes::new(view, luck), fight: None };
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(self.decide(view, ask)))
    }
}
