//! The names of one kind of game, and the comparison of kinds.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use risk_engine::{Board, Declaration, SlotKind, Words};

use crate::recipe::Spec;

/// The board and the declarations that map a game's numbers to names.
pub(crate) struct Names {
    pub(crate) board: Arc<Board>,
    pub(crate) decl: Arc<Declaration>,
    pub(crate) players: usize,
    /// The games that the names belong to, without bots. `None` in a match, which may have Python
    /// bots.
    pub(crate) spec: Option<Spec>,
}

impl Names {
    /// Reports whether these names belong to games of the same kind: with the same ruleset, map,
    /// options and number of players.
    pub(crate) fn are_those_of(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || self.players == other.players
                && same_board(&self.board, &other.board)
                && same_rules(&self.decl, &other.decl)
    }

    pub(crate) fn words(&self) -> Words<'_> {
        Words::new(&self.board, &self.decl)
    }

    /// Returns a parameter's value: a word, or a number for counts and players.
    pub(crate) fn value<'py>(
        &self,
        py: Python<'py>,
        kind: SlotKind,
        value: i32,
    ) -> PyResult<Bound<'py, PyAny>> {
        match kind {
            SlotKind::Count | SlotKind::Player => value.into_bound_py_any(py),
            _ => self.words().value(kind, value).into_bound_py_any(py),
        }
    }
}

fn same_board(one: &Arc<Board>, other: &Arc<Board>) -> bool {
    Arc::ptr_eq(one, other)
        || one.len() == other.len()
            && one.groups() == other.groups()
            && one.territories().all(|at| {
                one.info(at) == other.info(at) && one.neighbours(at) == other.neighbours(at)
            })
}

fn same_rules(one: &Arc<Declaration>, other: &Arc<Declaration>) -> bool {
    Arc::ptr_eq(one, other)
        || one.name == other.name
            && one.options == other.options
            && one.verbs == other.verbs
            && one.phases == other.phases
            && one.counters == other.counters
            && one.piles == other.piles
            && one.units == other.units
            && one.cards == other.cards
            && (one.owners_seen, one.units_seen) == (other.owners_seen, other.units_seen)
}
