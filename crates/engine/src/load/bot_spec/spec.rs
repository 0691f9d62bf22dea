//! A player's parsed specification.

use crate::hosting::TimeControl;

use crate::players::BotSource;

/// A player's parsed specification.
#[derive(Clone, Debug)]
pub struct BotSpec {
    /// The display name.
    pub name: String,
    /// The bot as given: `random`, `greedy`, `./mine.rhai`.
    pub bot: String,
    /// The source from which the bot is created.
    pub source: BotSource,
    /// The player's own clock, which overrides the clock of the match.
    pub clock: Option<TimeControl>,
}
