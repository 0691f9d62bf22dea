//! Maps of Domination (yura.net). Countries have numbers, and each border leads in one direction.
//!
//! Sources: the rules of Warzone, section 3.1, and existing files.

use std::collections::BTreeMap;

use super::draft::{Diagnostics, Draft, Extent, TerritoryDraft};
use super::sections::{Ids, PlacedText, Sections};
use risk_kernel::board::TerritoryInfo;
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::Group;

const ORDER: [&str; 4] = ["files", "continents", "countries", "borders"];

const COLOURS: [(&str, &str); 13] = [
    ("black", "#000000"),
    ("blue", "#0000ff"),
    ("cyan", "#00ffff"),
    ("darkgray", "#404040"),
    ("gray", "#808080"),
    ("green", "#00ff00"),
    ("lightgray", "#c0c0c0"),
    ("magenta", "#ff00ff"),
    ("orange", "#ffc800"),
    ("pink", "#ffafaf"),
    ("red", "#ff0000"),
    ("white", "#ffffff"),
    ("yellow", "#ffff00"),
];

pub(super) fn read(
    mut sections: Sections<'_>,
    stem: &str,
    finder: &mut Diagnostics<'_>,
) -> Option<Draft> {
    let mut draft = Draft {
        name: stem.to_owned(),
        ..Draft::default()
    };
    header(&sections, &mut draft, finder);
    sections.unknown(&ORDER, "Domination", finder);
    files(&sections, finder);
    let order: Vec<usize> = sections
        .sections
        .iter()
        .filter_map(|section| position(&ORDER, section.name.text))
        .collect();
    if let Some(late) = (1..order.len()).find(|&at| order[at] < order[at - 1]) {
        let name = ORDER[order[late]];
        let before = ORDER[order[late - 1]];
        let section = sections
            .sections
            .iter()
            .rfind(|section| section.name.text.eq_ignore_ascii_case(name));
        let place = section.map_or((0, 0), |section| section.name.place());
        finder.find(
            "section-order",
            format!("the section [{name}] comes after [{before}]"),
            place,
        );
    }
    let missing = sections.missing(&ORDER[1..], finder);
    let continent_lines = sections.lines("continents");
    let lines = sections.lines("countries");
    if !finder.fits(lines.len(), continent_lines.len()) {
        return None;
    }
    draft.continents = continents(&continent_lines, finder);
    let numbers = countries(&lines, &mut draft, finder);
    borders(&sections.lines("borders"), &numbers, &mut draft, finder);
    draft.unless_empty(missing, lines.is_empty(), "countries", finder)
}

fn position(names: &[&str], name: &str) -> Option<usize> {
    names
        .iter()
        .position(|known| known.eq_ignore_ascii_case(name))
}

/// Reads the lines before the first section. They have the form `key value`; only the map's name is
/// used.
fn header(sections: &Sections<'_>, draft: &mut Draft, finder: &mut Diagnostics<'_>) {
    for line in &sections.head {
        let (key, value) = line
            .text
            .split_once(char::is_whitespace)
            .unwrap_or((line.text, ""));
        match key {
            "name" if !value.trim().is_empty() => {
                draft.name = finder.readable(value.trim(), line.place())
            }
            // Keys that only Domination itself uses; no rule depends on them.
            "ver" | "circle" | "test" | "prv" => {}
            _ => finder.find(
                "header-junk",
                format!("unknown key `{key}` in the header of the map"),
                line.place(),
            ),
        }
    }
}

fn files(sections: &Sections<'_>, finder: &mut Diagnostics<'_>) {
    if !sections.has("files") {
        finder.find("no-files-section", "missing section [files]", (0, 0));
    }
    for line in sections.lines("files") {
        let key = line.text.split_whitespace().next().unwrap_or_default();
        if !["pic", "map", "crd", "prv"].contains(&key) {
            finder.find(
                "files-unknown-key",
                format!("unknown key `{key}` in [files]"),
                line.place(),
            );
        }
    }
}

/// Returns a display name: `_` means a space.
pub(super) fn shown(word: PlacedText<'_>, finder: &mut Diagnostics<'_>) -> String {
    finder.readable(word.text.replace('_', " ").trim(), word.place())
}

fn continents(lines: &[PlacedText<'_>], finder: &mut Diagnostics<'_>) -> Vec<(GroupInfo, Extent)> {
    let mut all: Vec<(GroupInfo, Extent)> = Vec::new();
    let mut ids = Ids::default();
    for line in lines {
        let words = line.words();
        let name = words[0];
        let rest = &words[1..];
        let mut info = GroupInfo {
            name: shown(name, finder),
            ..GroupInfo::default()
        };
        if !(1..=2).contains(&rest.len()) {
            let text = format!(
                "expected 2 or 3 words for a continent, found {}",
                words.len()
            );
            finder.find("continent-fields", text, line.place());
            // It keeps its number.
            info.id = ids.id(&info.name);
            all.push((info, name.place()));
            continue;
        }
        if all.iter().any(|(other, _)| other.name == info.name) {
            finder.find(
                "duplicate-continent-name",
                format!("duplicate continent name {}", info.name),
                name.place(),
            );
        }
        info.id = ids.id(&info.name);
        info.bonus = rest[0].bonus(&info.id, finder);
        match rest.get(1) {
            None => finder.find(
                "missing-colour",
                format!("the continent `{}` has no colour", info.id),
                line.place(),
            ),
            Some(word) => info.colour = colour(*word, finder),
        }
        all.push((info, name.place()));
    }
    all
}

fn colour(word: PlacedText<'_>, finder: &mut Diagnostics<'_>) -> Option<String> {
    // For 0, Domination chooses a colour itself.
    if word.text.chars().all(|c| c == '0') {
        return None;
    }
    let lower = word.text.to_lowercase();
    if let Some((_, colour)) = COLOURS.iter().find(|(name, _)| *name == lower) {
        return Some((*colour).to_owned());
    }
    let digits = lower.strip_prefix('#').or_else(|| lower.strip_prefix("0x"));
    if let Some(digits) =
        digits.filter(|digits| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()))
    {
        return Some(format!("#{digits}"));
    }
    finder.find(
        "unknown-colour",
        format!("unknown colour `{}`", word.text),
        word.place(),
    );
    None
}

/// Reads the countries, and returns their indices by number.
fn countries(
    lines: &[PlacedText<'_>],
    draft: &mut Draft,
    finder: &mut Diagnostics<'_>,
) -> BTreeMap<u64, usize> {
    let mut numbers = BTreeMap::new();
    let mut ids = Ids::default();
    for (index, line) in lines.iter().enumerate() {
        let words = line.words();
        let Ok(number) = words[0].text.parse::<u64>() else {
            let text = format!(
                "expected the number of a country, found `{}`",
                words[0].text
            );
            finder.find("country-id-not-number", text, words[0].place());
            continue;
        };
        if words.len() != 3 && words.len() != 5 {
            let text = format!(
                "expected 5 words for a country, or 3 without coordinates, found {}",
                words.len()
            );
            finder.find("territory-fields", text, line.place());
            if words.len() < 3 {
                continue;
            }
        }
        if numbers.contains_key(&number) {
            let text = format!("duplicate country number {number}");
            finder.find("duplicate-country-id", text, words[0].place());
            continue;
        }
        if number != index as u64 + 1 {
            let text = format!("expected country number {}, found {number}", index + 1);
            finder.find("country-id-not-sequential", text, words[0].place());
        }
        let name = shown(words[1], finder);
        let mut info = TerritoryInfo {
            id: ids.id(&name),
            name,
            ..TerritoryInfo::default()
        };
        info.continent = continent(words[2], draft.continents.len(), finder);
        info.at = match words[3..] {
            [x, y] => at(x, y, finder),
            _ => None,
        };
        numbers.insert(number, draft.territories.len());
        draft
            .territories
            .push(TerritoryDraft::new(info, words[1].place()));
    }
    numbers
}

fn continent(word: PlacedText<'_>, count: usize, finder: &mut Diagnostics<'_>) -> Option<Group> {
    match word.text.parse::<usize>() {
        Ok(number) if (1..=count).contains(&number) => {
            return Some(Group::from_index(number - 1));
        }
        Ok(number) => {
            let text = format!("expected a continent number from 1 to {count}, found {number}");
            finder.find("continent-index-range", text, word.place());
        }
        Err(_) => {
            let text = format!("expected the number of a continent, found `{}`", word.text);
            finder.find("continent-index-not-number", text, word.place());
        }
    }
    None
}

/// Reads coordinates in pixels, from the left and from the top.
pub(super) fn at(
    x: PlacedText<'_>,
    y: PlacedText<'_>,
    finder: &mut Diagnostics<'_>,
) -> Option<(i32, i32)> {
    let mut number = |word: PlacedText<'_>| {
        let number = word.text.parse().ok();
        let number = number.filter(|number| (-100_000..=100_000).contains(number));
        if number.is_none() {
            finder.find(
                "coordinate-not-number",
                format!("expected a coordinate, found `{}`", word.text),
                word.place(),
            );
        }
        number
    };
    let x = number(x);
    let y = number(y);
    Some((x?, y?))
}

fn borders(
    lines: &[PlacedText<'_>],
    numbers: &BTreeMap<u64, usize>,
    draft: &mut Draft,
    finder: &mut Diagnostics<'_>,
) {
    let mut seen = std::collections::BTreeSet::new();
    for line in lines {
        let mut from: Option<usize> = None;
        for (index, word) in line.words().into_iter().enumerate() {
            let Ok(number) = word.text.parse::<u64>() else {
                finder.find(
                    "border-not-number",
                    format!("expected the number of a country, found `{}`", word.text),
                    word.place(),
                );
                if index == 0 {
                    break;
                }
                continue;
            };
            let Some(&to) = numbers.get(&number) else {
                finder.find(
                    "border-unknown-id",
                    format!("no country with the number {number}"),
                    word.place(),
                );
                if index == 0 {
                    break;
                }
                continue;
            };
            if let Some(from) = from {
                draft.territories[from].borders.push((to, word.place()));
                continue;
            }
            from = Some(to);
            if !seen.insert(to) {
                let text = format!("duplicate line for the borders of country {number}");
                finder.find("repeated-border-line", text, word.place());
            }
        }
    }
}
