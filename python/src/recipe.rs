//! What games are made of: enough to make the same games again, in this process or in another one.

use std::sync::Arc;

use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::bots::PlayerArg;
use crate::seating::{Candidates, OwnSeat};

/// The specification of games as text from Python.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spec {
    /// The ruleset. By default, it is the position's ruleset, or hasbro.
    pub(crate) ruleset: Option<String>,
    pub(crate) map: Option<String>,
    pub(crate) options: Vec<(String, String)>,
    /// The number of players. By default, it is that of the position, or the ruleset's minimum.
    pub(crate) players: Option<usize>,
    /// The text of the position where games begin.
    pub(crate) position: Option<String>,
}

/// A ruleset on a map, and the bots on it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Recipe {
    /// The caller's specification.
    Spec {
        spec: Spec,
        /// The bots by seat. `None` and missing entries mean seats that the caller plays.
        bots: Vec<Option<Candidates>>,
        /// The seat that the caller plays, if it is not the same in each game.
        seat: Option<OwnSeat>,
        /// The number of operations for each call to a script.
        budget: Option<u64>,
    },
    /// The header of a record.
    Record {
        text: String,
        /// The ruleset and the map, if they are not those named in the record.
        ruleset: Option<String>,
        map: Option<String>,
    },
}

impl Recipe {
    /// The callables of the Python bots, in the order of their seats.
    pub(crate) fn callables(&mut self) -> impl Iterator<Item = &mut Option<Arc<Py<PyAny>>>> {
        let bots = match self {
            Self::Spec { bots, .. } => &mut bots[..],
            Self::Record { .. } => &mut [],
        };
        let bots = bots.iter_mut().flatten().flat_map(|seat| &mut seat.0);
        bots.filter_map(PlayerArg::callable)
    }
}
