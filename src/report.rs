//! Events and standings as text and JSON. Everything writes to a writer it is handed.

pub mod analysis;
pub mod api;
pub mod balance;
pub mod board;
pub mod counts;
pub mod decision;
pub mod declared;
pub mod figures;
pub mod game_lines;
pub mod json;
pub mod ledger;
pub mod map_stats;
pub mod odds;
pub mod picture;
pub mod profile;
pub mod standings;
pub mod story;
pub mod tournament;

use crate::kernel::event::Event;
use crate::kernel::fault::BotFault;
use crate::kernel::id::Player;
use crate::kernel::state::GameState;
use crate::kernel::{EventFilter, Sink};

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
