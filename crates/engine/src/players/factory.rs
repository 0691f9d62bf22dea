//! Bots that the engine does not know, created by the program that uses the engine.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::BuildError;
use crate::hosting::{HostedBot, hosted};
use crate::script::{RulesSource, Script};
use risk_kernel::Bot;
use risk_kernel::declare::Declaration;

/// A factory for bots that the engine does not know: a bot in another program, or at an address.
pub trait BotFactory: fmt::Debug + Send + Sync + Any {
    /// Creates the bot for one thread's games. The arguments are the rules and the declaration in
    /// force.
    ///
    /// # Errors
    /// Returns an error if no such bot exists, or if it can't play this ruleset.
    fn build(
        &self,
        decl: &Declaration,
        rules: &RulesSource,
    ) -> Result<Box<dyn HostedBot>, BuildError>;

    /// Returns the script of the bot, if the bot only runs a script elsewhere. Its games are then
    /// treated as games of the script: they can be repeated, and records contain the script's hash.
    fn script(&self) -> Option<&Script> {
        None
    }

    /// Returns the bot's default values for options. Options that the ruleset lacks are ignored.
    fn usual_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the place of the bot and a hash of its content for records, or `None` if they are
    /// not known.
    fn content(&self) -> Option<(&str, &str)> {
        None
    }
}

/// A constructor for a bot of the program that uses the library. It is called once for each thread
/// that plays.
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
