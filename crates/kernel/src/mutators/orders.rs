//! The book of orders that are stored and executed later.

use std::ops::Range;

use super::fault;
use crate::action::Action;
use crate::digest::order_cells;
use crate::event::Event;
use crate::fault::RuleResult;
use crate::id::Player;
use crate::state::{GameState, Order};
use risk_text::plural::counted;

/// The maximum number of orders in the book.
pub const MOST_ORDERS: usize = 100_000;

impl GameState {
    /// Stores an order in the book.
    ///
    /// # Errors
    /// Returns an error if the book already has [`MOST_ORDERS`] orders.
    pub fn store(&mut self, player: Player, action: Action) -> RuleResult {
        if self.book.len() >= MOST_ORDERS {
            return Err(fault(format!(
                "reached the limit of {MOST_ORDERS} stored orders"
            )));
        }
        self.book.push(Order { player, action });
        let last = self.book.len() - 1;
        if self.is_summed && self.book_summed == last {
            self.table_sum = self.table_sum.wrapping_add(self.book_sum(last..last + 1));
            self.book_summed += 1;
        }
        self.push_event(|| Event::Stored { player, action });
        Ok(())
    }

    /// Removes an order from the book.
    ///
    /// # Errors
    /// Returns an error if the book has no order at this index.
    pub fn unstore(&mut self, index: usize) -> RuleResult<Order> {
        if index >= self.book.len() {
            let held = counted(self.book.len(), "order");
            return Err(fault(format!("unknown order {index}: the book has {held}")));
        }
        // The later orders move up. Their terms are summed again only when the digest is read, so a
        // series of removals stays cheap.
        if index < self.book_summed {
            let was = self.book_sum(index..self.book_summed);
            self.table_sum = self.table_sum.wrapping_sub(was);
            self.book_summed = index;
        }
        let order = self.book.remove(index);
        self.push_event(|| Event::Unstored {
            index,
            player: order.player,
            action: order.action,
        });
        Ok(order)
    }

    /// Removes all orders that fit from the book. Returns these orders, the oldest first.
    pub fn unstore_all(&mut self, mut fits: impl FnMut(&Order) -> bool) -> Vec<Order> {
        let summed = self.book_sum(0..self.book_summed);
        self.table_sum = self.table_sum.wrapping_sub(summed);
        self.book_summed = 0;
        let mut taken = Vec::new();
        let mut left = Vec::new();
        for order in std::mem::take(&mut self.book) {
            if !fits(&order) {
                left.push(order);
                continue;
            }
            taken.push(order);
            let Order { player, action } = order;
            self.push_event(|| Event::Unstored {
                index: left.len(),
                player,
                action,
            });
        }
        self.book = left;
        taken
    }

    pub(crate) fn book_sum(&self, which: Range<usize>) -> u64 {
        let mut sum = 0_u64;
        for index in which {
            order_cells(index, &self.book[index], &mut |cell, value| {
                sum = sum.wrapping_add(cell.term(value))
            });
        }
        sum
    }

    /// Announces the execution of a stored order.
    pub fn executes(&mut self, player: Player, action: Action) {
        self.push_event(|| Event::Executed { player, action });
    }
}
