//! What a ruleset says about its kinds of units: where they can be, how many, and at what price.

use super::declare::Declaration;
pub use super::declare::UnitRules;
use super::id::{Territory, Unit};
use super::state::GameState;

impl Declaration {
    /// Reports whether units can't be everywhere in any number.
    #[must_use]
    pub fn limits_units(&self) -> bool {
        let mut all = self.unit_rules.iter();
        all.any(|rules| rules.limit.is_some() || !rules.only.is_empty())
    }

    /// Returns what a unit of a kind costs when it is deployed.
    #[must_use]
    pub fn price(&self, unit: Unit) -> i32 {
        self.unit_rules
            .get(unit.index())
            .map_or(1, |rules| rules.price)
    }

    /// Reports whether a territory is closed to a kind of units.
    #[must_use]
    pub fn bars(&self, at: Territory, unit: Unit) -> bool {
        let rules = self.unit_rules.get(unit.index());
        rules.is_some_and(|rules| rules.barred.get(at.index()) == Some(&true))
    }

    /// Returns the most units of a kind that can be on a territory; [`i32::MAX`] without a limit of
    /// the ruleset's own.
    #[inline]
    #[must_use]
    pub fn most_units(&self, at: Territory, unit: Unit) -> i32 {
        match self.unit_rules.get(unit.index()) {
            Some(_) if self.bars(at, unit) => 0,
            Some(rules) => rules.limit.unwrap_or(i32::MAX),
            None => i32::MAX,
        }
    }
}

impl GameState {
    /// Returns how many more units of a kind can be on a territory; [`i32::MAX`] without a limit of
    /// the ruleset's own.
    #[inline]
    #[must_use]
    pub fn space(&self, at: Territory, unit: Unit) -> i32 {
        match self.decl().most_units(at, unit) {
            i32::MAX => i32::MAX,
            most => most - self.units(at, unit),
        }
    }
}
