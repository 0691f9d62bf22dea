//! Reads a ruleset's declarations from the script's map. Every key is checked, and every fault has
//! a position.

use std::collections::BTreeMap;

use rhai::Map;

use risk_kernel::declare::{Declaration, FightMethod, PhaseInfo};
use risk_kernel::phases::{self, Param};
use risk_text::plural::range;

mod hints;
mod levels;
mod marks;
mod needs;
mod options;
mod policies;
mod reader;
mod sentences;
mod settings;
mod teams;
mod titles;

pub use levels::Level;
pub use options::{OptionInfo, OptionValue, TableInfo};
pub(super) use reader::{DeclarationReader, MOST_NAMES};
pub(super) use sentences::is_sentence;
pub(super) use titles::is_title;

/// The reason recorded when a game ends because only one player is left.
pub(super) const CONQUEST: &str = "conquest";

/// The implementation of a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhaseKind {
    /// A standard phase in Rust: its name and its parameters.
    Standard(String, BTreeMap<String, Param>),
    /// The script's own functions.
    Script,
}

impl PhaseKind {
    /// Reports whether the script executes the phase's orders with the hook `PHASE_play`.
    #[must_use]
    pub fn plays(&self) -> bool {
        matches!(self, Self::Standard(name, _) if phases::plays(name))
    }
}

/// The declarations of `ruleset()`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manifest {
    /// The declarations for the game. Values of options and cards are missing: they exist once the
    /// ruleset is bound to a map.
    pub decl: Declaration,
    /// A description in one sentence.
    pub about: String,
    /// The minimum and the maximum number of players.
    pub players: (usize, usize),
    /// The default map.
    pub map: String,
    /// The default bots. They take the seats in turn.
    pub bots: Vec<String>,
    /// The bot that makes suggestions to people, if the ruleset names one.
    pub advice: Option<String>,
    /// The bots at each seat, by level, that people meet. [`level_bots`](crate::level_bots) knows
    /// those of the other levels.
    pub levels: BTreeMap<Level, Vec<String>>,
    /// The options by name.
    pub options: BTreeMap<String, OptionInfo>,
    /// Named sets of option values.
    pub presets: BTreeMap<String, BTreeMap<String, OptionValue>>,
    /// The implementations of the phases, by id.
    pub phase_kinds: Vec<PhaseKind>,
    /// The tables by name.
    pub tables: BTreeMap<String, TableInfo>,
    /// Whether the seats have different roles, which makes rotating them pointless.
    pub asymmetric: bool,
    /// Whether the ruleset needs a map with continents.
    pub needs_continents: bool,
    /// The minimum number of territories on the map.
    pub needs_territories: i64,
    /// The keys of map data that scripts need. At least one territory must have each key.
    pub needs_data: Vec<String>,
}

impl Manifest {
    /// Iterates over the phases, by id.
    pub fn phases(&self) -> impl Iterator<Item = (&PhaseInfo, &PhaseKind)> {
        self.decl.phases.iter().zip(&self.phase_kinds)
    }

    /// Returns the number of players in words, for example `3 to 6` or `2`.
    #[must_use]
    pub fn players_range(&self) -> String {
        range(self.players.0, self.players.1)
    }
}

/// The keys of `ruleset()`.
pub const KEYS: [&str; 33] = [
    "api",
    "name",
    "about",
    "rules",
    "extends",
    "players",
    "map",
    "bots",
    "advice",
    "levels",
    "endings",
    "options",
    "presets",
    "units",
    "board",
    "counters",
    "marks",
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

/// The sections whose entries are merged one by one when a ruleset extends another ruleset.
const JOINED: [&str; 9] = [
    "endings", "options", "presets", "counters", "marks", "piles", "verbs", "phases", "tables",
];

/// Merges a ruleset's declarations into the declarations of the ruleset that it extends.
pub(super) fn join(base: &Map, over: &Map) -> Map {
    let mut all = base.clone();
    // Bots for other actions know nothing of this ruleset's own actions.
    if over.contains_key("verbs") {
        all.remove("bots");
        all.remove("advice");
        all.remove("levels");
    }
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

/// The value that `standard(…)` and `script()` return inside `ruleset()`.
#[derive(Clone)]
pub(super) struct PhaseMark {
    pub(super) kind: PhaseKind,
    pub(super) secret: bool,
    pub(super) optional: bool,
    pub(super) fights: Option<FightMethod>,
    pub(super) tell: String,
    pub(super) about: Option<String>,
}

impl PhaseMark {
    pub(super) const fn new(kind: PhaseKind) -> Self {
        Self {
            kind,
            secret: false,
            optional: false,
            fights: None,
            tell: String::new(),
            about: None,
        }
    }
}
