//! Bots that the engine does not know: the program around it makes them.

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
    /// Makes the bot for one thread's games by these rules, of which these are in force.
    ///
    /// # Errors
    /// Why there is no such bot, or why it can't play this ruleset.
    fn build(
        &self,
        decl: &Declaration,
        rules: &RulesSource,
    ) -> Result<Box<dyn HostedBot>, BuildError>;

    /// The script that it plays, if it does nothing but run one elsewhere. Its games are those of
    /// the script then: they can be repeated, and records name the script's hash.
    fn script(&self) -> Option<&Script> {
        None
    }

    /// Values of the ruleset's options in its games, where nobody says otherwise and the ruleset
    /// has them.
    fn usual_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Where the bot is and a hash of what it is made of, for records. `None` if that is not known.
    fn content(&self) -> Option<(&str, &str)> {
        None
    }
}

/// How a bot of the program around the library is made: once for each thread that plays.
#[derive(Clone)]
pub struct OwnBot(Arc<dyn Fn() -> Box<dyn Bot> + Send + Sync>);

impl OwnBot {
    /// Bots that this makes.
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
