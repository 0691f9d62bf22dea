//! A game that is over, and why it stopped if it has no outcome.

use super::fault::RuleFault;
use super::interrupt;
use super::outcome::Outcome;
use super::state::GameState;

/// A game that ended or stopped.
#[derive(Debug)]
pub struct FinishedGame {
    /// The last state.
    pub game: GameState,
    /// The outcome, or the reason why the game stopped.
    pub outcome: Result<Outcome, StopReason>,
}

/// The reason why a game stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum StopReason {
    /// The ruleset failed.
    #[error("the ruleset failed: {0}")]
    Rules(#[source] RuleFault),
    /// The caller stopped the game.
    #[error("the game was stopped")]
    Halted,
}

/// A ruleset that fails during an interrupt was interrupted itself, which is no fault.
impl From<RuleFault> for StopReason {
    fn from(fault: RuleFault) -> Self {
        if interrupt::is_raised() {
            Self::Halted
        } else {
            Self::Rules(fault)
        }
    }
}
