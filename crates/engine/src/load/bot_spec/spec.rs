//! What is known of a player once its specification is read.

use crate::matches::TimeControl;

use crate::players::BotSource;

/// A player as the command line names it.
#[derive(Clone, Debug)]
pub struct BotSpec {
    /// The name people see.
    pub name: String,
    /// The bot as it was given: `random`, `greedy`, `./mine.rhai`.
    pub bot: String,
    /// What decides, and how it is made.
    pub source: BotSource,
    /// A clock of its own, whatever the others have.
    pub clock: Option<TimeControl>,
}
