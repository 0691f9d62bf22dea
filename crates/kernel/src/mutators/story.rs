//! Events that describe a game without changing it.

use crate::event::{Event, FightRound};
use crate::event_filter::EventFilter;
use crate::id::Player;
use crate::state::GameState;

impl GameState {
    /// Announces a round of a fight before its losses are subtracted. Calls `round` only if the
    /// event is wanted.
    #[inline]
    pub fn fought(&mut self, round: impl FnOnce(&Self) -> FightRound) {
        self.event_count += 1;
        if self.wanted == EventFilter::All {
            let event = Event::Fought(round(self));
            self.events.push(event);
        }
    }

    /// Announces a message of the ruleset. Control characters are removed, and the message is cut
    /// to 200 characters.
    pub fn say(&mut self, player: Option<Player>, text: &str) {
        self.push_wanted(EventFilter::Recorded, || said_event(player, text));
    }

    /// Announces a message as [`GameState::say`] does. Calls `text` only if the event is wanted.
    pub fn say_with(&mut self, player: Option<Player>, text: impl FnOnce(&Self) -> String) {
        self.event_count += 1;
        if self.wanted >= EventFilter::Recorded {
            let event = said_event(player, &text(self));
            self.events.push(event);
        }
    }
}

fn said_event(player: Option<Player>, text: &str) -> Event {
    let text = text.chars().filter(|c| !c.is_control()).take(200).collect();
    Event::Said { player, text }
}
