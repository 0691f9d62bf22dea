//! Secret answers and stored orders. Each is reported once: when it is executed, or when it is
//! revealed if nothing comes of it.

use super::wording::Wording;
use risk_engine::acts::Effect;
use risk_kernel::action::Action;
use risk_kernel::event::Event;
use risk_kernel::id::{Phase, Player};

/// Orders that the story has not reported.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// Secret answers, and their phase.
    given: Vec<(Player, Action)>,
    pub(super) giving: Option<Phase>,
    /// The phase in which the last order of the book was given.
    pub(super) stored_in: Option<Phase>,
    /// Orders that left the book and have not been executed.
    unbooked: Vec<(Player, Action)>,
}

/// Removes an order from a list.
fn remove(list: &mut Vec<(Player, Action)>, is_it: impl Fn(&(Player, Action)) -> bool) {
    if let Some(index) = list.iter().position(is_it) {
        list.remove(index);
    }
}

impl Orders {
    pub(super) fn give(&mut self, player: Player, action: Action) {
        self.given.push((player, action));
    }

    pub(super) fn execute(&mut self, player: Player, action: Action) {
        remove(&mut self.unbooked, |order| *order == (player, action));
    }

    /// Follows the book, and what the ruleset says of orders that are not executed.
    pub(super) fn take(&mut self, wording: &Wording, effect: &Effect, phase: Option<Phase>) {
        let Effect::Event(event) = effect else { return };
        match event {
            // The order is reported when it is executed.
            Event::Stored { player, action } => {
                remove(&mut self.given, |order| *order == (*player, *action));
                self.stored_in = self.giving.or(phase);
            }
            Event::Unstored { player, action, .. } => self.unbooked.push((*player, *action)),
            Event::Said {
                player: Some(player),
                text,
            } => remove(&mut self.unbooked, |(of, action)| {
                let rest = text.strip_prefix(&wording.words().sentence(*action));
                of == player && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
            }),
            _ => {}
        }
    }

    /// Returns the secret answers in the order in which they were given, and their phase.
    pub(super) fn take_given(&mut self) -> (Vec<(Player, Action)>, Option<Phase>) {
        (std::mem::take(&mut self.given), self.giving.take())
    }

    /// Returns the orders that left the book without effect.
    pub(super) fn take_unbooked(&mut self) -> Vec<(Player, Action)> {
        std::mem::take(&mut self.unbooked)
    }

    pub(super) fn has_unbooked(&self) -> bool {
        !self.unbooked.is_empty()
    }
}
