//! The declarations of `ruleset()`, read from the script's map: every key is checked, and every
//! fault has a place.

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

/// The implementation of a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhaseKind {
    /// A standard phase in Rust: its name and its parameters.
    Standard(String, BTreeMap<String, Param>),
    /// The script's own functions.
    Script,
}

impl PhaseKind {
    /// Reports whether the script plays orders of the phase, with the hook `PHASE_play`.
    #[must_use]
    pub fn plays(&self) -> bool {
        matches!(self, Self::Standard(name, _) if phases::plays(name))
    }
}

/// The declarations of `ruleset()`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The ruleset's name.
    pub name: String,
    /// A description in one sentence.
    pub about: String,
    /// The least and the greatest number of players.
    pub players: (usize, usize),
    /// The default map.
    pub map: String,
    /// The sentences for events: by verb, counter and phase, in the orders of these lists.
    pub sentences: Sentences,
    /// The default bots, seated in turn.
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
    /// The faults a player may make and what happens then; `None` if the ruleset declares neither.
    pub strikes: Option<Strikes>,
    /// The sight of owners and the sight of units, if declared.
    pub sight: Option<(Sight, Sight)>,
    /// Whether the last player with territories wins.
    pub last_standing: bool,
    /// The counter whose value is the same for all players of a team.
    pub teams: Option<String>,
    /// Player-turns until the game ends with reason `limit`.
    pub max_turns: i64,
    /// Whether the seats are different roles, so that rotating them is pointless.
    pub asymmetric: bool,
    /// Whether the ruleset needs a map with continents.
    pub needs_continents: bool,
    /// The fewest territories of a map for the ruleset.
    pub needs_territories: i64,
    /// Keys of map data for scripts: at least one territory must have each of them.
    pub needs_data: Vec<String>,
}

impl Manifest {
    /// Returns the number of players in words: `3 to 6`, or `2`.
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

/// Sections whose entries are merged one by one when a ruleset extends another.
const JOINED: [&str; 8] = [
    "endings", "options", "presets", "counters", "piles", "verbs", "phases", "tables",
];

/// Merges the declarations of a ruleset into those of the one it extends.
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

/// The value of `standard(…)` and `script()` inside `ruleset()`.
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
