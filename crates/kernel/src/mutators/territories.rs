//! The owners and units of territories, and the borders between them.

use std::sync::Arc;

use super::fault;
use crate::digest::{CellKind, StateCell};
use crate::event::{Capture, Event};
use crate::fault::{RuleFault, RuleResult};
use crate::id::{Player, Territory, Unit};
use crate::state::{GameState, MOST};
use risk_text::plural::counted;

impl GameState {
    fn place_name(&self, at: Territory) -> &str {
        &self.board.info(at).id
    }

    #[inline]
    fn put_units(&mut self, at: Territory, unit: Unit, now: i32) {
        let index = at.index() * self.kinds + unit.index();
        let was = self.units[index];
        self.units[index] = now;
        self.rehash(
            StateCell::new(CellKind::Units, unit.index(), at.index()),
            i64::from(was),
            i64::from(now),
        );
    }

    fn put_owner(&mut self, at: Territory, now: Option<Player>, by: Option<Player>) {
        let was = self.owner(at);
        let number = |player: Option<Player>| player.map_or(0, |player| i64::from(player.0) + 1);
        self.rehash(
            StateCell::new(CellKind::Owner, 0, at.index()),
            number(was),
            number(now),
        );
        let old = self.places[at.index()].owner;
        let new = now.map_or(Self::NOBODY, |player| player.0);
        self.places[at.index()].owner = new;
        self.put_territory(at, old, new);
        if let Some(player) = was {
            self.territories[player.index()] -= 1;
            self.count_members(player, at, -1);
            if self.territories[player.index()] == 0 && now != was {
                self.fallen.push((player, by));
            }
        }
        if let Some(player) = now {
            self.territories[player.index()] += 1;
            self.count_members(player, at, 1);
        }
    }

    fn count_members(&mut self, player: Player, at: Territory, by: i64) {
        for &group in self.board.groups_of(at) {
            let place = self.members_at + group.index() * self.players + player.index();
            self.numbers[place] += by;
        }
    }

    /// Updates the values derived from the owners: the owner bits and the counts of foreign
    /// neighbours.
    fn put_territory(&mut self, at: Territory, old: u8, new: u8) {
        let words = self.places.len().div_ceil(64);
        let word = self.territories_at + at.index() / 64;
        let bit = 1 << (at.index() % 64);
        if old != Self::NOBODY {
            self.numbers[word + old as usize * words] &= !bit;
        }
        if new != Self::NOBODY {
            self.numbers[word + new as usize * words] |= bit;
        }
        let board = &self.board;
        let places = &mut self.places;
        for &from in board.sources(at) {
            let place = &mut places[from.index()];
            place.foes = (place.foes)
                .wrapping_add(u16::from(place.owner == old))
                .wrapping_sub(u16::from(place.owner == new));
        }
        let others = board
            .neighbours(at)
            .iter()
            .filter(|&&to| places[to.index()].owner != new);
        places[at.index()].foes = others.count() as u16;
    }

    /// Leaves a territory, whose defenders fell to armies on `from` that can't enter, to no player,
    /// with one army.
    pub fn bombard(&mut self, from: Territory, to: Territory) {
        let (by, loser) = (self.owner(from), self.owner(to));
        let change = 1 - self.armies(to);
        if change != 0 {
            self.put_units(to, Unit::FIRST, 1);
            self.push_event(|| Event::Units {
                at: to,
                unit: Unit::FIRST,
                by: change,
                now: 1,
            });
        }
        if loser.is_some() {
            self.put_owner(to, None, by);
            self.push_event(|| Event::Owner {
                at: to,
                from: loser,
                to: None,
            });
        }
    }

    /// Opens or closes the borders between two territories, in each direction that the map has. A
    /// border that the map opens under a condition stays closed to players who don't meet it.
    ///
    /// # Errors
    /// Returns an error if the map has no border between the territories.
    pub fn set_open(&mut self, from: Territory, to: Territory, open: bool) -> RuleResult {
        let board = Arc::clone(&self.board);
        let borders = [(from, to), (to, from)].map(|(from, to)| board.border_index(from, to));
        if borders == [None; 2] {
            let [from, to] = [from, to].map(|at| self.place_name(at));
            return Err(fault(format!(
                "the map has no border between {from} and {to}"
            )));
        }
        let mut closed = self.closed.to_vec();
        closed.resize(board.directed_borders(), false);
        let mut is_new = false;
        for border in borders.into_iter().flatten() {
            let was = std::mem::replace(&mut closed[border], !open);
            is_new |= was == open;
            let cell = StateCell::new(CellKind::Closed, 0, border);
            self.rehash(cell, was.into(), (!open).into());
        }
        if is_new {
            if !closed.contains(&true) {
                closed.clear();
            }
            self.plain_borders = closed.is_empty() && Self::begins_plain(&board, &self.decl);
            self.closed = closed.into();
            self.push_event(|| Event::Border { from, to, open });
        }
        Ok(())
    }

    /// Gives a territory to a player, or to no player. Its units stay.
    pub fn set_owner(&mut self, at: Territory, to: Option<Player>) {
        let from = self.owner(at);
        if from != to {
            self.put_owner(at, to, to);
            self.push_event(|| Event::Owner { at, from, to });
        }
    }

    /// Adds units, or removes them if `by` is negative.
    ///
    /// # Errors
    /// Returns an error if the result is below 0 or above [`MOST`].
    pub fn add_units(&mut self, at: Territory, unit: Unit, by: i32) -> RuleResult {
        if by == 0 {
            return Ok(());
        }
        let now = i64::from(self.units(at, unit)) + i64::from(by);
        if !(0..=MOST).contains(&now) {
            let there = self.units(at, unit);
            let name = self.place_name(at);
            return Err(fault(format!(
                "can't add {} to the {there} on {name}: expected 0 to {MOST}",
                counted(by, "unit")
            )));
        }
        self.check_space(at, unit, by)?;
        self.put_units(at, unit, now as i32);
        self.push_event(|| Event::Units {
            at,
            unit,
            by,
            now: now as i32,
        });
        Ok(())
    }

    /// Checks the ruleset's own limits on units that come to a territory.
    #[inline]
    fn check_space(&self, at: Territory, unit: Unit, more: i32) -> RuleResult {
        if more <= 0 || self.decl.unit_rules.is_empty() || more <= self.space(at, unit) {
            return Ok(());
        }
        Err(self.no_space(at, unit, more))
    }

    #[cold]
    fn no_space(&self, at: Territory, unit: Unit, more: i32) -> RuleFault {
        let kind = &self.decl.units[unit.index()];
        let (name, space) = (self.place_name(at), self.space(at, unit));
        fault(format!(
            "{name} has space for {space} more of the unit `{kind}`, not for {more}"
        ))
    }

    /// Moves units between two territories, regardless of their owners.
    ///
    /// # Errors
    /// Returns an error if `count` is below 1 or above the number of units on `from`, if both
    /// territories are the same, or if `to` would have more than [`MOST`] units.
    pub fn move_units(
        &mut self,
        from: Territory,
        to: Territory,
        unit: Unit,
        count: i32,
    ) -> RuleResult {
        let there = self.units(from, unit);
        if count < 1
            || count > there
            || from == to
            || i64::from(self.units(to, unit)) + i64::from(count) > MOST
        {
            let a = self.place_name(from);
            let b = self.place_name(to);
            return Err(fault(format!(
                "can't move {} from {a}, which has {there}, to {b}",
                counted(count, "unit")
            )));
        }
        self.check_space(to, unit, count)?;
        self.put_units(from, unit, there - count);
        self.put_units(to, unit, self.units(to, unit) + count);
        self.push_event(|| Event::Moved {
            from,
            to,
            unit,
            count,
        });
        Ok(())
    }

    /// Captures a territory: the units of this kind on `to` die, and `moved` units from `from` move
    /// in. This is one step so that an owned territory is never empty.
    ///
    /// # Errors
    /// Returns an error if both territories have the same owner, if `from` has no owner, or if
    /// `moved` is not between 1 and the number of units on `from`.
    pub fn capture(
        &mut self,
        from: Territory,
        to: Territory,
        unit: Unit,
        moved: i32,
    ) -> RuleResult {
        let loser = self.owner(to);
        let there = self.units(from, unit);
        let by = self
            .owner(from)
            .filter(|&by| Some(by) != loser && moved >= 1 && moved <= there);
        let Some(by) = by else {
            let a = self.place_name(from);
            let b = self.place_name(to);
            return Err(fault(format!(
                "can't capture {b} with {moved} of the {} on {a}",
                counted(there, "unit")
            )));
        };
        let killed = self.units(to, unit);
        self.check_space(to, unit, moved - killed)?;
        self.put_units(from, unit, there - moved);
        self.put_units(to, unit, moved);
        self.put_owner(to, Some(by), Some(by));
        self.push_event(|| {
            Event::Captured(Capture {
                from,
                to,
                by,
                loser,
                unit,
                killed,
                moved,
            })
        });
        Ok(())
    }
}
