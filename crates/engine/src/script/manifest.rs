//! What `ruleset()` declares, read from the script's map: every key checked, every fault
//! with a place.

use std::collections::BTreeMap;

use rhai::Map;

use risk_kernel::declare::{CounterDecl, FightBy, PhaseInfo, Sentences, Sight, Strikes, VerbInfo};
use risk_kernel::phases::{self, Param};

mod needs;
mod options;
mod reader;
mod sentences;
mod settings;
mod teams;

pub use options::{OptionInfo, OptionValue, TableInfo};
pub(super) use reader::{DeclarationReader, MOST_NAMES};

/// How a phase is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhaseKind {
    /// In Rust: the name, and its parameters.
    Standard(String, BTreeMap<String, Param>),
    /// By the script's own functions.
    Script,
}

impl PhaseKind {
    /// Does the script play orders of it, with the hook `PHASE_play`?
    #[must_use]
    pub fn plays(&self) -> bool {
        matches!(self, Self::Standard(name, _) if phases::plays(name))
    }
}

/// Everything in `ruleset()`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The ruleset's name.
    pub name: String,
    /// What it is, in a sentence.
    pub about: String,
    /// The least and the greatest number of players.
    pub players: (usize, usize),
    /// The map it is played on when nobody says otherwise.
    pub map: String,
    /// How what happens is told: of verbs, counters and phases in their orders.
    pub sentences: Sentences,
    /// The bots that sit down where nobody says who plays, in turn.
    pub bots: Vec<String>,
    /// Options by name.
    pub options: BTreeMap<String, OptionInfo>,
    /// Named sets of option values.
    pub presets: BTreeMap<String, BTreeMap<String, OptionValue>>,
    /// Kinds of units.
    pub units: Vec<String>,
    /// Counters, in order of their names.
    pub counters: Vec<CounterDecl>,
    /// Piles, in order of their names.
    pub piles: Vec<CounterDecl>,
    /// Kinds of cards.
    pub card_kinds: Vec<String>,
    /// Verbs, in order of their names.
    pub verbs: Vec<VerbInfo>,
    /// Phases, in order of their names.
    pub phases: Vec<(PhaseInfo, PhaseKind)>,
    /// Tables by name.
    pub tables: BTreeMap<String, TableInfo>,
    /// The phases of a turn.
    pub turn: Vec<String>,
    /// How many faults a player may make and what happens then; none where the ruleset
    /// does not say.
    pub strikes: Option<Strikes>,
    /// Whose owners and whose units a player sees.
    pub sight: Option<(Sight, Sight)>,
    /// The last player with land wins.
    pub last_standing: bool,
    /// The counter in which the players of a team have the same number.
    pub teams: Option<String>,
    /// Player-turns until the game ends with reason `limit`.
    pub max_turns: i64,
    /// Are the seats different roles, so that rotating them is pointless?
    pub asymmetric: bool,
    /// Does it need a map with continents?
    pub needs_continents: bool,
    /// The fewest territories a map must have for it.
    pub needs_territories: i64,
    /// Data that at least one territory of the map must have, for scripts.
    pub needs_data: Vec<String>,
}

impl Manifest {
    /// How many may play, in words: `3 to 6`, or `2`.
    #[must_use]
    pub fn players_range(&self) -> String {
        let (least, most) = self.players;
        if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        }
    }
}

/// The keys of `ruleset()`.
pub const KEYS: [&str; 28] = [
    "api",
    "name",
    "about",
    "extends",
    "players",
    "map",
    "bots",
    "endings",
    "options",
    "presets",
    "units",
    "counters",
    "piles",
    "card_kinds",
    "verbs",
    "phases",
    "tables",
    "turn",
    "strikes",
    "on_fault",
    "sight",
    "last_standing",
    "teams",
    "max_turns",
    "asymmetric",
    "needs_continents",
    "needs_territories",
    "needs_data",
];

/// Sections whose entries are joined one by one when a ruleset extends another.
const JOINED: [&str; 8] = [
    "endings", "options", "presets", "counters", "piles", "verbs", "phases", "tables",
];

/// The declarations of a ruleset laid over those of the one it extends.
pub(super) fn join(base: &Map, over: &Map) -> Map {
    let mut all = base.clone();
    for (key, value) in over {
        let joined = JOINED
            .contains(&key.as_str())
            .then(|| all.get(key)?.clone().try_cast::<Map>())
            .flatten();
        match (joined, value.clone().try_cast::<Map>()) {
            (Some(mut section), Some(more)) => {
                section.extend(more);
                all.insert(key.clone(), section.into());
            }
            _ => {
                all.insert(key.clone(), value.clone());
            }
        }
    }
    all
}

/// What `standard(…)` and `script()` return inside `ruleset()`.
#[derive(Clone)]
pub(super) struct PhaseMark {
    pub(super) kind: PhaseKind,
    pub(super) secret: bool,
    pub(super) optional: bool,
    pub(super) fights: Option<FightBy>,
    pub(super) tell: String,
}

impl PhaseMark {
    pub(super) const fn new(kind: PhaseKind) -> Self {
        Self {
            kind,
            secret: false,
            optional: false,
            fights: None,
            tell: String::new(),
        }
    }
}
