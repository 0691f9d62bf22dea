//! What `ruleset()` declares, read from the script's map: every key checked, every fault with a
//! place.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rhai::{AST, Dynamic, Map, Position};

use super::Source;
use super::compile::{MOST_FINDINGS, and_more, key_position};
use super::fault::ScriptFault;
use crate::kernel::declare::{
    CounterDecl, OnFault, PhaseInfo, Sentences, Sight, SlotKind, Strikes, VerbInfo, Visibility,
};
use crate::phases::Param;
use crate::suggest;

mod sentences;
mod settings;

pub use settings::{OptionInfo, OptionValue, TableInfo};

/// How a phase is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhaseKind {
    /// In Rust: the name, and its parameters.
    Standard(String, BTreeMap<String, Param>),
    /// By the script's own functions.
    Script,
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
    /// Faults.
    pub strikes: Option<Strikes>,
    /// Whose owners and whose units a player sees.
    pub sight: Option<(Sight, Sight)>,
    /// The last player with land wins.
    pub last_standing: bool,
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

/// Who plays where a ruleset names no bots.
const USUAL_BOTS: [&str; 4] = ["holder", "odds", "outnumber", "random"];

/// The keys of `ruleset()`.
pub const KEYS: [&str; 26] = [
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

/// The most entries of a section, and words of a list: ids have room for 256, and nobody needs so
/// many.
pub(super) const MOST_NAMES: usize = 100;

/// Reads declarations, collecting every fault with its place.
pub(super) struct Reader<'a> {
    /// The files they may come from, the extending one first.
    pub(super) drafts: &'a [(Source, AST)],
    pub(super) faults: Vec<ScriptFault>,
}

impl Reader<'_> {
    fn place(&self, key: &str) -> (Source, Position) {
        let found = self
            .drafts
            .iter()
            .find_map(|(source, ast)| Some((source.clone(), key_position(ast, key)?)));
        found.unwrap_or_else(|| (self.drafts[0].0.clone(), Position::NONE))
    }

    pub(super) fn fault(&mut self, key: &str, code: &'static str, text: String, help: String) {
        match self.faults.len().cmp(&MOST_FINDINGS) {
            Ordering::Less => {}
            Ordering::Equal => return self.faults.push(and_more()),
            Ordering::Greater => return,
        }
        let (source, position) = self.place(key);
        self.faults.push(
            ScriptFault::new(code, text)
                .help(help)
                .at(&source, position),
        );
    }

    fn wrong(&mut self, key: &str, what: &str) {
        let help = "`risk-cli ruleset show hasbro --source` is an example";
        self.fault(
            key,
            "ruleset::value",
            format!("`{key}` in `ruleset()` must be {what}"),
            help.to_owned(),
        );
    }

    fn unknown(&mut self, key: &str, section: &str, known: &[&str]) {
        let text = format!("`{key}` is not known in {section}");
        self.fault(
            key,
            "ruleset::unknown-key",
            text,
            suggest::help(key, known.iter().copied()),
        );
    }

    fn number(&mut self, map: &Map, key: &str, default: i64) -> i64 {
        match map.get(key).map(|value| value.as_int()) {
            None => default,
            Some(Ok(number)) if (0..=1_000_000).contains(&number) => number,
            Some(_) => {
                self.wrong(key, "a whole number from 0 to 1000000");
                default
            }
        }
    }

    fn flag(&mut self, map: &Map, key: &str) -> bool {
        match map.get(key).map(|value| value.as_bool()) {
            None => false,
            Some(Ok(flag)) => flag,
            Some(Err(_)) => {
                self.wrong(key, "true or false");
                false
            }
        }
    }

    fn text(&mut self, map: &Map, key: &str, needed: bool) -> String {
        let text = map.get(key).map(|value| value.clone().into_string());
        match text {
            Some(Ok(text))
                if !text.is_empty() && text.len() <= 500 && !text.chars().any(char::is_control) =>
            {
                text
            }
            None if !needed => String::new(),
            _ => {
                self.wrong(
                    key,
                    "a text of up to 500 bytes in quotes, without control characters",
                );
                String::new()
            }
        }
    }

    fn words(&mut self, map: &Map, key: &str) -> Vec<String> {
        let Some(value) = map.get(key) else {
            return Vec::new();
        };
        let words = value.clone().into_typed_array::<String>().ok();
        match words
            .filter(|words| words.len() <= MOST_NAMES && words.iter().all(|word| is_word(word)))
        {
            Some(words) => words,
            None => {
                self.wrong(
                    key,
                    "an array of at most 100 words in quotes, of up to 40 letters, digits and `_`",
                );
                Vec::new()
            }
        }
    }

    /// The names alone: whether there are such bots is known where files are read.
    fn bots(&mut self, map: &Map) -> Vec<String> {
        let Some(value) = map.get("bots") else {
            return USUAL_BOTS.map(str::to_owned).to_vec();
        };
        let names = value
            .clone()
            .into_typed_array::<String>()
            .unwrap_or_default();
        if names.is_empty() || names.len() > 32 {
            self.wrong(
                "bots",
                "an array of 1 to 32 names of bots in quotes, see `risk-cli bot list`",
            );
            return Vec::new();
        }
        names
    }

    fn section(&mut self, map: &Map, key: &str) -> Map {
        let Some(value) = map.get(key) else {
            return Map::new();
        };
        let Some(section) = value.clone().try_cast::<Map>() else {
            self.wrong(key, "a map: #{ name: …, … }");
            return Map::new();
        };
        for name in section.keys().filter(|name| !is_word(name)) {
            let help =
                "a name begins with a letter and has lower-case letters, digits and `_`, up to 40"
                    .to_owned();
            self.fault(
                name,
                "ruleset::name",
                format!("`{}` can't be a name in `{key}`", brief(name)),
                help,
            );
        }
        self.few(key, section)
    }

    /// A map with no more entries than there may be.
    fn few(&mut self, key: &str, section: Map) -> Map {
        if section.len() > MOST_NAMES {
            self.wrong(key, "a map with at most 100 entries");
            return Map::new();
        }
        section
    }

    /// Reads the whole map.
    pub(super) fn manifest(&mut self, map: &Map) -> Manifest {
        for key in map.keys().filter(|key| !KEYS.contains(&key.as_str())) {
            self.unknown(key, "`ruleset()`", &KEYS);
        }
        let options = self.options(map);
        let mut manifest = Manifest {
            name: self.text(map, "name", true),
            about: self.text(map, "about", false),
            players: self.players(map),
            map: self.text(map, "map", true),
            bots: self.bots(map),
            presets: self.presets(map, &options),
            options,
            sentences: Sentences {
                endings: self.endings(map),
                ..Sentences::default()
            },
            units: self.words(map, "units"),
            counters: self.kept(map, "counters"),
            piles: self.kept(map, "piles"),
            card_kinds: self.words(map, "card_kinds"),
            verbs: self.verbs(map),
            phases: self.phases(map),
            tables: self.tables(map),
            turn: self.words(map, "turn"),
            strikes: self.strikes(map),
            sight: self.sight(map),
            last_standing: self.flag(map, "last_standing"),
            max_turns: self.number(map, "max_turns", 0),
            asymmetric: self.flag(map, "asymmetric"),
            needs_continents: self.flag(map, "needs_continents"),
            needs_territories: self.number(map, "needs_territories", 2),
            needs_data: self.words(map, "needs_data"),
        };
        self.sentences(map, &mut manifest);
        if manifest.units.is_empty() {
            self.wrong(
                "units",
                "an array with at least one kind of unit, [\"army\"] say",
            );
        }
        for phase in &manifest.turn {
            if !manifest.phases.iter().any(|(info, _)| info.name == *phase) {
                let names: Vec<&str> = manifest
                    .phases
                    .iter()
                    .map(|(info, _)| info.name.as_str())
                    .collect();
                let text =
                    format!("`turn` names the phase `{phase}`, which `phases` does not declare");
                self.fault(
                    "turn",
                    "ruleset::unknown-phase",
                    text,
                    suggest::help(phase, names),
                );
            }
        }
        manifest
    }

    fn players(&mut self, map: &Map) -> (usize, usize) {
        let range = map
            .get("players")
            .and_then(|value| value.clone().into_typed_array::<i64>().ok());
        match range.as_deref() {
            Some(&[least, most]) if 1 <= least && least <= most && most <= 32 => {
                (least as usize, most as usize)
            }
            _ => {
                self.wrong(
                    "players",
                    "the least and the greatest number of players, [3, 6] say, up to 32",
                );
                (1, 32)
            }
        }
    }

    fn options(&mut self, map: &Map) -> BTreeMap<String, OptionInfo> {
        let mut options = BTreeMap::new();
        for (name, value) in self.section(map, "options") {
            if let Some(info) = self.option(&name, &value) {
                options.insert(name.to_string(), info);
            }
        }
        if let Some(taken) = options.get("preset").map(|_| "preset") {
            self.wrong(
                taken,
                "named otherwise: `--option preset=…` chooses a preset",
            );
        }
        options
    }

    fn presets(
        &mut self,
        map: &Map,
        options: &BTreeMap<String, OptionInfo>,
    ) -> BTreeMap<String, BTreeMap<String, OptionValue>> {
        let mut presets = BTreeMap::new();
        let section = match map
            .get("presets")
            .map(|value| value.clone().try_cast::<Map>())
        {
            None => Map::new(),
            Some(Some(section)) if section.len() <= 100 => section,
            Some(_) => {
                self.wrong(
                    "presets",
                    "a map with at most 100 entries: #{ name: #{ option: value, … }, … }",
                );
                Map::new()
            }
        };
        for (name, value) in section {
            let Some(values) = value.try_cast::<Map>() else {
                self.wrong(&name, "a map of option values");
                continue;
            };
            if !is_preset_name(&name) {
                let help =
                    "a preset's name has lower-case letters, digits, `_`, `-` and `.`, at most 40"
                        .to_owned();
                self.fault(
                    &name,
                    "ruleset::name",
                    format!("`{}` can't be the name of a preset", brief(&name)),
                    help,
                );
            }
            let values = self.few(&name, values);
            let mut preset = BTreeMap::new();
            for (option, value) in values {
                let known: Vec<&str> = options.keys().map(String::as_str).collect();
                match options
                    .get(option.as_str())
                    .map(|info| info.read(&value.to_string()))
                {
                    Some(Ok(value)) => drop(preset.insert(option.to_string(), value)),
                    Some(Err(domain)) => self.wrong(&option, &domain),
                    None => self.unknown(&option, &format!("the preset `{name}`"), &known),
                }
            }
            presets.insert(name.to_string(), preset);
        }
        presets
    }

    fn kept(&mut self, map: &Map, key: &str) -> Vec<CounterDecl> {
        let mut all = Vec::new();
        for (name, value) in self.section(map, key) {
            let seen = if key == "counters" {
                self.seen_of(&name, &value)
            } else {
                value.clone()
            };
            let seen = match seen.into_string().as_deref() {
                Ok("all") => Visibility::All,
                Ok("owner") => Visibility::Owner,
                Ok("nobody") => Visibility::Nobody,
                _ => {
                    self.wrong(&name, "who sees it: \"all\", \"owner\" or \"nobody\"");
                    continue;
                }
            };
            all.push(CounterDecl {
                name: name.to_string(),
                seen,
            });
        }
        all
    }

    fn verbs(&mut self, map: &Map) -> Vec<VerbInfo> {
        let mut verbs = Vec::new();
        for (name, value) in self.section(map, "verbs") {
            let slots = value.try_cast::<Map>();
            let Some(slots) =
                slots.filter(|slots| slots.keys().filter(|slot| *slot != "tell").count() <= 4)
            else {
                self.wrong(&name, "a map of at most 4 parameters and their kinds");
                continue;
            };
            let mut order = self.written_order(&name, &slots);
            order.retain(|slot| slot != "tell");
            let mut parameters = Vec::new();
            for slot in order {
                if !is_word(&slot) {
                    let help =
                        "a name begins with a letter and has lower-case letters, digits and `_`, up to 40".to_owned();
                    let text = format!("`{}` can't be a parameter of `{name}`", brief(&slot));
                    self.fault(&slot, "ruleset::name", text, help);
                }
                let kind = slots
                    .get(slot.as_str())
                    .and_then(|kind| kind.clone().into_string().ok());
                match kind.as_deref().and_then(slot_kind) {
                    Some(kind) => parameters.push((slot, kind)),
                    None => self.wrong(
                        &slot,
                        "the kind of the parameter: \"territory\", \"continent\", \"player\", \"count\", \"card\" or \"unit\"",
                    ),
                }
            }
            verbs.push(VerbInfo {
                name: name.to_string(),
                slots: parameters,
            });
        }
        verbs
    }

    /// A verb's parameters in the order in which the script writes them: maps are sorted by name.
    fn written_order(&self, verb: &str, slots: &Map) -> Vec<String> {
        for (_, ast) in self.drafts {
            if let Some(order) = super::compile::keys_of(ast, verb, slots) {
                return order;
            }
        }
        slots.keys().map(ToString::to_string).collect()
    }

    fn phases(&mut self, map: &Map) -> Vec<(PhaseInfo, PhaseKind)> {
        let mut phases = Vec::new();
        for (name, value) in self.section(map, "phases") {
            let Some(PhaseMark {
                kind,
                secret,
                optional,
                ..
            }) = value.try_cast::<PhaseMark>()
            else {
                self.wrong(&name, "standard(\"…\") or script()");
                continue;
            };
            phases.push((
                PhaseInfo {
                    name: name.to_string(),
                    secret,
                    asks: true,
                    optional,
                },
                kind,
            ));
        }
        phases
    }

    fn tables(&mut self, map: &Map) -> BTreeMap<String, TableInfo> {
        let mut tables = BTreeMap::new();
        for (name, value) in self.section(map, "tables") {
            if let Some(info) = self.table(&name, &value) {
                tables.insert(name.to_string(), info);
            }
        }
        tables
    }

    fn strikes(&mut self, map: &Map) -> Option<Strikes> {
        let section = self.section(map, "strikes");
        for key in section
            .keys()
            .filter(|key| !["n", "per"].contains(&key.as_str()))
        {
            self.unknown(key, "`strikes`", &["n", "per"]);
        }
        let limit = section
            .get("n")
            .map_or(Ok(3), Dynamic::as_int)
            .ok()
            .filter(|n| (0..=1000).contains(n));
        let per = section
            .get("per")
            .map_or(Ok("game".to_owned()), |per| per.clone().into_string())
            .unwrap_or_default();
        let then = self.text(map, "on_fault", false);
        let then = if then.is_empty() {
            Some(OnFault::Skip)
        } else {
            OnFault::named(&then)
        };
        match (limit, per.as_str(), then) {
            (Some(limit), "game" | "decision", Some(then)) => Some(Strikes {
                limit: limit as u32,
                per_decision: per == "decision",
                then,
            }),
            (_, _, None) => {
                self.wrong(
                    "on_fault",
                    "\"skip\", \"first-option\", \"neutral\", \"forfeit\" or \"hook\"",
                );
                None
            }
            _ => {
                self.wrong(
                    "strikes",
                    "#{ n: 3, per: \"game\" } or per \"decision\", n from 1 to 1000, or 0 for no end",
                );
                None
            }
        }
    }

    fn sight(&mut self, map: &Map) -> Option<(Sight, Sight)> {
        let section = self.section(map, "sight");
        for key in section
            .keys()
            .filter(|key| !["owners", "units"].contains(&key.as_str()))
        {
            self.unknown(key, "`sight`", &["owners", "units"]);
        }
        let mut sight = |key: &str| match section.get(key).map(|value| value.clone().into_string())
        {
            None => Some(Sight::All),
            Some(Ok(word)) if word == "all" => Some(Sight::All),
            Some(Ok(word)) if word == "near" => Some(Sight::Near),
            Some(Ok(word)) if word == "own" => Some(Sight::Own),
            Some(_) => {
                self.wrong(key, "\"all\", \"near\" or \"own\"");
                None
            }
        };
        Some((sight("owners")?, sight("units")?))
    }
}

/// What `standard(…)` and `script()` return inside `ruleset()`.
#[derive(Clone)]
pub(super) struct PhaseMark {
    pub(super) kind: PhaseKind,
    pub(super) secret: bool,
    pub(super) optional: bool,
    pub(super) tell: String,
}

impl PhaseMark {
    pub(super) const fn of(kind: PhaseKind) -> Self {
        Self {
            kind,
            secret: false,
            optional: false,
            tell: String::new(),
        }
    }
}

/// A word that can be a name of a ruleset and a constant of its script.
pub(super) fn is_word(word: &str) -> bool {
    word.len() <= 40
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The beginning of a name that is none, for messages.
fn brief(name: &str) -> String {
    let short: String = name.chars().take(40).collect();
    if short.len() < name.len() {
        short + "…"
    } else {
        short
    }
}

fn is_preset_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.".contains(c);
    (1..=40).contains(&name.len()) && name.chars().all(fits)
}

fn slot_kind(word: &str) -> Option<SlotKind> {
    Some(match word {
        "territory" => SlotKind::Territory,
        "continent" => SlotKind::Continent,
        "player" => SlotKind::Player,
        "count" => SlotKind::Count,
        "card" => SlotKind::Card,
        "unit" => SlotKind::Unit,
        _ => return None,
    })
}

fn range_of(value: &Dynamic) -> Option<(i32, i32)> {
    let (low, high) = if let Some(range) = value.clone().try_cast::<std::ops::RangeInclusive<i64>>()
    {
        (*range.start(), *range.end())
    } else {
        let range = value.clone().try_cast::<std::ops::Range<i64>>()?;
        (range.start, range.end - 1)
    };
    Some((low.try_into().ok()?, high.try_into().ok()?)).filter(|(low, high)| low <= high)
}
