//! The mutators are the only way to change a game. Each mutator checks its invariant and pushes one
//! event.

mod chance;
mod counters;
mod frames;
mod orders;
mod piles;
mod players;
mod story;
mod territories;
mod turns;

use super::digest::StateCell;
use super::event::Event;
use super::event_filter::EventFilter;
use super::fault::RuleFault;
use super::state::GameState;

pub use chance::MOST_ROLLED;
pub use frames::MOST_FRAMES;
pub use orders::MOST_ORDERS;

pub(super) fn fault(text: impl Into<String>) -> RuleFault {
    RuleFault::new(text)
}

impl GameState {
    #[inline]
    pub(super) fn push_event(&mut self, event: impl FnOnce() -> Event) {
        self.push_wanted(EventFilter::All, event);
    }

    /// Counts an event, and pushes it if the event filter is at least as wide as `from`.
    #[inline]
    pub(super) fn push_wanted(&mut self, from: EventFilter, event: impl FnOnce() -> Event) {
        self.event_count += 1;
        if self.wanted >= from {
            self.events.push(event());
        }
    }

    #[inline]
    fn rehash(&mut self, cell: StateCell, was: i64, now: i64) {
        if self.is_summed {
            self.table_sum = self.table_sum.wrapping_add(cell.change(was, now));
        }
    }
}
