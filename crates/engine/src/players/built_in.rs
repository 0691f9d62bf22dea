//! The bots in Rust, by name.

use super::oracle::{self, Oracle};
use super::search::{Search, SearchLevel};
use crate::hosting::{HostedBot, hosted};
use crate::script::RulesSource;
use risk_bots::fight_odds::FightOdds;
use risk_bots::{
    FaultyBot, General, GeneralLevel, HolderBot, OddsBot, OutnumberBot, RandomBot, understands,
};
use risk_kernel::declare::Declaration;
use risk_kernel::odds::Fight;

/// The rulesets of the program for which [`BuiltIn::is_particular`] bots are made. A test compares
/// it with what [`BuiltIn::knows`] says of the rulesets.
const MADE_FOR: [&str; 9] = [
    "capital",
    "codelab",
    "fog",
    "hasbro",
    "missions",
    "scored",
    "simplified",
    "syncs2024",
    "teams",
];

/// A bot in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// Picks an option at random, with the same probability for each option.
    Random,
    /// Picks at random like [`BuiltIn::Random`], but from whole actions if a game has plans.
    RandomAction,
    /// Attacks territories that have fewer armies than its own.
    Outnumber,
    /// Attacks territories that it is likely to take.
    Odds,
    /// Takes continents and holds them.
    Holder,
    /// Plans campaigns with the depth that its level allows.
    General(GeneralLevel),
    /// Compares plans of generals in this number of imagined games per turn.
    Oracle(u32),
    /// Plays plans of its turn out in imagined games, by any rules.
    Search(SearchLevel),
    /// Commits a fault at each decision.
    Faulty,
}

impl BuiltIn {
    /// Every bot, in the order in which lists show them.
    pub const ALL: [Self; 14] = [
        Self::Random,
        Self::RandomAction,
        Self::Outnumber,
        Self::Odds,
        Self::Holder,
        Self::General(GeneralLevel::Hard),
        Self::General(GeneralLevel::Normal),
        Self::General(GeneralLevel::Easy),
        Self::General(GeneralLevel::Learned),
        Self::Oracle(oracle::USUAL_BUDGET),
        Self::Search(SearchLevel::Normal),
        Self::Search(SearchLevel::Quick),
        Self::Search(SearchLevel::Deep),
        Self::Faulty,
    ];

    /// Returns the name in command lines and lists, without a budget.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::RandomAction => "random-action",
            Self::Outnumber => "outnumber",
            Self::Odds => "odds",
            Self::Holder => "holder",
            Self::General(GeneralLevel::Hard) => "general",
            Self::General(GeneralLevel::Normal) => "general:normal",
            Self::General(GeneralLevel::Easy) => "general:easy",
            Self::General(GeneralLevel::Learned) => "general:learned",
            Self::Oracle(_) => "oracle",
            Self::Search(SearchLevel::Normal) => "search",
            Self::Search(SearchLevel::Quick) => "search:quick",
            Self::Search(SearchLevel::Deep) => "search:deep",
            Self::Faulty => "faulty",
        }
    }

    /// Returns the name, with the budget if the bot has one. The text determines the bot.
    #[must_use]
    pub fn content(self) -> String {
        match self {
            Self::Oracle(budget) => format!("oracle:{budget}"),
            other => other.as_str().to_owned(),
        }
    }

    /// Returns a description, as a fragment without a full stop.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Random => "chooses among all legal actions at random, each with the same chance",
            Self::RandomAction => {
                "like random, but chooses compound actions, such as a move with its attack, where \
                 a game has them"
            }
            Self::Outnumber => {
                "deploys on its most threatened front, and attacks while it outnumbers defenders"
            }
            Self::Odds => "attacks where a conquest is likely",
            Self::Holder => "conquers and holds continents, and breaks those of others",
            Self::General(GeneralLevel::Hard) => {
                "plans chains of conquests and eliminations, and what it can hold (level `hard`)"
            }
            Self::General(GeneralLevel::Normal) => {
                "like general, but plans only short chains of conquests (level `normal`)"
            }
            Self::General(GeneralLevel::Easy) => {
                "like general, but plans only one conquest ahead (level `easy`)"
            }
            Self::General(GeneralLevel::Learned) => {
                "like general, but compares plans by a learned chance to win (level `learned`)"
            }
            Self::Oracle(_) => {
                "compares the plans of generals in imagined games, 200 a turn; `oracle:1000` \
                 imagines more"
            }
            Self::Search(SearchLevel::Normal) => {
                "plays by any rules: plays plans of its turn out in imagined games, about half a \
                 second a turn"
            }
            Self::Search(SearchLevel::Quick) => {
                "like search, but with a fifth of the work (level `quick`)"
            }
            Self::Search(SearchLevel::Deep) => {
                "like search, but with ten times the work (level `deep`)"
            }
            Self::Faulty => "commits a fault at each decision, to test how rulesets handle faults",
        }
    }

    /// Reports whether the bot is made only for some rulesets. It plays others like
    /// [`BuiltIn::Outnumber`].
    #[must_use]
    pub const fn is_particular(self) -> bool {
        matches!(self, Self::General(_) | Self::Oracle(_))
    }

    /// Returns the names of the rulesets that the bot is made for; all rulesets if empty.
    #[must_use]
    pub const fn made_for(self) -> &'static [&'static str] {
        if self.is_particular() { &MADE_FOR } else { &[] }
    }

    /// Reports whether the bot is made for rulesets with this declaration.
    #[must_use]
    pub fn knows(self, decl: &Declaration) -> bool {
        !self.is_particular() || understands(decl)
    }

    /// Returns the bot with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some(level) = name.strip_prefix("general:") {
            return GeneralLevel::from_name(level).map(Self::General);
        }
        if let Some(level) = name.strip_prefix("search:") {
            return SearchLevel::from_name(level).map(Self::Search);
        }
        if let Some(budget) = name.strip_prefix("oracle:") {
            // A budget has only one valid spelling, without signs and leading zeros.
            let number = budget.parse().ok();
            let number = number.filter(|number: &u32| number.to_string() == budget);
            let fits = number.filter(|number| oracle::BUDGETS.contains(number));
            return fits.map(Self::Oracle);
        }
        Self::ALL.into_iter().find(|bot| bot.as_str() == name)
    }

    /// Returns the levels of the bot with this name, the weakest first. Most bots have no levels.
    #[must_use]
    pub fn levels(name: &str) -> Vec<&'static str> {
        match Self::from_name(name) {
            Some(Self::General(_)) => GeneralLevel::ALL
                .into_iter()
                .map(GeneralLevel::as_str)
                .collect(),
            Some(Self::Search(_)) => SearchLevel::ALL
                .into_iter()
                .map(SearchLevel::as_str)
                .collect(),
            Some(Self::Oracle(_)) => vec!["10 to 100000 games a turn"],
            _ => Vec::new(),
        }
    }

    pub(super) fn build(self, fight: Option<Fight>, rules: &RulesSource) -> Box<dyn HostedBot> {
        match self {
            Self::Oracle(budget) => hosted(Oracle::new(budget, fight, rules)),
            Self::Search(level) => hosted(Search::new(level, fight, rules)),
            Self::Odds => hosted(OddsBot::new(rules.chances(fight))),
            Self::Holder => hosted(HolderBot::new(rules.chances(fight))),
            other => other.without_rules(fight),
        }
    }

    /// Creates a bot that imagines no games, like [`BuiltIn::build`]. An oracle then plays like the
    /// general.
    pub(super) fn without_rules(self, fight: Option<Fight>) -> Box<dyn HostedBot> {
        match self {
            Self::Oracle(_) => hosted(General::new(GeneralLevel::Hard, fight)),
            Self::Random | Self::Search(_) => hosted(RandomBot::new(false)),
            Self::RandomAction => hosted(RandomBot::new(true)),
            Self::Outnumber => hosted(OutnumberBot::default()),
            Self::Odds => hosted(OddsBot::new(FightOdds::by_tables(fight))),
            Self::Holder => hosted(HolderBot::new(FightOdds::by_tables(fight))),
            Self::General(level) => hosted(General::new(level, fight)),
            Self::Faulty => hosted(FaultyBot),
        }
    }
}
