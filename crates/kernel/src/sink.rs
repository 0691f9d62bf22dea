//! Sinks: receivers of events.

use super::event::{Event, EventFilter};
use super::fault::BotFault;
use super::id::Player;
use super::state::GameState;

/// A receiver of events, such as a report, a record or a test.
pub trait Sink {
    /// Receives an event. `game` is the state after the hook that caused it.
    fn event(&mut self, game: &GameState, event: &Event);

    /// Receives a fault in an answer, with its cause. The event for the fault comes later.
    fn fault(&mut self, player: Player, fault: &BotFault) {
        let _ = (player, fault);
    }

    /// Reports whether the game must stop. The loop checks this at each decision.
    fn halts(&self) -> bool {
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
    fn event(&mut self, _: &GameState, _: &Event) {}
    fn wants(&self) -> EventFilter {
        EventFilter::Nothing
    }
}

/// Several sinks combined into one.
#[derive(Default)]
pub struct Tee<'a>(pub Vec<&'a mut dyn Sink>);

impl Sink for Tee<'_> {
    fn event(&mut self, game: &GameState, event: &Event) {
        for sink in &mut self.0 {
            sink.event(game, event);
        }
    }

    fn fault(&mut self, player: Player, fault: &BotFault) {
        for sink in &mut self.0 {
            sink.fault(player, fault);
        }
    }

    fn halts(&self) -> bool {
        self.0.iter().any(|sink| sink.halts())
    }

    fn wants(&self) -> EventFilter {
        let wanted = self.0.iter().map(|sink| sink.wants());
        wanted.max().unwrap_or(EventFilter::Nothing)
    }
}
