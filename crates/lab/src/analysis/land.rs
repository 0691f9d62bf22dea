//! Whose each territory is and how many armies stand on it, as the events tell it.

use risk_kernel::board::Board;
use risk_kernel::event::{Capture, Event};
use risk_kernel::id::{Player, Territory, Unit};

/// A fold of a game's events from the beginning.
#[derive(Clone, Debug)]
pub(super) struct Land {
    owners: Vec<Option<Player>>,
    armies: Vec<i32>,
}

impl Land {
    pub(super) fn new(board: &Board) -> Self {
        Self {
            owners: vec![None; board.len()],
            armies: vec![0; board.len()],
        }
    }

    /// Back to the beginning of a game.
    pub(super) fn clear(&mut self) {
        self.owners.fill(None);
        self.armies.fill(0);
    }

    pub(super) fn owner(&self, at: Territory) -> Option<Player> {
        self.owners[at.index()]
    }

    /// Units of the first kind.
    pub(super) fn armies(&self, at: Territory) -> i32 {
        self.armies[at.index()]
    }

    pub(super) fn take(&mut self, event: &Event) {
        match *event {
            Event::Owner { at, to, .. } => self.owners[at.index()] = to,
            Event::Units { at, unit, now, .. } if unit == Unit::FIRST => {
                self.armies[at.index()] = now;
            }
            Event::Moved {
                from,
                to,
                unit,
                count,
            } if unit == Unit::FIRST => {
                self.armies[from.index()] -= count;
                self.armies[to.index()] += count;
            }
            Event::Captured(Capture {
                from,
                to,
                by,
                unit,
                moved,
                ..
            }) => {
                self.owners[to.index()] = Some(by);
                self.armies[to.index()] = 0;
                if unit == Unit::FIRST {
                    self.armies[from.index()] -= moved;
                    self.armies[to.index()] = moved;
                }
            }
            _ => {}
        }
    }
}
