//! The class of a fight: a number from 0 to 15 that the place, the border and the units make.
//!
//! The class is the sum of the `strength` of the attacked territory, of its groups, of the border,
//! of the kinds of units that are there, and of the territory's marks, times their values. What it
//! means is up to the ruleset, whose tables of dice and percentages may have the class as their
//! last parameter.

use super::declare::Declaration;
use super::event_fold::EventFold;
use super::id::{Mark, Territory, Unit};
use super::state::GameState;
use super::view::View;

/// The highest class.
pub const MOST_CLASS: u32 = 15;

impl Declaration {
    /// Returns the sum of what marks of the attacked territory and kinds of units on the two
    /// territories add to the class of an attack. `mark` returns the value of a mark; `units`
    /// returns the number of units of a kind on the attacking (true) or the attacked territory
    /// (false); both return `None` if it is hidden. What adds nothing is not asked for.
    fn class_of_state(
        &self,
        mark: impl Fn(Mark) -> Option<i32>,
        units: impl Fn(bool, Unit) -> Option<i32>,
    ) -> Option<u32> {
        let mut sum = 0;
        for (index, decl) in self.marks.iter().enumerate() {
            if decl.strength > 0 {
                sum += u32::from(decl.strength) * mark(Mark::from_index(index))?.unsigned_abs();
            }
        }
        for (kind, adds) in self.unit_rules.iter().enumerate() {
            for (attacks, adds) in [(true, adds.attack_strength), (false, adds.strength)] {
                if adds > 0 && units(attacks, Unit::from_index(kind))? > 0 {
                    sum += u32::from(adds);
                }
            }
        }
        Some(sum)
    }

    /// Returns the highest class that fights on a map with this
    /// [strength](super::board::Board::most_strength) can have.
    #[must_use]
    pub fn most_class(&self, strength: u32) -> u32 {
        let highest = |mark: Mark| Some(self.marks[mark.index()].range.1);
        strength + self.class_of_state(highest, |_, _| Some(1)).unwrap_or(0)
    }
}

impl GameState {
    /// Returns the class of an attack now.
    #[must_use]
    pub fn fight_class(&self, from: Territory, to: Territory) -> u32 {
        let units = |attacks, unit| Some(self.units(if attacks { from } else { to }, unit));
        let more = (self.decl()).class_of_state(|mark| Some(self.mark(to, mark)), units);
        self.board().strength(from, to) + more.unwrap_or(0)
    }
}

impl EventFold {
    /// Returns the class of an attack before the fold's next event. `game` is the game that the
    /// fold follows.
    #[must_use]
    pub fn fight_class(&self, game: &GameState, from: Territory, to: Territory) -> u32 {
        let units = |attacks, unit| Some(self.units(if attacks { from } else { to }, unit));
        let more = (game.decl()).class_of_state(|mark| Some(self.mark(to, mark)), units);
        game.board().strength(from, to) + more.unwrap_or(0)
    }
}

impl View {
    /// Returns the class of an attack, or `None` if marks or units that it depends on are hidden.
    #[must_use]
    pub fn fight_class(&self, from: Territory, to: Territory) -> Option<u32> {
        let units = |attacks, unit| self.units(if attacks { from } else { to }, unit);
        let more = (self.decl()).class_of_state(|mark| self.mark(to, mark), units)?;
        Some(self.board().strength(from, to) + more)
    }
}
