//! Search in the scripting API reference.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::api::ELSE;
use risk_engine::script::reference::{Surface, entries, language};
use risk_kernel::event::table::EVENTS;
use risk_text::paint::Paint;

/// An entry of the reference: a function, a hook or an event.
struct Hit {
    /// The bare name in scripts. Matches in it rank first.
    name: String,
    call: String,
    meaning: String,
    /// The audiences that have the entry.
    of: Vec<&'static str>,
}

impl Hit {
    fn new(call: &str, meaning: impl Into<String>, of: &'static str) -> Self {
        let name = call.split(['(', ' ']).next().unwrap_or(call);
        let name = name.rsplit('.').next().unwrap_or(name);
        Self {
            name: name.to_owned(),
            call: call.to_owned(),
            meaning: meaning.into(),
            of: vec![of],
        }
    }

    /// Returns the rank of the match, 0 for the best, or `None` if the entry lacks one of the
    /// words.
    fn rank(&self, words: &[String]) -> Option<u8> {
        let name = self.name.to_lowercase();
        let call = self.call.to_lowercase();
        let meaning = self.meaning.to_lowercase();
        let ranks = words.iter().map(|word| {
            if name == *word {
                Some(0)
            } else if name.contains(word) {
                Some(1)
            } else if call.contains(word) {
                Some(2)
            } else {
                meaning.contains(word).then_some(3)
            }
        });
        ranks.collect::<Option<Vec<u8>>>()?.into_iter().max()
    }
}

const fn audience(surface: Surface) -> &'static str {
    match surface {
        Surface::Facts => "rules that read",
        Surface::Game => "rules that change",
        Surface::View => "bots",
        Surface::Language => "the language",
    }
}

/// Returns the entries of a surface, or of all surfaces, without duplicates.
fn all(surface: Option<Surface>) -> Vec<Hit> {
    let surfaces = surface.map_or_else(|| Surface::ALL.to_vec(), |one| vec![one]);
    let mut hits: Vec<Hit> = Vec::new();
    for surface in surfaces {
        for entry in entries(surface) {
            let meaning = format!("{} ({})", entry.meaning, entry.cost);
            match hits.iter_mut().find(|hit| hit.call == entry.call) {
                Some(hit) => hit.of.push(audience(surface)),
                None => hits.push(Hit::new(&entry.call, meaning, audience(surface))),
            }
        }
        if surface == Surface::Language {
            for (group, names) in language() {
                hits.extend(names.into_iter().map(|(name, example)| {
                    let meaning = format!("of {group}: {}", example.unwrap_or_default());
                    Hit::new(&name, meaning, audience(surface))
                }));
            }
        }
    }
    hits.extend(hooks(surface));
    if matches!(surface, None | Some(Surface::View)) {
        hits.extend(EVENTS.iter().map(|kind| {
            let keys: Vec<&str> = kind.fields.iter().map(|(key, _)| *key).collect();
            let call = format!("{} {{ {} }}", kind.name, keys.join(", "));
            Hit::new(&call, kind.about, "events for saw(event)")
        }));
    }
    hits
}

/// Parses the hooks from the tables of the reference.
fn hooks(surface: Option<Surface>) -> impl Iterator<Item = Hit> {
    let bots = matches!(surface, None | Some(Surface::View));
    let rulesets = matches!(surface, None | Some(Surface::Facts | Surface::Game));
    let sections = [
        (bots, "## Hooks of bots", "hooks of bots"),
        (rulesets, "## Hooks of rulesets", "hooks of rulesets"),
    ];
    let shown = sections.into_iter().filter(|(shown, _, _)| *shown);
    shown.flat_map(|(_, heading, of)| {
        let lines = ELSE.lines().skip_while(move |line| *line != heading);
        let lines = lines.skip(1).take_while(|line| !line.starts_with("## "));
        lines.filter_map(move |line| {
            let row = line.strip_prefix("| `")?.strip_suffix(" |")?;
            let (call, meaning) = row.split_once(" | ")?;
            Some(Hit::new(
                &call.replace('`', ""),
                meaning.replace('`', ""),
                of,
            ))
        })
    })
}

/// Returns all functions, hooks and events, for editors: objects with the keys `name`, `call`,
/// `meaning` and `of`, the list of those who may use the entry.
#[must_use]
pub fn reference() -> Vec<Value> {
    let entry = |hit: Hit| json!({ "name": hit.name, "call": hit.call, "meaning": hit.meaning, "of": hit.of });
    all(None).into_iter().map(entry).collect()
}

/// Searches names, types and meanings for entries that contain all words, ignoring case. Matches in
/// names come first. Returns `None` if nothing matches.
#[must_use]
pub fn search(words: &[String], surface: Option<Surface>, paint: Paint) -> Option<String> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let hits = all(surface);
    let mut found: Vec<(u8, &Hit)> = hits
        .iter()
        .filter_map(|hit| Some((hit.rank(&words)?, hit)))
        .collect();
    if found.is_empty() {
        return None;
    }
    found.sort_by_key(|(rank, _)| *rank);
    let mut lines = Vec::new();
    for (_, hit) in found {
        let of = paint.dim(&format!("({})", hit.of.join(", ")));
        lines.extend(paint.wrapped("", "    ", &format!("{}  {of}", paint.bold(&hit.call))));
        lines.extend(paint.wrapped("    ", "    ", &hit.meaning));
    }
    Some(lines.join("\n"))
}

/// Returns the names in the reference of a surface, or of all surfaces, without duplicates.
#[must_use]
pub fn names(surface: Option<Surface>) -> BTreeSet<String> {
    all(surface).into_iter().map(|hit| hit.name).collect()
}
