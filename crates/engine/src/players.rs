//! The bots that decide for players: built-in bots, scripts, and bots that the program using the
//! engine creates.

mod build_error;
mod built_in;
mod factory;
mod halving;
pub mod names;
mod oracle;
mod search;
mod turn_rollout;

use std::any::Any;
use std::sync::Arc;

use crate::hosting::HostedBot;
use crate::script::bot::ScriptBot;
use crate::script::manifest::{Level, Manifest};
use crate::script::{Policies, RulesSource, Ruleset, Script, ScriptFault};
pub use build_error::BuildError;
pub use built_in::BuiltIn;
pub use factory::{BotFactory, OwnBot};
pub use risk_bots::GeneralLevel;
use risk_kernel::declare::Declaration;
use risk_kernel::odds::Fight;
use risk_text::diag::Finding;
use search::Search;

/// The source of a player's bot.
#[derive(Clone, Debug)]
pub enum BotSource {
    /// A bot in Rust.
    BuiltIn(BuiltIn),
    /// A script that runs inside this program.
    Script(Script),
    /// A bot that the program using the library creates: its own bot, or a bot elsewhere.
    Made(Arc<dyn BotFactory>),
    /// A person at this terminal. The program that runs in the terminal asks the person; see
    /// [`BotSource::is_person`].
    Human,
}

impl BotSource {
    /// Reports whether the source is a person. A person can play in only one game at a time.
    #[must_use]
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Human)
    }

    /// Reports whether decisions are made outside the engine. Such decisions may differ if they are
    /// repeated.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, Self::Made(_)) && self.script().is_none()
    }

    /// Returns the script that decides, either in this process or in another one.
    #[must_use]
    pub fn script(&self) -> Option<&Script> {
        match self {
            Self::Script(script) => Some(script),
            Self::Made(factory) => factory.script(),
            Self::BuiltIn(_) | Self::Human => None,
        }
    }

    /// Returns the names of the rulesets that the bot is made for; all rulesets if empty. A script
    /// lists them in its first comment: `// Made for: warzone, warlight2`.
    #[must_use]
    pub fn made_for(&self) -> Vec<&str> {
        match (self, self.script()) {
            (Self::BuiltIn(bot), _) => bot.made_for().to_vec(),
            (_, Some(script)) => made_for(&script.source.text),
            _ => Vec::new(),
        }
    }

    /// Reports whether the bot's list names this ruleset or, for a script, one that it extends. A
    /// bot without a list is made for all rulesets.
    #[must_use]
    pub fn lists(&self, ruleset: &Ruleset) -> bool {
        let known = self.made_for();
        let files = match self {
            Self::BuiltIn(_) => 1,
            _ => usize::MAX,
        };
        let mut names = ruleset.sources().map(|source| &*source.name).take(files);
        known.is_empty() || names.any(|name| known.contains(&name))
    }

    /// Reports whether the bot is made for this ruleset. Built-in bots also know rulesets that are
    /// not in their lists.
    #[must_use]
    pub fn is_made_for(&self, ruleset: &Ruleset, decl: &Declaration) -> bool {
        self.lists(ruleset) || matches!(self, Self::BuiltIn(bot) if bot.knows(decl))
    }

    /// Returns true if the bot is built in and imagines games, so that its answers take long.
    #[must_use]
    pub const fn searches(&self) -> bool {
        matches!(self, Self::BuiltIn(BuiltIn::Oracle(_) | BuiltIn::Search(_)))
    }

    /// Returns the factory of the bot, if the factory has this type.
    #[must_use]
    pub fn factory<T: BotFactory>(&self) -> Option<&T> {
        match self {
            Self::Made(factory) => {
                let factory: &dyn Any = factory.as_ref();
                factory.downcast_ref()
            }
            Self::BuiltIn(_) | Self::Script(_) | Self::Human => None,
        }
    }

    /// Returns the bot's default values for the ruleset's options.
    #[must_use]
    pub fn usual_options(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Made(factory) => factory.usual_options(),
            Self::BuiltIn(_) | Self::Script(_) | Self::Human => &[],
        }
    }

    /// Creates the bot for one thread's games. The arguments are the rules of these games, the
    /// declaration in force and the chances of fights.
    ///
    /// # Errors
    /// Returns an error if no such bot exists, or if it can't play by these rules.
    pub fn build(
        &self,
        decl: &Declaration,
        fight: Option<Fight>,
        rules: &RulesSource,
    ) -> Result<Box<dyn HostedBot>, BuildError> {
        Ok(match self {
            Self::BuiltIn(bot) => bot.build(fight, rules),
            Self::Human => {
                let text = "a person can play only in `risk-cli play`, one game at a time";
                let help = "choose a bot: `risk-cli bot list` lists them";
                return Err(Finding::error("bot::human", text).help(help).into());
            }
            Self::Made(factory) => factory.build(decl, rules)?,
            Self::Script(script) => Box::new(script_bot(script, decl, fight, rules)?),
        })
    }
}

/// Returns the names of the rulesets that a script lists in its first comment; none if it is made
/// for all rulesets.
#[must_use]
pub fn made_for(text: &str) -> Vec<&str> {
    let mut comment = text.lines().map_while(|line| line.strip_prefix("//"));
    let list = comment.find_map(|line| line.trim().strip_prefix("Made for:"));
    let names = list.unwrap_or_default().split(',').map(str::trim);
    names.filter(|name| !name.is_empty()).collect()
}

/// Returns the name of the bot that makes suggestions to people: the one that the ruleset names, or
/// its first bot unless this is one of the simple bots that any ruleset has. Otherwise it is
/// `general` if it understands the ruleset, or else `search:quick`.
#[must_use]
pub fn adviser(manifest: &Manifest) -> String {
    let simple = ["holder", "odds", "outnumber", "random", "search:quick"];
    let own = manifest.bots.first();
    let own = own.filter(|name| !simple.contains(&name.as_str()));
    let named = manifest.advice.as_ref().or(own);
    named.cloned().unwrap_or_else(|| {
        let general = BuiltIn::General(GeneralLevel::Hard);
        let knows = general.knows(&manifest.decl);
        let usual = if knows { "general" } else { "search:quick" };
        usual.to_owned()
    })
}

/// Returns the bots that people meet at this level, by seat; a table with more seats begins again.
/// The ruleset names them, or they follow from the bot of its hints: [`adviser`].
#[must_use]
pub fn level_bots(manifest: &Manifest, level: Level) -> Vec<String> {
    if let Some(named) = manifest.levels.get(&level) {
        return named.clone();
    }
    let hints = adviser(manifest);
    let bot = match (level, hints.as_str()) {
        (Level::Easy, "general") => "outnumber",
        (Level::Easy, _) => "random",
        (Level::Normal, _) => &hints,
        (Level::Hard, "general") => "oracle",
        (Level::Hard, "search:quick") => "search",
        (Level::Hard, _) => &hints,
    };
    vec![bot.to_owned()]
}

/// The bots that may play in games that a script imagines, each with the cost factor of its
/// decisions. All of them decide quickly.
const POLICIES: Policies = Policies {
    names: &[
        ("random", 1),
        ("random-action", 1),
        ("outnumber", 1),
        ("odds", 2),
        ("holder", 2),
    ],
    make: |name, fight| {
        let bot = BuiltIn::from_name(name)?.without_rules(fight);
        Some(bot)
    },
    search: |rules, fight, view, policy| {
        let policy = policy.and_then(BuiltIn::from_name);
        Box::new(Search::for_script(policy, fight, rules, view))
    },
};

/// Creates the bot of a script, like [`BotSource::build`].
///
/// # Errors
/// Returns the fault in the script.
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
