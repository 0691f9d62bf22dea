//! The bots in Rust, by name.

use super::general::{General, GeneralLevel};
use super::oracle::{self, Oracle};
use super::{faulty, holder, odds_bot, outnumber, random};
use crate::matches::{HostedBot, hosted};
use crate::script::RulesSource;
use crate::script::chances::FightChances;
use risk_kernel::odds::Fight;

/// A bot in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// Any option, each as likely as any other.
    Random,
    /// As [`BuiltIn::Random`], over whole actions where a game has plans.
    RandomAction,
    /// Attacks where it has more armies.
    Outnumber,
    /// Attacks where the chances favour it.
    Odds,
    /// Takes continents and keeps them.
    Holder,
    /// Plans campaigns, as far as its level says.
    General(GeneralLevel),
    /// Weighs plans of generals by so many games in its head for each turn.
    Oracle(u32),
    /// Makes a fault of each decision.
    Faulty,
}

impl BuiltIn {
    /// Every bot, in the order in which lists have them.
    pub const ALL: [Self; 10] = [
        Self::Random,
        Self::RandomAction,
        Self::Outnumber,
        Self::Odds,
        Self::Holder,
        Self::General(GeneralLevel::Hard),
        Self::General(GeneralLevel::Normal),
        Self::General(GeneralLevel::Easy),
        Self::Oracle(oracle::USUAL_BUDGET),
        Self::Faulty,
    ];

    /// The name that command lines and lists have, without a budget.
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
            Self::Oracle(_) => "oracle",
            Self::Faulty => "faulty",
        }
    }

    /// The name, and the budget where it has one: all that makes it what it is.
    #[must_use]
    pub fn content(self) -> String {
        match self {
            Self::Oracle(budget) => format!("oracle:{budget}"),
            other => other.as_str().to_owned(),
        }
    }

    /// What it does, as a fragment without a full stop.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Random => "says anything that is allowed, every option as likely as any other",
            Self::RandomAction => {
                "as random, over whole actions where a game has some: a move with its attack, for \
                 example"
            }
            Self::Outnumber => {
                "deploys on its most threatened front, and attacks while it outnumbers"
            }
            Self::Odds => "attacks where the chance of taking the land favours it",
            Self::Holder => "takes continents, keeps them, and breaks those of others",
            Self::General(GeneralLevel::Hard) => {
                "plans chains of conquests, what can be kept, and the end of players; its level \
                 is `hard`"
            }
            Self::General(GeneralLevel::Normal) => {
                "as general, with short chains of conquests alone: the level `normal`"
            }
            Self::General(GeneralLevel::Easy) => "as general, one conquest ahead: the level `easy`",
            Self::Oracle(_) => {
                "weighs what generals would do by games in its head, 200 for each turn; `oracle:1000` looks harder"
            }
            Self::Faulty => "makes a fault of each decision, to see what a ruleset does then",
        }
    }

    /// The bot with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some(level) = name.strip_prefix("general:") {
            return GeneralLevel::from_name(level).map(Self::General);
        }
        if let Some(budget) = name.strip_prefix("oracle:") {
            // Written in one way alone: without signs and zeros before it.
            let number = budget.parse().ok();
            let number = number.filter(|number: &u32| number.to_string() == budget);
            let fits = number.filter(|number| oracle::BUDGETS.contains(number));
            return fits.map(Self::Oracle);
        }
        Self::ALL.into_iter().find(|bot| bot.as_str() == name)
    }

    /// The levels of the bot with this name, the weakest first; none of most bots.
    #[must_use]
    pub fn levels(name: &str) -> Vec<&'static str> {
        match Self::from_name(name) {
            Some(Self::General(_)) => GeneralLevel::ALL
                .into_iter()
                .map(GeneralLevel::as_str)
                .collect(),
            Some(Self::Oracle(_)) => vec!["games for each turn, from 10 to 100000"],
            _ => Vec::new(),
        }
    }

    /// Makes the bot for one thread's games by these rules, in which fights have these chances.
    pub(super) fn build(self, fight: Option<Fight>, rules: &RulesSource) -> Box<dyn HostedBot> {
        match self {
            Self::Oracle(budget) => hosted(Oracle::new(budget, fight, rules)),
            Self::Odds => hosted(odds_bot::OddsBot::new(rules.chances(fight))),
            Self::Holder => hosted(holder::Holder::new(rules.chances(fight))),
            other => other.without_rules(fight),
        }
    }

    /// As [`BuiltIn::build`], of one that imagines no games; an oracle plays as the general then.
    pub(super) fn without_rules(self, fight: Option<Fight>) -> Box<dyn HostedBot> {
        match self {
            Self::Oracle(_) => hosted(General::new(GeneralLevel::Hard, fight)),
            Self::Random => hosted(random::Random::new(false)),
            Self::RandomAction => hosted(random::Random::new(true)),
            Self::Outnumber => hosted(outnumber::Outnumber::default()),
            Self::Odds => hosted(odds_bot::OddsBot::new(FightChances::by_tables(fight))),
            Self::Holder => hosted(holder::Holder::new(FightChances::by_tables(fight))),
            Self::General(level) => hosted(General::new(level, fight)),
            Self::Faulty => hosted(faulty::Faulty),
        }
    }
}
