//! Who is told what happens.

use super::event::Event;
use super::fault::BotFault;
use super::id::Player;
use super::state::GameState;

/// Who wants to know everything that happens: reports, records, tests.
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

    /// Are events wanted at all? Without, none is built.
    fn listens(&self) -> bool {
        true
    }
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullSink;

impl Sink for NullSink {
    fn event(&mut self, _: &GameState, _: &Event) {}
    fn listens(&self) -> bool {
        false
    }
}
