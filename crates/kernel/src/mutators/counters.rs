//! The counters of players and of the table, and the marks of territories.

use super::fault;
use crate::digest::{CellKind, StateCell};
use crate::event::Event;
use crate::fault::RuleResult;
use crate::id::{Counter, Mark, Player, Territory};
use crate::state::{GameState, MOST};

impl GameState {
    /// Sets a counter.
    ///
    /// # Errors
    /// Returns an error if the value is not between -[`MOST`] and [`MOST`].
    pub fn set_counter(&mut self, counter: Counter, of: Option<Player>, now: i64) -> RuleResult {
        if !(-MOST..=MOST).contains(&now) {
            let name = &self.decl.counters[counter.index()].name;
            return Err(fault(format!(
                "counter {name} must be -{MOST} to {MOST}, found {now}"
            )));
        }
        let index = self.holder(counter.index(), of);
        let was = self.numbers[index];
        if was != now {
            self.numbers[index] = now;
            let holder = self.holder_number(of.map_or(self.players, Player::index));
            self.rehash(
                StateCell::new(CellKind::Counter, counter.index(), holder),
                was,
                now,
            );
            self.push_event(|| Event::Counter {
                counter,
                of,
                by: now - was,
                now,
            });
        }
        Ok(())
    }

    /// Adds a number to a counter.
    ///
    /// # Errors
    /// Returns an error if the sum is not between -[`MOST`] and [`MOST`].
    pub fn add_counter(&mut self, counter: Counter, of: Option<Player>, by: i64) -> RuleResult {
        self.set_counter(counter, of, self.counter(counter, of).saturating_add(by))
    }

    /// Sets a mark of a territory.
    ///
    /// # Errors
    /// Returns an error if the value is outside the declared range.
    pub fn set_mark(&mut self, at: Territory, mark: Mark, now: i64) -> RuleResult {
        self.decl.marks[mark.index()].check(now).map_err(fault)?;
        let (was, now) = (self.mark(at, mark), now as i32);
        if was != now {
            let index = at.index() * self.decl.marks.len() + mark.index();
            self.marks[index] = now;
            let cell = StateCell::new(CellKind::Mark, mark.index(), at.index());
            self.rehash(cell, was.into(), now.into());
            self.push_event(|| Event::Mark {
                at,
                mark,
                by: now - was,
                now,
            });
        }
        Ok(())
    }
}
