//! Faults of bots that play against a Python caller.

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use risk_engine::SeatFault;
use serde_json::{Value, json};
use std::ffi::CString;

use crate::errors::{OpponentFault, wrong};
use crate::kit::Kit;
use crate::seating::Table;

/// What happens to a game after a fault of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnOpponentFault {
    /// The step raises an exception.
    Raise,
    /// The step truncates the game.
    Truncate,
    /// The game continues by the strikes of its ruleset.
    Forfeit,
}

impl OnOpponentFault {
    pub(crate) fn parse(text: &str) -> PyResult<Self> {
        match text {
            "raise" => Ok(Self::Raise),
            "truncate" => Ok(Self::Truncate),
            "forfeit" => Ok(Self::Forfeit),
            other => Err(wrong(format!(
                "`on_opponent_fault` must be 'raise', 'truncate' or 'forfeit', found '{other}'"
            ))),
        }
    }
}

/// Returns the faults as a list for Python.
pub(crate) fn values((kit, table): (&Kit, &Table), faults: &[SeatFault]) -> Value {
    let value = |fault: &SeatFault| {
        json!({
            "player": fault.player.index(),
            "bot": kit.spec_at(table, fault.player.index()).bot,
            "kind": fault.kind.as_str(),
            "text": fault.text,
        })
    };
    faults.iter().map(value).collect()
}

/// Returns the exception for a fault.
pub(crate) fn error((kit, table): (&Kit, &Table), fault: &SeatFault) -> PyErr {
    let player = fault.player.index();
    OpponentFault::new_err(format!(
        "player {player}, {}, has failed ({}): {}\nto go on after faults, pass \
         on_opponent_fault='truncate' or 'forfeit'",
        kit.spec_at(table, player).bot,
        fault.kind.as_str(),
        fault.text
    ))
}

/// Warns of bots that are made for other rulesets.
pub(crate) fn warn_of_strangers(py: Python<'_>, kit: &Kit) -> PyResult<()> {
    let ruleset = &kit.setup.rules.ruleset.manifest.decl.name;
    for bot in kit.strangers() {
        let text = format!(
            "{bot} is not made for {ruleset}: `risk-cli bot list` describes the bots, and \
             `risk-cli bot check --ruleset {} {bot}` tests one",
            kit.setup.rules.ruleset_spec
        );
        let text = CString::new(text).map_err(|error| wrong(error.to_string()))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(())
}
