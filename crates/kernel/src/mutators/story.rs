//! What is told and changes nothing.

use crate::event::{Event, EventFilter, FightRound};
use crate::id::Player;
use crate::state::GameState;

impl GameState {
    /// Tells that a round of a fight was fought, before its losses are taken away. The round is
    /// made where somebody wants it.
    #[inline]
    pub fn fought(&mut self, round: impl FnOnce(&Self) -> FightRound) {
        self.event_count += 1;
        if self.wanted == EventFilter::All {
            let event = Event::Fought(round(self));
            self.events.push(event);
        }
    }

    /// Tells the story in the ruleset's own words: the first 200 letters, without control
    /// characters.
    pub fn say(&mut self, player: Option<Player>, text: &str) {
        self.push_wanted(EventFilter::Recorded, || said_event(player, text));
    }

    /// As [`GameState::say`], with words that are made where somebody wants them.
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
