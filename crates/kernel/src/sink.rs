//! Sinks: receivers of events.

use std::ops::Deref;

use super::event::Event;
use super::event_filter::EventFilter;
use super::event_fold::EventFold;
use super::fault::BotFault;
use super::id::Player;
use super::state::GameState;
use super::view::Facts;

/// The game around one event. It dereferences to the state after the whole hook that caused the
/// event; [`Moment::before`] has the values just before this event.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    facts: &'a Facts,
    before: Option<&'a EventFold>,
}

impl<'a> Moment<'a> {
    /// Combines the facts after a hook with the values before one of its events.
    #[must_use]
    pub const fn new(facts: &'a Facts, before: &'a EventFold) -> Self {
        Self {
            facts,
            before: Some(before),
        }
    }

    pub(super) const fn of(facts: &'a Facts, before: Option<&'a EventFold>) -> Self {
        Self { facts, before }
    }

    /// Returns the facts after the hook. The loop copies a game that is still shared when it
    /// changes next, so a sink keeps no clone.
    #[must_use]
    pub const fn facts(self) -> &'a Facts {
        self.facts
    }

    /// Returns the values just before the event.
    ///
    /// # Panics
    /// Panics unless the sink wants all events, because the values are known only from them.
    #[must_use]
    pub const fn before(self) -> &'a EventFold {
        self.before
            .expect("a sink that reads values wants all events")
    }
}

impl Deref for Moment<'_> {
    type Target = GameState;

    fn deref(&self) -> &GameState {
        self.facts
    }
}

/// A receiver of events, such as a report, a record or a test.
pub trait Sink {
    /// Receives an event and the game around it.
    fn event(&mut self, moment: Moment<'_>, event: &Event);

    /// Receives a fault in an answer, with its cause. The event for the fault comes later.
    fn fault(&mut self, player: Player, fault: &BotFault) {
        let _ = (player, fault);
    }

    /// Reports whether the game must stop. The loop checks this at each decision, when the sink
    /// has all events that led to the state `game`.
    fn halts(&mut self, game: &Facts) -> bool {
        let _ = game;
        false
    }

    /// Returns the events that the sink wants throughout a game. The sink may also receive other
    /// events.
    fn wants(&self) -> EventFilter {
        EventFilter::All
    }
}

/// A sink that wants no events.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullSink;

impl Sink for NullSink {
    fn event(&mut self, _: Moment<'_>, _: &Event) {}
    fn wants(&self) -> EventFilter {
        EventFilter::Nothing
    }
}

/// Several sinks combined into one.
#[derive(Default)]
pub struct Tee<'a>(pub Vec<&'a mut dyn Sink>);

impl Sink for Tee<'_> {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        for sink in &mut self.0 {
            sink.event(moment, event);
        }
    }

    fn fault(&mut self, player: Player, fault: &BotFault) {
        for sink in &mut self.0 {
            sink.fault(player, fault);
        }
    }

    fn halts(&mut self, game: &Facts) -> bool {
        self.0.iter_mut().any(|sink| sink.halts(game))
    }

    fn wants(&self) -> EventFilter {
        let wanted = self.0.iter().map(|sink| sink.wants());
        wanted.max().unwrap_or(EventFilter::Nothing)
    }
}
