//! Who decides: built-in bots, scripts, scripts in processes of their own, and bots elsewhere.

mod faulty;
mod heuristics;
mod holder;
pub mod isolated;
mod odds_bot;
mod outnumber;
mod random;
mod remote;

use crate::kernel::Bot;
use crate::kernel::board::Board;
use crate::kernel::declare::Declaration;
use crate::odds::Fight;
use crate::protocol::Endpoint;
use crate::script::bot::ScriptBot;
use crate::script::{Script, ScriptFault, ScriptLimits};
use isolated::{Isolated, Isolation};
use remote::Remote;

/// A bot in Rust: its name, and what it does.
pub const BUILT_IN: [(&str, &str); 6] = [
    (
        "random",
        "says anything that is allowed, every option as likely as any other",
    ),
    (
        "random-action",
        "as random, over whole actions where a game has some: a move with its attack, say",
    ),
    (
        "outnumber",
        "deploys on its most threatened front, and attacks while it outnumbers",
    ),
    (
        "odds",
        "attacks where the exact chance of taking the land favours it",
    ),
    (
        "holder",
        "takes continents, keeps them, and breaks those of others",
    ),
    (
        "faulty",
        "makes a fault of each decision, to see what a ruleset does then",
    ),
];

/// What a player is made of.
#[derive(Clone, Debug)]
pub enum BotSource {
    /// A bot in Rust, by its index in [`BUILT_IN`].
    BuiltIn(usize),
    /// A script, run inside this program.
    Script(Script),
    /// A script in a process of its own.
    Isolated(Isolation),
    /// A bot elsewhere.
    Remote(Endpoint),
}

impl BotSource {
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
            Self::BuiltIn(0) => Box::new(random::Random::new(false)),
            Self::BuiltIn(1) => Box::new(random::Random::new(true)),
            Self::BuiltIn(2) => Box::new(outnumber::Outnumber::default()),
            Self::BuiltIn(3) => Box::new(odds_bot::OddsBot::new(fight)),
            Self::BuiltIn(4) => Box::new(holder::Holder::new(fight)),
            Self::BuiltIn(5) => Box::new(faulty::Faulty),
            Self::BuiltIn(index) => unreachable!("there is no built-in bot {index}"),
            Self::Remote(at) => Box::new(Remote::new(at, decl).map_err(|fault| vec![fault])?),
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
