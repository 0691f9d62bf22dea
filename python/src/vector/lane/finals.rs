//! What became of the games that are over.

use serde_json::{Value, json};

use super::{Lane, LaneRow};
use crate::kit::Kit;
use crate::{faults, reward};

impl Lane {
    /// Writes what became of the games that are over.
    pub(in super::super) fn finals(&self, out: &mut [Value]) {
        for (row, out) in self.rows.iter().zip(out) {
            *out = row.final_value(&self.kit).unwrap_or_default();
        }
    }
}

impl LaneRow {
    /// Returns what became of the game if it is over.
    fn final_value(&self, kit: &Kit) -> Option<Value> {
        let game = self.stepper().filter(|_| self.over)?;
        let names = self.table.iter().zip(kit.names_at(&self.table));
        let bots: Vec<_> = names.map(|(bot, name)| bot.map(|_| name)).collect();
        Some(json!({
            "outcome": game.outcome().map(reward::outcome_value),
            "bots": bots,
            "length": self.steps,
            "rounds": game.game().round(),
            "faults": faults::values((kit, &self.table), self.faults()),
        }))
    }
}
