//! Reads the texts that screens show: the rules, titles, and sentences about states and decisions.

use rhai::{Array, Dynamic, Map};

use super::PhaseMark;
use super::reader::{DeclarationReader, MOST_NAMES, is_word};
use super::sentences::map_of;
use risk_kernel::declare::{Declaration, Title};
use risk_kernel::fight_class::MOST_CLASS;
use risk_kernel::unit_rules::UnitRules;
use risk_text::plural::plural;

/// The maximum length of the rules, in bytes.
const LONGEST_RULES: usize = 4096;
/// The maximum length of a title, in characters.
const LONGEST_TITLE: usize = 60;

/// Reports whether a string can be a title.
pub(in crate::script) fn is_title(text: &str) -> bool {
    (1..=LONGEST_TITLE).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

/// Names and their titles, in the order of the ruleset.
#[derive(Default)]
pub(super) struct TitledNames {
    pub(super) names: Vec<String>,
    pub(super) titles: Vec<Title>,
    /// What holds for kinds of units; empty if nothing special does.
    pub(super) rules: Vec<UnitRules>,
}

impl TitledNames {
    fn push(&mut self, name: String, title: Option<String>, many: Option<String>) {
        let one = title.unwrap_or_else(|| name.replace('_', " "));
        let many = many.unwrap_or_else(|| plural(&one));
        self.names.push(name);
        self.titles.push(Title { one, many });
    }
}

impl DeclarationReader<'_> {
    /// Reads `rules`, which may have several lines.
    pub(super) fn rules(&mut self, map: &Map) -> String {
        let Some(value) = map.get("rules") else {
            return String::new();
        };
        let text = value.clone().into_string().unwrap_or_default();
        let is_plain = |c: char| c == '\n' || !c.is_control();
        if text.trim().is_empty() || text.len() > LONGEST_RULES || !text.chars().all(is_plain) {
            let found = if text.len() > LONGEST_RULES {
                format!(", found {}", text.len())
            } else {
                String::new()
            };
            let what = format!(
                "a string of 1 to {LONGEST_RULES} bytes whose only control character is the line \
                 break{found}"
            );
            self.wrong("rules", &what);
            return String::new();
        }
        text.trim().to_owned()
    }

    /// Reads an array of names. An entry is a word, or a map with a title:
    /// `#{ name: "xwing", title: "X-wing" }`. With `plurals`, the map may have the key `plural`.
    pub(super) fn titled_names(&mut self, map: &Map, key: &str, plurals: bool) -> TitledNames {
        let mut all = TitledNames::default();
        let Some(value) = map.get(key) else {
            return all;
        };
        let entries = value.clone().try_cast::<Array>();
        let Some(entries) = entries.filter(|entries| entries.len() <= MOST_NAMES) else {
            self.wrong_names(key);
            return all;
        };
        for entry in entries {
            let mut rules = UnitRules::default();
            let (name, title, many) = match entry.clone().try_cast::<Map>() {
                None => (entry.into_string().ok(), None, None),
                Some(entry) => {
                    if plurals {
                        rules = self.unit_rules(&entry);
                    }
                    self.titled_name(&entry, key, plurals)
                }
            };
            if rules != UnitRules::default() {
                all.rules.resize(all.names.len(), UnitRules::default());
                all.rules.push(rules);
            }
            match name.filter(|name| is_word(name)) {
                Some(name) => all.push(name, title, many),
                None => {
                    self.wrong_names(key);
                    return TitledNames::default();
                }
            }
        }
        all
    }

    fn wrong_names(&mut self, key: &str) {
        self.wrong(
            key,
            "an array of at most 100 names, each a string of at most 40 lower-case letters, digits \
             and `_`, starting with a letter, or a map such as #{ name: \"xwing\", title: \
             \"X-wing\" }",
        );
    }

    fn titled_name(
        &mut self,
        entry: &Map,
        key: &str,
        plurals: bool,
    ) -> (Option<String>, Option<String>, Option<String>) {
        let known: &[&str] = if plurals {
            &[
                "name",
                "title",
                "plural",
                "strength",
                "attack_strength",
                "limit",
                "price",
                "only",
            ]
        } else {
            &["name", "title"]
        };
        self.only(entry, &format!("`{key}`"), known);
        let name = entry
            .get("name")
            .and_then(|it| it.clone().into_string().ok());
        let place = name.clone().unwrap_or_else(|| key.to_owned());
        let title = self.title(entry, "title", &place);
        let many = self.title(entry, "plural", &place);
        (name, title, many)
    }

    /// Reads what holds for a kind of units.
    fn unit_rules(&mut self, entry: &Map) -> UnitRules {
        let mut number = |key: &str, usual: i32, low: i64, high: i64| {
            let Some(value) = entry.get(key) else {
                return usual;
            };
            let fits = value.as_int().ok().filter(|it| (low..=high).contains(it));
            fits.map_or_else(
                || {
                    self.wrong(key, &format!("an integer from {low} to {high}"));
                    usual
                },
                |it| it as i32,
            )
        };
        let most = MOST_CLASS.into();
        let limit = number("limit", 0, 1, 1_000_000);
        UnitRules {
            strength: number("strength", 0, 0, most) as u8,
            attack_strength: number("attack_strength", 0, 0, most) as u8,
            limit: entry.contains_key("limit").then_some(limit),
            price: number("price", 1, 1, 1_000_000),
            only: self.ids(entry, "only"),
            barred: Vec::new(),
        }
    }

    /// Reads an array of ids of groups and territories.
    fn ids(&mut self, entry: &Map, key: &str) -> Vec<String> {
        let Some(value) = entry.get(key) else {
            return Vec::new();
        };
        let ids = value.clone().into_typed_array::<String>().ok();
        let fits = |ids: &Vec<String>| (1..=MOST_NAMES).contains(&ids.len());
        ids.filter(fits).unwrap_or_else(|| {
            self.wrong(key, "an array of 1 to 100 ids of groups and territories");
            Vec::new()
        })
    }

    /// Reads a title. Reports a fault at `place` if it is too long or empty.
    pub(super) fn title(&mut self, entry: &Map, key: &str, place: &str) -> Option<String> {
        let text = entry.get(key)?.clone().into_string().unwrap_or_default();
        if is_title(&text) {
            return Some(text);
        }
        self.fault(
            place,
            "ruleset::value",
            format!("the `{key}` of `{place}` must be a string of 1 to {LONGEST_TITLE} characters"),
            format!("write what people read on screens, for example {key}: \"X-wing\""),
        );
        None
    }

    /// Reads the texts of counters, piles, verbs and phases that are already read.
    pub(super) fn screens(&mut self, map: &Map, decl: &mut Declaration) {
        let counters = map_of(map, "counters");
        for kept in &decl.counters {
            let state = self.state(&counters, &kept.name, &["now"], true);
            decl.sentences.counter_states.push(state);
        }
        let piles = map_of(map, "piles");
        for kept in &decl.piles {
            let state = self.state(&piles, &kept.name, &["last", "cards", "count"], false);
            let state = state.unwrap_or_default();
            decl.sentences.pile_states.push(state);
            let title = entry_of(&piles, &kept.name).and_then(|it| it.get("title").cloned());
            let title = match title.map(|title| title.into_string().unwrap_or_default()) {
                Some(title) if title.is_empty() => None,
                Some(_) => {
                    let entry = entry_of(&piles, &kept.name).unwrap_or_default();
                    self.title(&entry, "title", &kept.name)
                }
                None => Some(kept.name.replace('_', " ")),
            };
            decl.sentences.piles.push(title);
        }
        let verbs = map_of(map, "verbs");
        for verb in &decl.verbs {
            let about = entry_of(&verbs, &verb.name).and_then(|it| it.get("about").cloned());
            let about = about.map(|text| self.sentence(&verb.name, &text, &[]));
            decl.sentences.verb_help.push(about.unwrap_or_default());
        }
        let phases = map_of(map, "phases");
        for info in &decl.phases {
            let mark = phases.get(info.name.as_str());
            let about = mark.and_then(|mark| mark.clone().try_cast::<PhaseMark>()?.about);
            let about = about.map(|text| self.sentence(&info.name, &text.into(), &[]));
            decl.sentences.phase_help.push(about.unwrap_or_default());
        }
    }

    /// Reads the key `state` of a counter or pile, if it has one. Only a counter's may be empty.
    fn state(
        &mut self,
        section: &Map,
        name: &str,
        known: &[&str],
        may_be_empty: bool,
    ) -> Option<String> {
        let text: Dynamic = entry_of(section, name)?.get("state")?.clone();
        let is_empty = text.is_string() && text.clone().into_string().is_ok_and(|it| it.is_empty());
        if may_be_empty && is_empty {
            return Some(String::new());
        }
        Some(self.sentence(name, &text, known))
    }
}

fn entry_of(section: &Map, name: &str) -> Option<Map> {
    section.get(name)?.clone().try_cast::<Map>()
}
