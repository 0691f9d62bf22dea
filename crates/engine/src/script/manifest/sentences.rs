//! Reads the sentences that describe a ruleset's events, and checks their placeholders.

use std::collections::BTreeMap;

use rhai::{Dynamic, Map};

use super::PhaseMark;
use super::reader::DeclarationReader;
use risk_kernel::declare::{Declaration, SlotKind, VerbInfo};
use risk_kernel::words::placeholders;
use risk_text::suggest;

const LONGEST: usize = 200;
/// The maximum length of the reason for the end of a game, in characters.
const LONGEST_REASON: usize = 40;

/// Returns the default sentence of a verb from the standard phases. The numbers are the positions
/// of the verb's parameters.
fn standard(verb: &VerbInfo) -> &'static str {
    use SlotKind::{Card, Count, Territory};
    let kinds: Vec<SlotKind> = verb.slots.iter().map(|slot| slot.1).collect();
    match (verb.name.as_str(), kinds.as_slice()) {
        ("claim", [Territory]) => "claims {0}",
        ("place", [Territory, Count]) => "places {1} in {0}",
        ("trade", [Card, Card, Card]) => "trades {0}, {1}, {2}",
        ("attack", [Territory, Territory, ..]) => "attacks {1} from {0}",
        ("move", [Territory, Territory, Count]) => "moves {2} from {0} to {1}",
        _ => "",
    }
}

/// Reports whether a string can be a sentence.
pub(in crate::script) fn is_sentence(text: &str) -> bool {
    (1..=LONGEST).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

impl DeclarationReader<'_> {
    /// Reads the sentences for all declarations that are already read.
    pub(super) fn sentences(&mut self, map: &Map, decl: &mut Declaration) {
        let verbs = map_of(map, "verbs");
        for verb in &decl.verbs {
            let entry = verbs
                .get(verb.name.as_str())
                .and_then(|value| value.clone().try_cast::<Map>());
            let known: Vec<&str> = verb.slots.iter().map(|slot| slot.0.as_str()).collect();
            let text = match entry.as_ref().and_then(|value| value.get("tell")) {
                Some(text) => self.sentence(&verb.name, text, &known),
                None => {
                    let numbered =
                        |index: usize| (format!("{{{index}}}"), format!("{{{}}}", known[index]));
                    let slots = (0..known.len()).map(numbered);
                    slots.fold(standard(verb).to_owned(), |text, (number, name)| {
                        text.replace(&number, &name)
                    })
                }
            };
            decl.sentences.verbs.push(text);
        }
        let counters = map_of(map, "counters");
        for kept in &decl.counters {
            let entry = counters
                .get(kept.name.as_str())
                .and_then(|value| value.clone().try_cast::<Map>());
            let text = entry.as_ref().and_then(|value| value.get("tell"));
            let text = text.map_or_else(String::new, |text| {
                self.sentence(&kept.name, text, &["by", "now"])
            });
            decl.sentences.counters.push(text);
        }
        let phases = map_of(map, "phases");
        for info in &decl.phases {
            let mark = phases
                .get(info.name.as_str())
                .and_then(|value| value.clone().try_cast::<PhaseMark>());
            let text = mark.map(|mark| mark.tell).filter(|text| !text.is_empty());
            let text = text.map_or_else(String::new, |text| {
                self.sentence(&info.name, &text.into(), &[])
            });
            decl.sentences.phases.push(text);
        }
    }

    /// Reads `endings`, which maps each reason for the end of a game to a sentence.
    pub(super) fn endings(&mut self, map: &Map) -> BTreeMap<String, String> {
        let Some(value) = map.get("endings") else {
            return BTreeMap::new();
        };
        let Some(section) = value
            .clone()
            .try_cast::<Map>()
            .filter(|section| section.len() <= 100)
        else {
            self.wrong(
                "endings",
                "a map of at most 100 reasons and their sentences",
            );
            return BTreeMap::new();
        };
        for reason in section
            .keys()
            .filter(|reason| reason.chars().count() > LONGEST_REASON)
        {
            let text = format!(
                "a reason in `endings` can have at most {LONGEST_REASON} characters, found {}",
                reason.chars().count()
            );
            self.fault(
                reason,
                "ruleset::name",
                text,
                "shorten the reason, and put the details into its sentence",
            );
        }
        section
            .into_iter()
            .map(|(reason, text)| (reason.to_string(), self.sentence(&reason, &text, &[])))
            .collect()
    }

    /// Returns the visibility of a counter or pile, which is declared alone or in a map with other
    /// `known` keys: `#{ seen: "all", tell: "…" }`.
    pub(super) fn seen_of(&mut self, name: &str, value: &Dynamic, known: &[&str]) -> Dynamic {
        let Some(map) = value.clone().try_cast::<Map>() else {
            return value.clone();
        };
        self.only(&map, &format!("`{name}`"), known);
        map.get("seen").cloned().unwrap_or_default()
    }

    /// Reads a sentence and reports a fault for placeholders that are not in `known`.
    pub(super) fn sentence(&mut self, name: &str, value: &Dynamic, known: &[&str]) -> String {
        let text = value.clone().into_string().ok();
        let Some(text) = text.filter(|text| is_sentence(text)) else {
            let what =
                format!("the sentence of `{name}` must be a string of 1 to {LONGEST} characters");
            self.fault(
                name,
                "ruleset::tell",
                what,
                "write a string, for example `tell: \"bombs {at}\"`",
            );
            return String::new();
        };
        let Some(keys) = placeholders(&text) else {
            let what = format!("wrong braces in the sentence of `{name}`");
            let help = "write each placeholder as `{parameter}`, for example `{at}`, or with words \
                        for 1 and for other numbers, for example `{armies:army|armies}`";
            self.fault(name, "ruleset::tell", what, help);
            return String::new();
        };
        for key in keys.into_iter().filter(|key| !known.contains(key)) {
            let what = format!("unknown placeholder `{{{key}}}` in the sentence of `{name}`");
            let help = if known.is_empty() {
                "remove the placeholder: this sentence can't have any".to_owned()
            } else {
                suggest::help(key, known.iter().copied())
            };
            self.fault(name, "ruleset::tell", what, help);
        }
        text
    }
}

pub(super) fn map_of(map: &Map, key: &str) -> Map {
    map.get(key)
        .and_then(|value| value.clone().try_cast::<Map>())
        .unwrap_or_default()
}
