//! Who decides: built-in bots, scripts, scripts in processes of their own, and bots elsewhere.

mod built_in;
mod faulty;
mod general;
mod heuristics;
mod holder;
pub mod isolated;
mod odds_bot;
mod oracle;
mod outnumber;
mod own;
mod random;
mod remote;

use crate::kernel::Bot;
use crate::kernel::declare::Declaration;
use crate::odds::Fight;
use crate::protocol::Endpoint;
use crate::script::bot::ScriptBot;
use crate::script::{Policies, RulesSource, Script, ScriptFault};
pub use built_in::BuiltIn;
pub use general::GeneralLevel;
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
    #[doc(hidden)]
    Isolated(Isolation),
    /// A bot elsewhere.
    #[doc(hidden)]
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

    /// Makes the bot for one thread's games by these rules, of which these are in force and these
    /// are the chances of fights.
    ///
    /// # Errors
    /// What is wrong with its script.
    pub fn build(
        &self,
        decl: &Declaration,
        fight: Option<Fight>,
        rules: &RulesSource,
    ) -> Result<Box<dyn Bot>, Vec<ScriptFault>> {
        Ok(match self {
            Self::BuiltIn(bot) => bot.build(fight, rules),
            Self::Human => {
                let text = "a person plays in `risk-cli play` alone, and one game at a time";
                let help = "name a bot instead: `risk-cli bot list` has some";
                return Err(vec![ScriptFault::new("bot::human", text).help(help)]);
            }
            Self::Remote(at) => Box::new(Remote::new(at, decl).map_err(|fault| vec![fault])?),
            Self::Own(own) => own.make(),
            Self::Isolated(isolation) => Box::new(Isolated::start(isolation)?),
            Self::Script(script) => Box::new(script_bot(script, decl, fight, rules)?),
        })
    }
}

/// The bots that may play the games on that a script imagines, each with what its decision counts:
/// those that decide at a glance.
const POLICIES: Policies = Policies {
    names: &[
        ("random", 1),
        ("random-action", 1),
        ("outnumber", 1),
        ("odds", 2),
        ("holder", 2),
    ],
    make: |name, fight| Some(BuiltIn::from_name(name)?.without_rules(fight)),
};

/// Makes a bot of a script, as [`BotSource::build`] does.
///
/// # Errors
/// What is wrong with it.
pub fn script_bot(
    script: &Script,
    decl: &Declaration,
    fight: Option<Fight>,
    rules: &RulesSource,
) -> Result<ScriptBot, Vec<ScriptFault>> {
    let territories = rules.board().len();
    let players = rules.players();
    let bot = ScriptBot::new(script, decl, territories, players, fight, rules.limits())?;
    Ok(bot.imagines_by(rules, &POLICIES))
}
