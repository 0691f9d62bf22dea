//! The declarations that a ruleset makes before the first game: names, kinds, visibility and
//! limits.

use std::collections::BTreeMap;

use super::board::Datum;
use super::hints::BoardHints;
use super::id::{Card, Counter, Phase, Pile, Territory, Unit, Verb};
use super::reason;

/// The kind of a verb's parameter, for printing, parsing and prompts.
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

impl VerbInfo {
    /// Creates a verb with these parameters.
    #[must_use]
    pub fn new(name: &str, slots: &[(&str, SlotKind)]) -> Self {
        let slot = |&(name, kind): &(&str, SlotKind)| (name.to_owned(), kind);
        Self {
            name: name.to_owned(),
            slots: slots.iter().map(slot).collect(),
        }
    }
}

risk_text::named! {
    /// The method by which a phase resolves fights with the ruleset's tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FightMethod {
        /// One round of dice for each answer. The ruleset's tables compare the dice.
        Dice = "dice",
        /// One battle in percent for each order of the verb `attack` or `move`.
        Percent = "percent",
    }
}

/// A phase and the way in which its decisions are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseInfo {
    /// The name in rulesets, actions and records.
    pub name: String,
    /// Whether the answers are hidden from the other players.
    pub secret: bool,
    /// Whether players decide in the phase. If false, the phase acts only when it opens.
    pub asks: bool,
    /// Whether players may leave the decisions to the rules, which choose the first option.
    pub optional: bool,
    /// Whether the ruleset's script runs the phase. If false, it is a standard phase.
    pub scripted: bool,
    /// The method of resolving fights with the ruleset's tables; `None` if the phase does not use
    /// them.
    pub fights: Option<FightMethod>,
}

impl PhaseInfo {
    /// Creates a phase of the ruleset's own in which players decide openly.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            secret: false,
            asks: true,
            optional: false,
            scripted: true,
            fights: None,
        }
    }
}

/// The players who may see a counter or a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All players and spectators.
    All,
    /// The owner of the counter or pile. Other players see only the number of cards of a pile.
    Owner,
    /// No player. Players see only the number of cards of a pile.
    Nobody,
}

/// A counter or a pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterDecl {
    /// The name in rulesets, actions and records.
    pub name: String,
    /// The players who see the counter or pile.
    pub seen: Visibility,
}

/// A mark: a number that each territory has, from 0 at the start of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkDecl {
    /// The name in rulesets, positions and records.
    pub name: String,
    /// The players who see the values. The owner is that of the territory.
    pub seen: Visibility,
    /// Whether fog hides the value of a territory whose units it hides.
    pub in_sight: bool,
    /// The lowest and the highest value. 0 is between them.
    pub range: (i32, i32),
    /// The title on screens.
    pub title: String,
    /// What a value of 1 adds to the class of fights for the territory.
    pub strength: u8,
}

/// A card of the ruleset's deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardInfo {
    /// The name, which is one word and unique among the cards.
    pub name: String,
    /// The kind, as an index into [`Declaration::card_kinds`].
    pub kind: i32,
    /// The territory on the card, if any.
    pub at: Option<Territory>,
    /// The title on screens, if the ruleset declares one: `Destroy player 2`.
    pub title: Option<String>,
    /// The sentence that explains the card to people, if the ruleset declares one.
    pub tell: Option<String>,
    /// The other fields in the ruleset, for scripts.
    pub data: BTreeMap<String, Datum>,
}

/// What a ruleset says about a kind of unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitRules {
    /// What it adds to the [class](super::fight_class) of attacks on its territory.
    pub strength: u8,
    /// What it adds to the class of attacks from its territory.
    pub attack_strength: u8,
    /// The most units of this kind on a territory; `None` for no limit of the ruleset's own.
    pub limit: Option<i32>,
    /// What one unit costs when it is deployed, in units of the reserve.
    pub price: i32,
    /// The groups and territories that it can be in, by id; empty for the whole map.
    pub only: Vec<String>,
    /// Whether each territory is closed to it. Empty if none is, and before the ruleset is bound to
    /// a map.
    pub barred: Vec<bool>,
}

impl Default for UnitRules {
    fn default() -> Self {
        Self {
            strength: 0,
            attack_strength: 0,
            limit: None,
            price: 1,
            only: Vec::new(),
            barred: Vec::new(),
        }
    }
}

/// The singular and the plural of a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// The singular, as in `1 X-wing`.
    pub one: String,
    /// The plural, as in `3 X-wings`.
    pub many: String,
}

/// The texts for people: titles, sentences about events, states and decisions, and the rules.
/// Sentences about events have no subject, because the player's name precedes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentences {
    /// The rules in plain text: paragraphs with empty lines between them. Empty if the ruleset has
    /// no such text.
    pub rules: String,
    /// The titles of the kinds of units, by unit. If the list is empty, names serve as titles.
    pub units: Vec<Title>,
    /// The titles of the kinds of cards, by kind. If the list is empty, names serve as titles.
    pub card_kinds: Vec<String>,
    /// The titles of the piles, by pile; `None` for a pile that screens don't list.
    pub piles: Vec<Option<String>>,
    /// The sentence about a pile that isn't empty, by pile, for the heading of a question:
    /// `{last}` is the title of its last card, `{cards}` all titles, `{count}` the number of cards.
    /// Empty if there is no sentence.
    pub pile_states: Vec<String>,
    /// The text about the value `{now}` of a counter that isn't 0, by counter: `Some("")` if
    /// screens don't show the counter, `None` for its name and value.
    pub counter_states: Vec<Option<String>>,
    /// The sentence that explains a verb to people who choose an action, by verb. Empty if there
    /// is none.
    pub verb_help: Vec<String>,
    /// The sentence that explains the decision of a phase, by phase. Empty if there is none.
    pub phase_help: Vec<String>,
    /// The sentence that describes a player's action, by verb. `{parameter}` is replaced by the
    /// parameter's value. Empty if the verb has no sentence.
    pub verbs: Vec<String>,
    /// The sentence for an increase of a counter by `{by}` to `{now}`, by counter. Empty if the
    /// change is not described.
    pub counters: Vec<String>,
    /// The heading of a phase's events, by phase. Empty if there is no heading.
    pub phases: Vec<String>,
    /// The sentence that explains why a game is over, by reason.
    pub endings: BTreeMap<String, String>,
}

impl Sentences {
    /// Returns the sentence of a verb, if there is one.
    #[must_use]
    pub fn of_verb(&self, verb: Verb) -> Option<&str> {
        text_at(&self.verbs, verb.index())
    }

    /// Returns the sentence of a counter, if there is one.
    #[must_use]
    pub fn of_counter(&self, counter: Counter) -> Option<&str> {
        text_at(&self.counters, counter.index())
    }

    /// Returns the heading of a phase, if there is one.
    #[must_use]
    pub fn of_phase(&self, phase: Phase) -> Option<&str> {
        text_at(&self.phases, phase.index())
    }

    /// Returns the sentence that explains a verb, if there is one.
    #[must_use]
    pub fn help_of_verb(&self, verb: Verb) -> Option<&str> {
        text_at(&self.verb_help, verb.index())
    }

    /// Returns the sentence that explains the decision of a phase, if there is one.
    #[must_use]
    pub fn help_of_phase(&self, phase: Phase) -> Option<&str> {
        text_at(&self.phase_help, phase.index())
    }

    /// Returns the sentence about a pile, if there is one.
    #[must_use]
    pub fn state_of_pile(&self, pile: Pile) -> Option<&str> {
        text_at(&self.pile_states, pile.index())
    }

    /// Returns the sentence that explains why a game is over. The sentence comes from the ruleset,
    /// or from the kernel for the reasons common to all games.
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

/// Returns the text at this index, if it isn't empty.
fn text_at(texts: &[String], index: usize) -> Option<&str> {
    let text = texts.get(index).map(String::as_str);
    text.filter(|text| !text.is_empty())
}

/// The part of the board that a player sees in the fog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The whole board.
    All,
    /// The player's own territories and their neighbours.
    Near,
    /// Only the player's own territories.
    Own,
}

risk_text::named! {
    /// The consequence for a player whose strikes are used up.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum OnFault {
        /// The player makes no more decisions in this frame.
        Skip = "skip",
        /// The rules choose the first option.
        FirstOption = "first-option",
        /// The player becomes neutral: the player keeps territories and cards but makes no more
        /// decisions.
        Neutral = "neutral",
        /// The player becomes neutral and is ranked last.
        Forfeit = "forfeit",
        /// The ruleset's hook `on_fault_out` determines the consequence.
        Hook = "hook",
    }
}

/// The limit on a player's faults, and the consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strikes {
    /// The number of the fault, from 1, at which [`OnFault`] applies. If 0, the policy never
    /// applies, and the player is asked again until the game ends at
    /// [`MOST_FAULTS`](super::MOST_FAULTS).
    pub limit: u32,
    /// Whether the count of faults restarts at each decision. If false, faults are counted over the
    /// whole game.
    pub per_decision: bool,
    /// The consequence for a player who reaches the limit.
    pub then: OnFault,
}

/// From the third fault in a game on, the player makes no more decisions in the frame.
impl Default for Strikes {
    fn default() -> Self {
        Self {
            limit: 3,
            per_decision: false,
            then: OnFault::Skip,
        }
    }
}

/// All declarations of a ruleset, bound to a map and to option values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The ruleset's name.
    pub name: String,
    /// The values of the options, by name.
    pub options: BTreeMap<String, Datum>,
    /// The verbs, by id.
    pub verbs: Vec<VerbInfo>,
    /// The phases, by id.
    pub phases: Vec<PhaseInfo>,
    /// The phases of one turn, in order.
    pub turn: Vec<Phase>,
    /// The counters, by id.
    pub counters: Vec<CounterDecl>,
    /// The marks, by id.
    pub marks: Vec<MarkDecl>,
    /// The piles, by id.
    pub piles: Vec<CounterDecl>,
    /// The kinds of units, by id. There is at least one kind.
    pub units: Vec<String>,
    /// What holds for kinds of units, by unit. Kinds after the last have no special rules.
    pub unit_rules: Vec<UnitRules>,
    /// The kinds of cards.
    pub card_kinds: Vec<String>,
    /// The cards, by id.
    pub cards: Vec<CardInfo>,
    /// The territories whose owners a player sees.
    pub owners_seen: Sight,
    /// The territories whose units a player sees.
    pub units_seen: Sight,
    /// The reason for the end of the game when one player is left. If present, a player who loses
    /// their last territory is eliminated, and the last player left wins.
    pub last_standing: Option<String>,
    /// The counter for teams. It has the same number, above 0, for all players of a team, and all
    /// players see it.
    pub teams: Option<Counter>,
    /// The number of player-turns after which the game ends with the reason `limit`; 0 for no
    /// limit.
    pub max_turns: u32,
    /// The limit on faults, and the consequence.
    pub strikes: Strikes,
    /// Whether the ruleset computes chances in its hook `chance`.
    pub own_chances: bool,
    /// The texts for people.
    pub sentences: Sentences,
    /// The badges, markers and tracks that screens show.
    pub hints: BoardHints,
}

impl Declaration {
    /// Creates declarations with one kind of unit, `army`, and nothing else: no verb, no phase, no
    /// limit of turns, and everything is visible. Add what your rules need:
    ///
    /// ```
    /// use risk_kernel::declare::Declaration;
    ///
    /// let declaration = Declaration {
    ///     max_turns: 100,
    ///     ..Declaration::new("my rules")
    /// };
    /// assert!(declaration.unit("army").is_some());
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            options: BTreeMap::new(),
            verbs: Vec::new(),
            phases: Vec::new(),
            turn: Vec::new(),
            counters: Vec::new(),
            marks: Vec::new(),
            piles: Vec::new(),
            units: vec!["army".to_owned()],
            unit_rules: Vec::new(),
            card_kinds: Vec::new(),
            cards: Vec::new(),
            owners_seen: Sight::All,
            units_seen: Sight::All,
            last_standing: None,
            teams: None,
            max_turns: 0,
            strikes: Strikes::default(),
            own_chances: false,
            sentences: Sentences::default(),
            hints: BoardHints::default(),
        }
    }

    /// Returns the method of resolving fights with the ruleset's tables. Returns `None` if no phase
    /// uses the tables, if phases use different methods, or if the ruleset computes chances itself.
    #[must_use]
    pub fn fights(&self) -> Option<FightMethod> {
        if self.own_chances {
            return None;
        }
        let mut ways = self.phases.iter().filter_map(|phase| phase.fights);
        let first = ways.next()?;
        ways.all(|way| way == first).then_some(first)
    }

    /// Reports whether the ruleset defines the chances of attacks.
    #[must_use]
    pub fn has_chances(&self) -> bool {
        self.own_chances || self.fights().is_some()
    }

    /// Reports whether the ruleset's tables determine the chance of an attack in this phase. The
    /// result is false if a script runs the phase and does not declare that it uses the tables.
    #[must_use]
    pub fn fights_by_tables(&self, phase: Phase) -> bool {
        let phase = self.phases.get(phase.index());
        phase.is_some_and(|phase| !phase.scripted || phase.fights.is_some())
    }

    /// Returns the names of the phases of one turn, in order.
    pub fn turn_names(&self) -> impl Iterator<Item = &str> {
        let phases = self
            .turn
            .iter()
            .filter_map(|at| self.phases.get(at.index()));
        phases.map(|phase| phase.name.as_str())
    }

    /// Returns the verb with this name.
    #[must_use]
    pub fn verb(&self, name: &str) -> Option<Verb> {
        let at = self.verbs.iter().position(|verb| verb.name == name)?;
        Some(Verb::from_index(at))
    }

    /// Returns the phase with this name.
    #[must_use]
    pub fn phase(&self, name: &str) -> Option<Phase> {
        let at = self.phases.iter().position(|phase| phase.name == name)?;
        Some(Phase::from_index(at))
    }

    /// Returns the counter with this name.
    #[must_use]
    pub fn counter(&self, name: &str) -> Option<Counter> {
        let at = self.counters.iter().position(|kept| kept.name == name)?;
        Some(Counter::from_index(at))
    }

    /// Returns the pile with this name.
    #[must_use]
    pub fn pile(&self, name: &str) -> Option<Pile> {
        let at = self.piles.iter().position(|kept| kept.name == name)?;
        Some(Pile::from_index(at))
    }

    /// Returns the kind of unit with this name.
    #[must_use]
    pub fn unit(&self, name: &str) -> Option<Unit> {
        let at = self.units.iter().position(|unit| unit == name)?;
        Some(Unit::from_index(at))
    }

    /// Returns the card with this name.
    #[must_use]
    pub fn card(&self, name: &str) -> Option<Card> {
        let at = self.cards.iter().position(|card| card.name == name)?;
        Some(Card::from_index(at))
    }
}
