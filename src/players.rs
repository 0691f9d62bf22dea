//! Who answers: built-in bots, script bots, and bots over HTTP.

mod eyes;
pub mod hacker_risk;
mod holder;
pub mod isolated;
mod odds_bot;
mod outnumber;
mod random;
pub mod remote;
mod strict;

use crate::kernel::Bot;
use crate::kernel::board::Board;
use crate::kernel::declare::Declaration;
use crate::odds::Fight;
use crate::script::bot::ScriptBot;
use crate::script::{Script, ScriptFault, Terms};
use isolated::{Isolated, Isolation};
use remote::{Address, Remote};

/// A bot in Rust: its name, and what it does.
pub const BUILT_IN: [(&str, &str); 5] = [
    ("random", "says anything that is allowed, every option as likely as any other"),
    ("random-action", "as random, over whole actions where a game has some: a move with its attack, say"),
    ("outnumber", "deploys on its most threatened front, and attacks while it outnumbers"),
    ("odds", "attacks where the exact chance of taking the land favours it"),
    ("holder", "takes continents, keeps them, and breaks those of others"),
];

/// What a player is made of.
#[derive(Clone, Debug)]
pub enum Maker {
    /// A bot in Rust, by its index in [`BUILT_IN`].
    BuiltIn(usize),
    /// A script.
    Script(Script),
    /// A script in a process of its own.
    Isolated(Isolation),
    /// A server elsewhere.
    Remote(Address),
}

impl Maker {
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
        terms: &Terms,
    ) -> Result<Box<dyn Bot>, Vec<ScriptFault>> {
        Ok(match self {
            Self::BuiltIn(0) => Box::new(random::Random::new(false)),
            Self::BuiltIn(1) => Box::new(random::Random::new(true)),
            Self::BuiltIn(2) => Box::new(outnumber::Outnumber::default()),
            Self::BuiltIn(3) => Box::new(odds_bot::OddsBot::new(fight)),
            Self::BuiltIn(_) => Box::new(holder::Holder::new(fight)),
            Self::Remote(at) => Box::new(Remote::reach(at, decl)?),
            Self::Isolated(how) => Box::new(Isolated::start(how)?),
            Self::Script(script) => Box::new(ScriptBot::new(script, decl, board.len(), players, fight, terms)?),
        })
    }
}
