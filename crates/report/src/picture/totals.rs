//! What a player has on the board.

use risk_kernel::event::Status;
use risk_kernel::id::Unit;
use risk_kernel::state::GameState;
use risk_kernel::words::Words;
use risk_text::plural::counted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayerTotals {
    pub(super) land: usize,
    pub(super) armies: i64,
    pub(super) status: Status,
}

impl PlayerTotals {
    /// Describes the totals. Units of several kinds have no common name.
    pub(super) fn text(self, game: &GameState) -> String {
        match (self.status, self.land) {
            (Status::Eliminated, 0) => "eliminated".to_owned(),
            (status, land) => {
                let land = counted(land, "territory");
                let armies = match game.decl().units.len() {
                    1 => Words::new(game.board(), game.decl()).units(Unit(0), self.armies),
                    _ => counted(self.armies, "unit"),
                };
                let status = match status {
                    Status::Playing => String::new(),
                    status => format!(", {}", status.as_str()),
                };
                format!("{land}, {armies}{status}")
            }
        }
    }
}
