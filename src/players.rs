//! Who answers: built-in bots, script bots, and bots over HTTP.

pub mod callback;
mod decl_lookup;
mod faulty;
pub mod hacker_risk;
mod heuristics;
mod holder;
pub mod isolated;
pub mod names;
mod odds_bot;
mod outnumber;
mod random;
mod remote;
mod served;
pub mod wire;
pub mod wire_json;

use crate::kernel::Bot;
use crate::kernel::board::Board;
use crate::kernel::declare::Declaration;
use crate::odds::Fight;
use crate::script::bot::ScriptBot;
use crate::script::{Script, ScriptFault, ScriptLimits};
use callback::Caller;
use isolated::{Isolated, Isolation};
use remote::Remote;
use wire::{Address, Protocol};

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
    /// A script.
    Script(Script),
    /// A script in a process of its own.
    Isolated(Isolation),
    /// A server elsewhere.
    Remote(Address),
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
            Self::Remote(at) => return remote(at, decl),
            Self::Isolated(how) => Box::new(Isolated::start(how)?),
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

/// A bot over HTTP, once it is there.
fn remote(at: &Address, decl: &Declaration) -> Result<Box<dyn Bot>, Vec<ScriptFault>> {
    let made: Result<Box<dyn Bot>, String> = match at.speaks {
        Protocol::HackerRisk(encoding) => {
            Remote::new(at, encoding, decl).map(|bot| Box::new(bot) as Box<dyn Bot>)
        }
        Protocol::Callback(dialect) => {
            Caller::new(at, dialect, decl).map(|bot| Box::new(bot) as Box<dyn Bot>)
        }
    };
    let bot = made.map_err(|text| {
        let (protocol, play) = match at.speaks {
            Protocol::HackerRisk(_) => ("hacker-risk", "hasbro"),
            Protocol::Callback(_) => ("callback", "simplified"),
        };
        let text = format!(
            "bots over HTTP that speak {protocol} can't play {}: {text}",
            decl.name
        );
        vec![
            ScriptFault::new("bot::protocol", text)
                .help(format!("play {play}, or a ruleset that extends it")),
        ]
    })?;
    if at.probed {
        wire::reach(at).map_err(|not_there| {
            vec![
                ScriptFault::new("bot::unreachable", not_there.why)
                    .help("start it first; is the address right?"),
            ]
        })?;
    }
    Ok(bot)
}
