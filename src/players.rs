//! Who decides: built-in bots, scripts, scripts in processes of their own, and bots elsewhere.

mod built_in;
mod faulty;
mod general;
mod heuristics;
mod holder;
pub mod isolated;
mod odds_bot;
mod outnumber;
mod own;
mod random;
mod remote;

use crate::kernel::Bot;
use crate::kernel::board::Board;
use crate::kernel::declare::Declaration;
use crate::odds::Fight;
use crate::protocol::Endpoint;
use crate::script::bot::ScriptBot;
use crate::script::{Script, ScriptFault, ScriptLimits};
pub use built_in::BuiltIn;
pub use general::Level;
use isolated::{Isolated, Isolation};
pub use own::OwnBot;
use remote::Remote;

/// What a player is made of.
#[derive(Clone, Debug)]
pub enum BotSource {
    /// A bot in Rust.
    BuiltIn(BuiltIn),
    /// A script, run inside this program.
    Script(Script),
    /// A script in a process of its own.
    Isolated(Isolation),
    /// A bot elsewhere.
    Remote(Endpoint),
    /// A bot that the program around the library makes.
    Own(OwnBot),
    /// A person at this terminal. Whoever has the terminal asks; see [`BotSource::is_person`].
    Human,
}

impl BotSource {
    /// Does a person decide? Only one game that somebody sits at can have one.
    #[must_use]
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Human)
    }

    /// Makes the bot for one thread's games under a ruleset in force.
    ///
    /// # Errors
    /// What is wrong with its script.
    pub fn build(
        &self,
        decl: &Declaration,
        board: &Board,
        players: usize,
        fight: Option<Fight>,
        limits: &ScriptLimits,
    ) -> Result<Box<dyn Bot>, Vec<ScriptFault>> {
        Ok(match self {
            Self::BuiltIn(bot) => bot.build(fight),
            Self::Human => {
                let text = "a person plays in `risk-cli play` alone, and one game at a time";
                let help = "name a bot instead: `risk-cli bot list` has some";
                return Err(vec![ScriptFault::new("bot::human", text).help(help)]);
            }
            Self::Remote(at) => Box::new(Remote::new(at, decl).map_err(|fault| vec![fault])?),
            Self::Own(own) => own.make(),
            Self::Isolated(isolation) => Box::new(Isolated::start(isolation)?),
            Self::Script(script) => Box::new(ScriptBot::new(
                script,
                decl,
                board.len(),
                players,
                fight,
                limits,
            )?),
        })
    }
}
