//! Reads declarations and collects all faults with their positions.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use rhai::{AST, Dynamic, Map, Position};

use crate::script::Source;
use crate::script::manifest::options::{OptionInfo, OptionValue, TableInfo};
use crate::script::manifest::{CONQUEST, KEYS, Level, Manifest, PhaseKind, PhaseMark};
use crate::script::syntax::{self, key_position};
use rhai_guard::{MOST_FINDINGS, ScriptFault, and_more};
use risk_kernel::action::MAX_SLOTS;
use risk_kernel::declare::{
    CounterDecl, Declaration, PhaseInfo, Sentences, SlotKind, VerbInfo, Visibility,
};
use risk_kernel::fight_class::MOST_CLASS;
use risk_kernel::id::Phase;
use risk_kernel::phases::table::FIGHT_TABLES;
use risk_kernel::words::kind_word;
use risk_text::plural::counted;
use risk_text::{beginning, suggest};

/// The default bots of a ruleset that does not name any.
pub(super) const USUAL_BOTS: [&str; 1] = ["search:quick"];

/// The maximum number of entries in a section and of words in a list. Ids have room for 256.
pub(in crate::script) const MOST_NAMES: usize = 100;

pub(in crate::script) struct DeclarationReader<'a> {
    /// The parsed files of the declarations, the extending script first.
    pub(in crate::script) drafts: &'a [(Source, AST)],
    pub(in crate::script) faults: Vec<ScriptFault>,
}

impl DeclarationReader<'_> {
    pub(super) fn place(&self, key: &str) -> (Source, Position) {
        let found = self
            .drafts
            .iter()
            .find_map(|(source, ast)| Some((source.clone(), key_position(ast, key)?)));
        found.unwrap_or_else(|| (self.drafts[0].0.clone(), Position::NONE))
    }

    pub(in crate::script) fn fault(
        &mut self,
        key: &str,
        code: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        help: impl Into<String>,
    ) {
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

    pub(super) fn wrong(&mut self, key: &str, what: &str) {
        let help = "see `risk-cli ruleset show hasbro --source` for an example";
        self.fault(
            key,
            "ruleset::value",
            format!("`{key}` in `ruleset()` must be {what}"),
            help.to_owned(),
        );
    }

    pub(super) fn unknown(&mut self, key: &str, section: &str, known: &[&str]) {
        let text = format!("unknown key `{key}` in {section}");
        self.fault(
            key,
            "ruleset::unknown-key",
            text,
            suggest::help(key, known.iter().copied()),
        );
    }

    /// Reports the keys of a section that are not in `known`.
    pub(super) fn only(&mut self, map: &Map, section: &str, known: &[&str]) {
        for key in map.keys().filter(|key| !known.contains(&key.as_str())) {
            self.unknown(key, section, known);
        }
    }

    pub(super) fn number(&mut self, map: &Map, key: &str, default: i64) -> i64 {
        match map.get(key).map(|value| value.as_int()) {
            None => default,
            Some(Ok(number)) if (0..=1_000_000).contains(&number) => number,
            Some(_) => {
                self.wrong(key, "an integer from 0 to 1,000,000");
                default
            }
        }
    }

    pub(super) fn flag(&mut self, map: &Map, key: &str) -> bool {
        match map.get(key).map(|value| value.as_bool()) {
            None => false,
            Some(Ok(flag)) => flag,
            Some(Err(_)) => {
                self.wrong(key, "true or false");
                false
            }
        }
    }

    pub(super) fn text(&mut self, map: &Map, key: &str, needed: bool) -> String {
        let text = map.get(key).map(|value| value.clone().into_string());
        match text {
            Some(Ok(text))
                if !text.is_empty() && text.len() <= 500 && !text.chars().any(char::is_control) =>
            {
                text
            }
            None if !needed => String::new(),
            _ => {
                self.wrong(key, "a string of 1 to 500 bytes without control characters");
                String::new()
            }
        }
    }

    pub(super) fn words(&mut self, map: &Map, key: &str) -> Vec<String> {
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
                    "an array of at most 100 strings, each of at most 40 lower-case letters, \
                     digits and `_`, starting with a letter",
                );
                Vec::new()
            }
        }
    }

    /// Reads the names of the bots. The code that reads bot files checks whether they exist.
    pub(super) fn bots(&mut self, map: &Map) -> Vec<String> {
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
                "an array of 1 to 32 names of bots (see `risk-cli bot list`)",
            );
            return Vec::new();
        }
        names
    }

    /// Reads the name of the bot that makes suggestions, if there is one.
    pub(super) fn advice(&mut self, map: &Map) -> Option<String> {
        let name = map.get("advice")?.clone().into_string().unwrap_or_default();
        if name.is_empty() {
            let help = "the name of a bot (see `risk-cli bot list`)";
            self.wrong("advice", help);
        }
        Some(name)
    }

    /// Reads the bots of each level: one for all seats, or a list by seat.
    pub(super) fn levels(&mut self, map: &Map) -> BTreeMap<Level, Vec<String>> {
        let mut levels = BTreeMap::new();
        for (key, value) in self.section(map, "levels") {
            let one = value.clone().into_string().map(|name| vec![name]);
            let names = one.or_else(|_| value.into_typed_array::<String>());
            let names = names.unwrap_or_default();
            match Level::from_name(&key) {
                Some(level) if (1..=32).contains(&names.len()) => {
                    levels.insert(level, names);
                }
                _ => self.wrong(
                    "levels",
                    "#{ easy: …, normal: …, hard: … }, each the name of a bot or an array of 1 to \
                     32 names, by seat",
                ),
            }
        }
        levels
    }

    pub(super) fn section(&mut self, map: &Map, key: &str) -> Map {
        let Some(value) = map.get(key) else {
            return Map::new();
        };
        let Some(section) = value.clone().try_cast::<Map>() else {
            self.wrong(key, "a map: #{ name: …, … }");
            return Map::new();
        };
        for name in section.keys().filter(|name| !is_word(name)) {
            let help = "use at most 40 lower-case letters, digits and `_`, starting with a letter";
            self.fault(
                name,
                "ruleset::name",
                format!("invalid name `{}` in `{key}`", brief(name)),
                help,
            );
        }
        self.few(key, section)
    }

    /// Returns the section. If it has too many entries, reports a fault and returns an empty map.
    pub(super) fn few(&mut self, key: &str, section: Map) -> Map {
        if section.len() > MOST_NAMES {
            self.wrong(key, "a map with at most 100 entries");
            return Map::new();
        }
        section
    }

    pub(in crate::script) fn api(&mut self, map: &Map) {
        let version = map.get("api").map(|value| value.as_int().ok());
        if let Some(fault) = version.and_then(crate::script::api_fault) {
            let help = fault.help.unwrap_or_default();
            self.fault("api", fault.code, fault.text, help);
        }
    }

    pub(in crate::script) fn manifest(&mut self, map: &Map) -> Manifest {
        self.only(map, "`ruleset()`", &KEYS);
        let options = self.options(map);
        let units = self.titled_names(map, "units", true);
        let card_kinds = self.titled_names(map, "card_kinds", false);
        let kinds_of_cards = card_kinds.titles.into_iter().map(|title| title.one);
        let (phases, phase_kinds): (Vec<_>, _) = self.phases(map).into_iter().unzip();
        let (owners_seen, units_seen) = self.sight(map);
        let mut decl = Declaration {
            verbs: self.verbs(map),
            turn: self.turn(map, &phases),
            phases,
            counters: self.kept(map, "counters"),
            marks: self.marks(map),
            piles: self.kept(map, "piles"),
            unit_rules: units.rules,
            units: units.names,
            card_kinds: card_kinds.names,
            owners_seen,
            units_seen,
            last_standing: self.flag(map, "last_standing").then(|| CONQUEST.to_owned()),
            max_turns: self.number(map, "max_turns", 0) as u32,
            strikes: self.strikes(map),
            sentences: Sentences {
                rules: self.rules(map),
                units: units.titles,
                card_kinds: kinds_of_cards.collect(),
                endings: self.endings(map),
                ..Sentences::default()
            },
            ..Declaration::new(self.text(map, "name", true))
        };
        self.sentences(map, &mut decl);
        self.screens(map, &mut decl);
        decl.hints = self.board_hints(map, &decl);
        decl.teams = self.teams(map, &decl.counters);
        if decl.units.is_empty() {
            let expected = "an array with at least one kind of unit, for example [\"army\"]";
            self.wrong("units", expected);
        }
        Manifest {
            decl,
            about: self.text(map, "about", false),
            players: self.players(map),
            map: self.text(map, "map", true),
            bots: self.bots(map),
            advice: self.advice(map),
            levels: self.levels(map),
            presets: self.presets(map, &options),
            options,
            phase_kinds,
            tables: self.tables(map),
            asymmetric: self.flag(map, "asymmetric"),
            needs_continents: self.flag(map, "needs_continents"),
            needs_territories: self.number(map, "needs_territories", 2),
            needs_data: self.words(map, "needs_data"),
        }
    }

    /// Reads the phases of a turn.
    fn turn(&mut self, map: &Map, phases: &[PhaseInfo]) -> Vec<Phase> {
        let mut turn = Vec::new();
        for name in self.words(map, "turn") {
            if let Some(at) = phases.iter().position(|info| info.name == name) {
                turn.push(Phase::from_index(at));
                continue;
            }
            let names = phases.iter().map(|info| info.name.as_str());
            let help = suggest::help(&name, names);
            let text = format!("`turn` names the phase `{name}`, which `phases` doesn't declare");
            self.fault("turn", "ruleset::unknown-phase", text, help);
        }
        turn
    }

    pub(super) fn players(&mut self, map: &Map) -> (usize, usize) {
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
                    "the minimum and maximum number of players, at most 32, for example [3, 6]",
                );
                (1, 32)
            }
        }
    }

    pub(super) fn options(&mut self, map: &Map) -> BTreeMap<String, OptionInfo> {
        let mut options = BTreeMap::new();
        for (name, value) in self.section(map, "options") {
            if let Some(info) = self.option(&name, &value) {
                options.insert(name.to_string(), info);
            }
        }
        if let Some(taken) = options.get("preset").map(|_| "preset") {
            self.fault(
                taken,
                "ruleset::value",
                "an option can't be named `preset`: `--option preset=NAME` chooses a preset",
                "rename the option",
            );
        }
        options
    }

    pub(super) fn presets(
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
                let help = "use at most 40 lower-case letters, digits, `_`, `-` and `.`";
                self.fault(
                    &name,
                    "ruleset::name",
                    format!("invalid name of a preset: `{}`", brief(&name)),
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
                    Some(Err(domain)) => self.wrong(&option, &domain.to_string()),
                    None => self.unknown(&option, &format!("the preset `{name}`"), &known),
                }
            }
            presets.insert(name.to_string(), preset);
        }
        presets
    }

    pub(super) fn kept(&mut self, map: &Map, key: &str) -> Vec<CounterDecl> {
        let mut all = Vec::new();
        for (name, value) in self.section(map, key) {
            let known = if key == "counters" {
                ["seen", "tell", "state"]
            } else {
                ["seen", "title", "state"]
            };
            let seen = self.seen_of(&name, &value, &known);
            let seen = match seen.into_string().as_deref() {
                Ok("all") => Visibility::All,
                Ok("owner") => Visibility::Owner,
                Ok("nobody") => Visibility::Nobody,
                _ => {
                    self.wrong(
                        &name,
                        "\"all\", \"owner\" or \"nobody\": the players who see it",
                    );
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

    pub(super) fn verbs(&mut self, map: &Map) -> Vec<VerbInfo> {
        let mut verbs = Vec::new();
        for (name, value) in self.section(map, "verbs") {
            let slots = value.try_cast::<Map>();
            let is_slot = |key: &str| !["tell", "about"].contains(&key);
            let slots = slots.filter(|slots| {
                let slots = slots.keys().filter(|key| is_slot(key.as_str()));
                slots.count() <= MAX_SLOTS
            });
            let Some(slots) = slots else {
                self.wrong(&name, "a map of at most 4 parameters and their kinds");
                continue;
            };
            let mut order = self.written_order(&name, &slots);
            order.retain(|slot| is_slot(slot));
            let mut parameters = Vec::new();
            for slot in order {
                if !is_word(&slot) {
                    let help =
                        "use at most 40 lower-case letters, digits and `_`, starting with a letter";
                    let text = format!(
                        "invalid name of a parameter of `{name}`: `{}`",
                        brief(&slot)
                    );
                    self.fault(&slot, "ruleset::name", text, help);
                }
                let kind = slots
                    .get(slot.as_str())
                    .and_then(|kind| kind.clone().into_string().ok());
                match kind.as_deref().and_then(slot_kind) {
                    Some(kind) => parameters.push((slot, kind)),
                    None => self.wrong(
                        &slot,
                        "\"territory\", \"continent\", \"player\", \"count\", \"card\" or \
                         \"unit\": the kind of the parameter",
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

    /// Returns a verb's parameters in the order of the script. The map `slots` is sorted by name.
    pub(super) fn written_order(&self, verb: &str, slots: &Map) -> Vec<String> {
        for (_, ast) in self.drafts {
            if let Some(order) = syntax::keys_of(ast, verb, slots) {
                return order;
            }
        }
        slots.keys().map(ToString::to_string).collect()
    }

    pub(super) fn phases(&mut self, map: &Map) -> Vec<(PhaseInfo, PhaseKind)> {
        let mut phases = Vec::new();
        for (name, value) in self.section(map, "phases") {
            let Some(PhaseMark {
                kind,
                secret,
                optional,
                fights,
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
                    scripted: kind == PhaseKind::Script,
                    fights,
                },
                kind,
            ));
        }
        phases
    }

    pub(super) fn tables(&mut self, map: &Map) -> BTreeMap<String, TableInfo> {
        let mut tables = BTreeMap::new();
        for (name, value) in self.section(map, "tables") {
            if let Some(info) = self.table(&name, &value) {
                let known = FIGHT_TABLES.iter().find(|(known, _)| *known == name);
                if let Some((_, parameters)) = known {
                    self.fight_table(&name, &info, *parameters);
                }
                tables.insert(name.to_string(), info);
            }
        }
        tables
    }

    /// Checks the number of parameters of a table that fights use, and the range of the class.
    fn fight_table(&mut self, name: &str, info: &TableInfo, parameters: usize) {
        let ranges = &info.ranges;
        let has_class = ranges.len() == parameters + 1;
        if has_class && let Some(&(low, high)) = ranges.last() {
            if low != 0 || high > MOST_CLASS as i32 {
                let text = format!(
                    "the last parameter of the table `{name}` is the class of a fight, which is \
                     from 0 to at most {MOST_CLASS}, found {low}..={high}"
                );
                self.fault(name, "ruleset::table", text, "declare for example `0..=3`");
            }
        } else if ranges.len() != parameters {
            let counts = counted(parameters, "parameter");
            let found = ranges.len();
            let text = format!(
                "the table `{name}` must have {counts}, or one more for the class, found {found}"
            );
            let help = "fights use this table: declare a range for each parameter, or rename the \
                        table";
            self.fault(name, "ruleset::table", text, help);
        }
    }
}

/// Reports whether a word is a valid name in a ruleset and a valid constant in its script.
pub(in crate::script) fn is_word(word: &str) -> bool {
    word.len() <= 40
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Returns the beginning of an invalid name for messages.
pub(super) fn brief(name: &str) -> String {
    beginning(name, 40, "…")
}

pub(super) fn is_preset_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.".contains(c);
    (1..=40).contains(&name.len()) && name.chars().all(fits)
}

pub(super) fn slot_kind(word: &str) -> Option<SlotKind> {
    use SlotKind::{Card, Continent, Count, Player, Territory, Unit};
    let all = [Territory, Continent, Player, Count, Card, Unit];
    all.into_iter().find(|&kind| kind_word(kind) == word)
}

pub(super) fn range_of(value: &Dynamic) -> Option<(i32, i32)> {
    let (low, high) = if let Some(range) = value.clone().try_cast::<std::ops::RangeInclusive<i64>>()
    {
        (*range.start(), *range.end())
    } else {
        let range = value.clone().try_cast::<std::ops::Range<i64>>()?;
        (range.start, range.end.checked_sub(1)?)
    };
    Some((low.try_into().ok()?, high.try_into().ok()?)).filter(|(low, high)| low <= high)
}
