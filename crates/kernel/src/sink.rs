//! Who is told what happens.

use super::event::{Event, EventFilter};
use super::fault::BotFault;
use super::id::Player;
use super::state::GameState;

/// Who wants to know what happens: reports, records, tests.
pub trait Sink {
    /// Something happened. `game` is the state after the hook that did it.
    fn event(&mut self, game: &GameState, event: &Event);

    /// A player gave no answer that could be taken. The event that tells of it comes later; this
    /// has where it came from as well.
    fn fault(&mut self, player: Player, fault: &BotFault) {
        let _ = (player, fault);
    }

    /// Is the game to stop here? Looked at before anybody is asked.
    fn halts(&self) -> bool {
        false
    }

    /// Which events are wanted, from the beginning of a game to its end. Others may come as well,
    /// where somebody else wants them.
    fn wants(&self) -> EventFilter {
        EventFilter::All
    }
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullSink;

impl Sink for NullSink {
    fn event(&mut self, _: &GameState, _: &Event) {}
    fn wants(&self) -> EventFilter {
        EventFilter::Nothing
    }
}

/// Several sinks as one.
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
