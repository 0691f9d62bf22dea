//! What a ruleset declares before the first game: names, kinds, who sees what, limits.

use std::collections::BTreeMap;

use super::board::Datum;
use super::id::{Card, Counter, Phase, Pile, Territory, Unit, Verb};
use super::reason;

/// What a parameter of a verb stands for: enough to print, parse and prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// A territory of the board.
    Territory,
    /// A continent of the board.
    Continent,
    /// A player, by seat.
    Player,
    /// A whole number.
    Count,
    /// A card of the ruleset.
    Card,
    /// A kind of unit.
    Unit,
}

/// A verb and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerbInfo {
    /// The name in rulesets, actions and records.
    pub name: String,
    /// Name and kind of each parameter.
    pub slots: Vec<(String, SlotKind)>,
}

/// How the fights of a phase go, by the ruleset's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightBy {
    /// One round of dice for an answer, compared by the ruleset's tables.
    Dice,
    /// One battle in percent for an order, of the verb `attack` or `move`.
    Percent,
}

impl FightBy {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Dice, Self::Percent];

    /// The name in rulesets: `script().fights("dice")`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dice => "dice",
            Self::Percent => "percent",
        }
    }

    /// The way with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.as_str() == name)
    }
}

/// A phase and how it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseInfo {
    /// The name in rulesets, actions and records.
    pub name: String,
    /// Are the answers given in it hidden from the other players?
    pub secret: bool,
    /// Is anybody asked in it? A phase that only does something when it opens has no players.
    pub asks: bool,
    /// May players leave its decisions to the rules? Only those are asked who want to be; for all
    /// others the first option is taken.
    pub optional: bool,
    /// Does the ruleset's script do it, and no standard phase?
    pub scripted: bool,
    /// How it fights, by the ruleset's tables; `None` where it has no fights, or where the script
    /// fights them in a way of its own.
    pub fights: Option<FightBy>,
}

/// Who may see a counter or a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Every player, and whoever watches.
    All,
    /// The player it belongs to. Of a pile, the others see how many cards.
    Owner,
    /// Nobody. Of a pile, everybody sees how many cards.
    Nobody,
}

/// A counter or a pile: a name and who sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterDecl {
    /// The name in rulesets, actions and records.
    pub name: String,
    /// Who sees it.
    pub seen: Visibility,
}

/// A card of the ruleset's deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardInfo {
    /// Its name, one word, unique among the cards.
    pub name: String,
    /// Its kind, an index into [`Declaration::card_kinds`].
    pub kind: i32,
    /// The territory on it, if any.
    pub at: Option<Territory>,
    /// Everything else the ruleset says of it, for scripts.
    pub data: BTreeMap<String, Datum>,
}

/// Sentences in which a ruleset tells what happens. None of them has a subject: the player is
/// named before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentences {
    /// By verb: what a player does, with `{parameter}` where its value goes; empty if
    /// there is none.
    pub verbs: Vec<String>,
    /// By counter: that it has risen, `{by}` so much, to `{now}`; empty if it is not told.
    pub counters: Vec<String>,
    /// By phase: what stands above what happens in it; empty for nothing.
    pub phases: Vec<String>,
    /// Why a game is over, by the word for it.
    pub endings: BTreeMap<String, String>,
}

impl Sentences {
    /// Of a verb, if there is one.
    #[must_use]
    pub fn of_verb(&self, verb: Verb) -> Option<&str> {
        self.verbs
            .get(verb.index())
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Of a counter, if there is one.
    #[must_use]
    pub fn of_counter(&self, counter: Counter) -> Option<&str> {
        self.counters
            .get(counter.index())
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Of a phase, if there is one.
    #[must_use]
    pub fn of_phase(&self, phase: Phase) -> Option<&str> {
        self.phases
            .get(phase.index())
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Why a game is over: the ruleset's sentence, or that of a reason that all games have.
    #[must_use]
    pub fn of_ending<'a>(&'a self, reason: &'a str) -> &'a str {
        self.endings.get(reason).map_or_else(
            || match reason {
                reason::TURN_LIMIT => "the game has reached its limit",
                reason::ANSWER_LIMIT => {
                    "more was decided than may be decided in one game (the limit on answers)"
                }
                reason::EVENT_LIMIT => {
                    "more happened than may happen in one game (the limit on events)"
                }
                reason::FAULT_LIMIT => {
                    "more faults were made than may be made in one game (the limit on faults)"
                }
                reason::DRAW => "nobody plays on",
                other => other,
            },
            String::as_str,
        )
    }
}

/// How far a player sees in the fog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The whole board.
    All,
    /// Own land and what borders it.
    Near,
    /// Own land alone.
    Own,
}

/// What the loop does with a player whose strikes are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFault {
    /// The player answers nothing more in this frame.
    Skip,
    /// The first of the options is taken.
    FirstOption,
    /// The player becomes neutral: land and cards stay, no more decisions.
    Neutral,
    /// As neutral, and ranked last.
    Forfeit,
    /// The ruleset's hook `on_fault_out` decides.
    Hook,
}

impl OnFault {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Skip,
        Self::FirstOption,
        Self::Neutral,
        Self::Forfeit,
        Self::Hook,
    ];

    /// The name in rulesets, records and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::FirstOption => "first-option",
            Self::Neutral => "neutral",
            Self::Forfeit => "forfeit",
            Self::Hook => "hook",
        }
    }

    /// The policy with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.as_str() == name)
    }
}

/// When a player's faults have consequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strikes {
    /// At which fault [`OnFault`] applies, from 1; 0 for never: the player is asked again, until
    /// the game ends at its [`MOST_FAULTS`](super::MOST_FAULTS).
    pub limit: u32,
    /// Counted for each decision anew instead of over the whole game?
    pub per_decision: bool,
    /// What happens then.
    pub then: OnFault,
}

/// Everything that a ruleset declares, bound to a map and its options.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The ruleset's name.
    pub name: String,
    /// The options that hold, by name.
    pub options: BTreeMap<String, Datum>,
    /// Verbs by id.
    pub verbs: Vec<VerbInfo>,
    /// Phases by id.
    pub phases: Vec<PhaseInfo>,
    /// The phases of one turn, in order.
    pub turn: Vec<Phase>,
    /// Counters by id.
    pub counters: Vec<CounterDecl>,
    /// Piles by id.
    pub piles: Vec<CounterDecl>,
    /// Kinds of units by id; at least one.
    pub units: Vec<String>,
    /// Kinds of cards.
    pub card_kinds: Vec<String>,
    /// Cards by id.
    pub cards: Vec<CardInfo>,
    /// Whose owners a player sees.
    pub owners_seen: Sight,
    /// Whose units a player sees.
    pub units_seen: Sight,
    /// Does a player who loses the last territory leave the game, and the last one left win? Then
    /// the word for why the game is over.
    pub last_standing: Option<String>,
    /// The counter in which the players of a team have the same number, above 0; all see it.
    pub teams: Option<Counter>,
    /// After how many player-turns the game ends with reason `limit`; 0 for never.
    pub max_turns: u32,
    /// Faults of players.
    pub strikes: Strikes,
    /// Does the ruleset tell chances of its own, by its hook `chance`?
    pub own_chances: bool,
    /// How what happens is told.
    pub sentences: Sentences,
}

impl Declaration {
    /// How fights go by the ruleset's tables; `None` where no phase fights by them, some by dice
    /// and others in percent, or the ruleset tells chances of its own.
    #[must_use]
    pub fn fights(&self) -> Option<FightBy> {
        if self.own_chances {
            return None;
        }
        let mut ways = self.phases.iter().filter_map(|phase| phase.fights);
        let first = ways.next()?;
        ways.all(|way| way == first).then_some(first)
    }

    /// Does the ruleset tell the chances of attacks?
    #[must_use]
    pub fn tells_chances(&self) -> bool {
        self.own_chances || self.fights().is_some()
    }

    /// May a chance by the ruleset's tables be told of an attack that is offered in this phase? Not
    /// where the script does the phase and does not say that it fights by them.
    #[must_use]
    pub fn fights_by_tables(&self, phase: Phase) -> bool {
        let phase = self.phases.get(phase.index());
        phase.is_some_and(|phase| !phase.scripted || phase.fights.is_some())
    }

    /// The verb with this name.
    #[must_use]
    pub fn verb(&self, name: &str) -> Option<Verb> {
        self.verbs
            .iter()
            .position(|verb| verb.name == name)
            .map(Verb::from_index)
    }

    /// The phase with this name.
    #[must_use]
    pub fn phase(&self, name: &str) -> Option<Phase> {
        self.phases
            .iter()
            .position(|phase| phase.name == name)
            .map(Phase::from_index)
    }

    /// The counter with this name.
    #[must_use]
    pub fn counter(&self, name: &str) -> Option<Counter> {
        self.counters
            .iter()
            .position(|kept| kept.name == name)
            .map(Counter::from_index)
    }

    /// The pile with this name.
    #[must_use]
    pub fn pile(&self, name: &str) -> Option<Pile> {
        self.piles
            .iter()
            .position(|kept| kept.name == name)
            .map(Pile::from_index)
    }

    /// The unit with this name.
    #[must_use]
    pub fn unit(&self, name: &str) -> Option<Unit> {
        self.units
            .iter()
            .position(|unit| unit == name)
            .map(Unit::from_index)
    }

    /// The card with this name.
    #[must_use]
    pub fn card(&self, name: &str) -> Option<Card> {
        self.cards
            .iter()
            .position(|card| card.name == name)
            .map(Card::from_index)
    }
}
