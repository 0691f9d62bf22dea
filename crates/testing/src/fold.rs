//! Checks of a game's events: each fits the values before it, and all of them rebuild the state.

use risk_kernel::event::{Capture, Event};
use risk_kernel::state::GameState;
use risk_kernel::{EventFold, Moment};

#[derive(Default)]
pub struct Fold {
    /// The values after the last event; `None` before the first event.
    after: Option<EventFold>,
    has_ended: bool,
}

impl Fold {
    pub fn step(&mut self, moment: Moment<'_>, event: &Event) {
        let before = moment.before();
        match event {
            Event::Owner { at, from, .. } => assert_eq!(before.owner(*at), *from),
            Event::Units { at, unit, by, now } => assert_eq!(before.units(*at, *unit) + by, *now),
            Event::Mark { at, mark, by, now } => assert_eq!(before.mark(*at, *mark) + by, *now),
            Event::Captured(Capture {
                from,
                to,
                by,
                loser,
                unit,
                killed,
                ..
            }) => {
                assert_eq!(before.owner(*to), *loser);
                assert_eq!(before.owner(*from), Some(*by));
                assert_eq!(before.units(*to, *unit), *killed);
            }
            Event::Counter {
                counter,
                of,
                by,
                now,
            } => assert_eq!(before.counter(*counter, *of) + by, *now),
            Event::Filled { cards, count, .. } => {
                assert_eq!(cards.as_ref().map(Vec::len), Some(*count));
            }
            Event::Card { card, from, .. } => {
                let card = card.expect("sinks see whole events");
                assert!(
                    before.pile(from.0, from.1).contains(&card),
                    "the card was there"
                );
            }
            Event::Shuffled {
                pile: (pile, of),
                cards,
            } => {
                let mut old = before.pile(*pile, *of).to_vec();
                let mut new = cards.clone().expect("sinks see whole events");
                old.sort_unstable();
                new.sort_unstable();
                assert_eq!(old, new, "a shuffle keeps the cards");
            }
            Event::Ended { .. } => self.has_ended = true,
            _ => {}
        }
        let after = self.after.get_or_insert_with(|| before.clone());
        after.take(event);
    }

    pub fn check(&self, game: &GameState) {
        let mut now = EventFold::new(game);
        if let Some(after) = &self.after {
            // The fold keeps the phase of the last answer or frame.
            now.phase = after.phase;
            assert_eq!(*after, now);
        }
        assert_eq!(self.has_ended, game.ending().is_some());
    }
}
