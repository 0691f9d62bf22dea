//! Bots that the engine does not know and the program around it makes.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::BuildError;
use crate::matches::{HostedBot, hosted};
use crate::script::{RulesSource, Script};
use risk_kernel::Bot;
use risk_kernel::declare::Declaration;

/// Makes a bot that the engine does not know: one in another program, or at an address.
pub trait BotFactory: fmt::Debug + Send + Sync + Any {
    /// Makes the bot for one thread's games by these rules, with the declaration in force.
    ///
    /// # Errors
    /// Returns an error if there is no such bot, or if it can't play this ruleset.
    fn build(
        &self,
        decl: &Declaration,
        rules: &RulesSource,
    ) -> Result<Box<dyn HostedBot>, BuildError>;

    /// Returns the script that the bot plays, if it only runs one elsewhere. Its games then count
    /// as the script's: they can be repeated, and records name the script's hash.
    fn script(&self) -> Option<&Script> {
        None
    }

    /// Returns the bot's default values for the ruleset's options, where the ruleset has them.
    fn usual_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the place of the bot and a hash of its content, for records; `None` if they are not
    /// known.
    fn content(&self) -> Option<(&str, &str)> {
        None
    }
}

/// A constructor of a bot in the program around the library, called once for each thread that
/// plays.
#[derive(Clone)]
pub struct OwnBot(Arc<dyn Fn() -> Box<dyn Bot> + Send + Sync>);

impl OwnBot {
    /// Creates a source of the bots that `make` returns.
    pub fn new(make: impl Fn() -> Box<dyn Bot> + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }
}

impl BotFactory for OwnBot {
    fn build(&self, _: &Declaration, _: &RulesSource) -> Result<Box<dyn HostedBot>, BuildError> {
        Ok(hosted((self.0)()))
    }
}

impl fmt::Debug for OwnBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnBot")
    }
}
