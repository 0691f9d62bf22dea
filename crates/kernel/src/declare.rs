//! The declarations of a ruleset before the first game: names, kinds, visibility and limits.

use std::collections::BTreeMap;

use super::board::Datum;
use super::id::{Card, Counter, Phase, Pile, Territory, Unit, Verb};
use super::reason;

/// The kind of a verb's parameter: enough to print, parse and prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// A territory of the board.
    Territory,
    /// A continent of the board.
    Continent,
    /// A player, by seat.
    Player,
    /// An integer.
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
    /// The name and kind of each parameter.
    pub slots: Vec<(String, SlotKind)>,
}

/// How a phase resolves fights by the ruleset's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightBy {
    /// One round of dice for each answer, compared by the ruleset's tables.
    Dice,
    /// One battle in percent for each order of the verb `attack` or `move`.
    Percent,
}

impl FightBy {
    /// Both ways.
    pub const ALL: [Self; 2] = [Self::Dice, Self::Percent];

    /// Returns the name in rulesets: `script().fights("dice")`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dice => "dice",
            Self::Percent => "percent",
        }
    }

    /// Returns the way with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.as_str() == name)
    }
}

/// A phase and how its decisions are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseInfo {
    /// The name in rulesets, actions and records.
    pub name: String,
    /// Whether its answers are hidden from the other players.
    pub secret: bool,
    /// Whether players decide in it. A phase that acts only when it opens has no players.
    pub asks: bool,
    /// Whether players may leave its decisions to the rules, which take the first option.
    pub optional: bool,
    /// Whether the ruleset's script runs it instead of a standard phase.
    pub scripted: bool,
    /// How it resolves fights by the ruleset's tables; `None` where it does not use them.
    pub fights: Option<FightBy>,
}

/// The players who may see a counter or a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All players and spectators.
    All,
    /// The player it belongs to. The others see only the number of cards of a pile.
    Owner,
    /// No player. All players see only the number of cards of a pile.
    Nobody,
}

/// A counter or a pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterDecl {
    /// The name in rulesets, actions and records.
    pub name: String,
    /// The players who see it.
    pub seen: Visibility,
}

/// A card of the ruleset's deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardInfo {
    /// The name: one word, unique among the cards.
    pub name: String,
    /// The kind: an index into [`Declaration::card_kinds`].
    pub kind: i32,
    /// The territory on it, if any.
    pub at: Option<Territory>,
    /// All other fields in the ruleset, for scripts.
    pub data: BTreeMap<String, Datum>,
}

/// The sentences that describe events. None has a subject: the player is named before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentences {
    /// By verb: what a player does, with `{parameter}` for its value; empty if there is none.
    pub verbs: Vec<String>,
    /// By counter: that it has risen by `{by}` to `{now}`; empty if the change is not described.
    pub counters: Vec<String>,
    /// By phase: the heading of its events; empty for none.
    pub phases: Vec<String>,
    /// By reason: why a game is over.
    pub endings: BTreeMap<String, String>,
}

impl Sentences {
    /// Returns the sentence of a verb, if there is one.
    #[must_use]
    pub fn of_verb(&self, verb: Verb) -> Option<&str> {
        self.verbs
            .get(verb.index())
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Returns the sentence of a counter, if there is one.
    #[must_use]
    pub fn of_counter(&self, counter: Counter) -> Option<&str> {
        self.counters
            .get(counter.index())
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Returns the heading of a phase, if there is one.
    #[must_use]
    pub fn of_phase(&self, phase: Phase) -> Option<&str> {
        self.phases
            .get(phase.index())
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Returns why a game is over: the ruleset's sentence, or that of a reason common to all games.
    #[must_use]
    pub fn of_ending<'a>(&'a self, reason: &'a str) -> &'a str {
        self.endings.get(reason).map_or_else(
            || match reason {
                reason::TURN_LIMIT => "the game has reached its limit",
                reason::ANSWER_LIMIT => "the game has reached its limit of decisions",
                reason::EVENT_LIMIT => "the game has reached its limit of events",
                reason::FAULT_LIMIT => "the game has reached its limit of faults",
                reason::DRAW => "no player is left",
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
    /// The player's own territories and their neighbours.
    Near,
    /// Only the player's own territories.
    Own,
}

/// The consequence for a player whose strikes are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFault {
    /// The player gives no more answers in this frame.
    Skip,
    /// The first option is taken.
    FirstOption,
    /// The player becomes neutral: territories and cards stay, no more decisions.
    Neutral,
    /// The player becomes neutral and is ranked last.
    Forfeit,
    /// The ruleset's hook `on_fault_out` decides.
    Hook,
}

impl OnFault {
    /// All policies.
    pub const ALL: [Self; 5] = [
        Self::Skip,
        Self::FirstOption,
        Self::Neutral,
        Self::Forfeit,
        Self::Hook,
    ];

    /// Returns the name in rulesets, in records and on the command line.
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

    /// Returns the policy with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.as_str() == name)
    }
}

/// When a player's faults have consequences, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strikes {
    /// The fault at which [`OnFault`] applies, from 1; 0 for never: the player is asked again until
    /// the game ends at [`MOST_FAULTS`](super::MOST_FAULTS).
    pub limit: u32,
    /// Whether faults count anew for each decision instead of over the whole game.
    pub per_decision: bool,
    /// The consequence at the limit.
    pub then: OnFault,
}

/// All declarations of a ruleset, bound to a map and its options.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The ruleset's name.
    pub name: String,
    /// The options in effect, by name.
    pub options: BTreeMap<String, Datum>,
    /// The verbs, by id.
    pub verbs: Vec<VerbInfo>,
    /// The phases, by id.
    pub phases: Vec<PhaseInfo>,
    /// The phases of one turn, in order.
    pub turn: Vec<Phase>,
    /// The counters, by id.
    pub counters: Vec<CounterDecl>,
    /// The piles, by id.
    pub piles: Vec<CounterDecl>,
    /// The kinds of units, by id; at least one.
    pub units: Vec<String>,
    /// The kinds of cards.
    pub card_kinds: Vec<String>,
    /// The cards, by id.
    pub cards: Vec<CardInfo>,
    /// The territories whose owners a player sees.
    pub owners_seen: Sight,
    /// The territories whose units a player sees.
    pub units_seen: Sight,
    /// The reason for the end of the game when one player is left. If present, a player who loses
    /// the last territory is eliminated, and the last one left wins.
    pub last_standing: Option<String>,
    /// The counter that has the same number, above 0, for the players of a team; visible to all.
    pub teams: Option<Counter>,
    /// The number of player-turns after which the game ends with reason `limit`; 0 for never.
    pub max_turns: u32,
    /// The limit and the consequence of faults.
    pub strikes: Strikes,
    /// Whether the ruleset computes chances itself, in its hook `chance`.
    pub own_chances: bool,
    /// The sentences that describe events.
    pub sentences: Sentences,
}

impl Declaration {
    /// Returns how fights are resolved by the ruleset's tables; `None` if no phase uses them, if
    /// phases differ, or if the ruleset computes chances itself.
    #[must_use]
    pub fn fights(&self) -> Option<FightBy> {
        if self.own_chances {
            return None;
        }
        let mut ways = self.phases.iter().filter_map(|phase| phase.fights);
        let first = ways.next()?;
        ways.all(|way| way == first).then_some(first)
    }

    /// Reports whether the ruleset provides the chances of attacks.
    #[must_use]
    pub fn tells_chances(&self) -> bool {
        self.own_chances || self.fights().is_some()
    }

    /// Reports whether the ruleset's tables give the chance of an attack offered in this phase.
    /// False where a script runs the phase and does not declare that it fights by them.
    #[must_use]
    pub fn fights_by_tables(&self, phase: Phase) -> bool {
        let phase = self.phases.get(phase.index());
        phase.is_some_and(|phase| !phase.scripted || phase.fights.is_some())
    }

    /// Returns the verb with this name.
    #[must_use]
    pub fn verb(&self, name: &str) -> Option<Verb> {
        self.verbs
            .iter()
            .position(|verb| verb.name == name)
            .map(Verb::from_index)
    }

    /// Returns the phase with this name.
    #[must_use]
    pub fn phase(&self, name: &str) -> Option<Phase> {
        self.phases
            .iter()
            .position(|phase| phase.name == name)
            .map(Phase::from_index)
    }

    /// Returns the counter with this name.
    #[must_use]
    pub fn counter(&self, name: &str) -> Option<Counter> {
        self.counters
            .iter()
            .position(|kept| kept.name == name)
            .map(Counter::from_index)
    }

    /// Returns the pile with this name.
    #[must_use]
    pub fn pile(&self, name: &str) -> Option<Pile> {
        self.piles
            .iter()
            .position(|kept| kept.name == name)
            .map(Pile::from_index)
    }

    /// Returns the kind of unit with this name.
    #[must_use]
    pub fn unit(&self, name: &str) -> Option<Unit> {
        self.units
            .iter()
            .position(|unit| unit == name)
            .map(Unit::from_index)
    }

    /// Returns the card with this name.
    #[must_use]
    pub fn card(&self, name: &str) -> Option<Card> {
        self.cards
            .iter()
            .position(|card| card.name == name)
            .map(Card::from_index)
    }
}
