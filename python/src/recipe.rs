//! What games are made of: enough to make the same games again, in this process or in another one.

use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Recipe {
    /// The caller's specification.
    Spec {
        spec: Spec,
        /// The bots by seat. `None` and missing entries mean seats that the caller plays.
        bots: Vec<Option<String>>,
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
    /// Returns the bot of a seat, or `None` if the caller plays it.
    pub(crate) fn bot(&self, seat: usize) -> Option<&str> {
        match self {
            Self::Spec { bots, .. } => bots.get(seat)?.as_deref(),
            Self::Record { .. } => None,
        }
    }
}
