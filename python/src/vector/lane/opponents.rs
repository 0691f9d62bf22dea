//! The faults of the bots in a lane's games.

use pyo3::PyResult;
use risk_engine::SeatFault;
use serde_json::Value;

use super::{Lane, LaneGame, LaneRow};
use crate::faults::{self, OnOpponentFault};

impl Lane {
    /// Writes the faults of the bots in each game.
    pub(in super::super) fn faults(&self, out: &mut [Value]) {
        for (row, out) in self.rows.iter().zip(out) {
            *out = faults::values((&self.kit, &row.table), row.faults());
        }
    }

    /// Reports whether a bot has failed in a game that this truncates. Returns an error if faults
    /// raise exceptions.
    pub(super) fn check_opponents(&mut self, index: usize) -> PyResult<bool> {
        let Some(fault) = self.rows[index].faults().first() else {
            return Ok(false);
        };
        if self.plan.on_opponent_fault == OnOpponentFault::Raise {
            self.failed = Some("a bot has failed".to_owned());
            return Err(faults::error((&self.kit, &self.rows[index].table), fault));
        }
        Ok(self.plan.on_opponent_fault == OnOpponentFault::Truncate)
    }
}

impl LaneRow {
    pub(super) fn faults(&self) -> &[SeatFault] {
        match &self.play {
            LaneGame::Mixed(game) => game.bots().faults(),
            LaneGame::Alone(_) | LaneGame::Nothing => &[],
        }
    }
}
