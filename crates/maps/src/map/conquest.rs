//! Maps of Conquest (Sean O'Connor). Names are the keys, and their case is ignored.
//!
//! Sources: the rules of Warzone, section 3.2, and existing files.

use std::collections::BTreeMap;

use super::domination::{at, shown};
use super::draft::{Diagnostics, Draft, Extent, TerritoryDraft};
use super::sections::{Ids, PlacedText, Sections};
use risk_kernel::board::TerritoryInfo;
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::Group;

/// The maximum number of territories in Conquest itself.
const MOST_OF_CONQUEST: usize = 255;

pub(super) fn read(
    mut sections: Sections<'_>,
    stem: &str,
    finder: &mut Diagnostics<'_>,
) -> Option<Draft> {
    let mut draft = Draft {
        name: stem.to_owned(),
        ..Draft::default()
    };
    sections.unknown(&["map", "continents", "territories"], "Conquest", finder);
    for line in &sections.head {
        finder.find(
            "header-junk",
            "unexpected line before the first section",
            line.place(),
        );
    }
    about(&sections, &mut draft, finder);
    let missing = sections.missing(&["Continents", "Territories"], finder);
    let continent_lines = sections.lines("continents");
    let lines = sections.lines("territories");
    if !finder.fits(lines.len(), continent_lines.len()) {
        return None;
    }
    let (continents, names) = continents(&continent_lines, finder);
    draft.continents = continents;
    territories(&lines, &names, &mut draft, finder);
    let count = draft.territories.len();
    if count > MOST_OF_CONQUEST {
        finder.find(
            "over-255-territories",
            format!(
                "the map has {count} territories, but Conquest allows at most {MOST_OF_CONQUEST}"
            ),
            (0, 0),
        );
    }
    draft.unless_empty(missing, lines.is_empty(), "territories", finder)
}

fn about(sections: &Sections<'_>, draft: &mut Draft, finder: &mut Diagnostics<'_>) {
    if !sections.has("map") {
        finder.find("no-map-section", "missing section [Map]", (0, 0));
    }
    for line in sections.lines("map") {
        let Some((key, value)) = line.text.split_once('=') else {
            finder.find(
                "map-line-not-key-value",
                format!("expected key=value, found `{}`", line.text),
                line.place(),
            );
            continue;
        };
        match key.trim().to_lowercase().as_str() {
            "author" if !value.trim().is_empty() => {
                let author = finder.readable(value.trim(), line.place());
                draft.about = format!("By {author}");
            }
            // Keys that only Conquest itself uses; no rule depends on them.
            "author" | "image" | "wrap" | "scroll" | "warn" => {}
            key => finder.find(
                "map-unknown-key",
                format!("unknown key `{key}` in [Map]"),
                line.place(),
            ),
        }
    }
}

/// For each name in lower case: the index, and the name as written.
type Written = BTreeMap<String, (usize, String)>;
type Continents = (Vec<(GroupInfo, Extent)>, Written);

fn continents(lines: &[PlacedText<'_>], finder: &mut Diagnostics<'_>) -> Continents {
    let mut all = Vec::new();
    let mut names = BTreeMap::new();
    let mut ids = Ids::default();
    for line in lines {
        let fields = line.fields('=');
        let (name, bonus) = match fields[..] {
            [name, bonus] => (name, Some(bonus)),
            _ => (fields[0], None),
        };
        let written = (all.len(), name.text.to_owned());
        if names.insert(name.text.to_lowercase(), written).is_some() {
            finder.find(
                "duplicate-continent",
                format!("duplicate continent {}", name.text),
                name.place(),
            );
        }
        let shown = shown(name, finder);
        let mut info = GroupInfo {
            id: ids.id(&shown),
            name: shown,
            ..GroupInfo::default()
        };
        match bonus {
            Some(bonus) => info.bonus = bonus.bonus(&info.id, finder),
            None => finder.find(
                "continent-fields",
                "expected NAME=BONUS for a continent",
                line.place(),
            ),
        }
        all.push((info, name.place()));
    }
    (all, names)
}

struct TerritoryFields<'a> {
    name: PlacedText<'a>,
    at: Option<(PlacedText<'a>, PlacedText<'a>)>,
    continent: PlacedText<'a>,
    neighbours: Vec<PlacedText<'a>>,
}

/// Splits the line of a territory. Some maps omit the coordinates: in these maps, the second field
/// is a continent, and no two numbers follow the name.
fn fields<'a>(line: PlacedText<'a>, continents: &Written) -> Option<TerritoryFields<'a>> {
    let fields = line.fields(',');
    let is_number = |index: usize| {
        fields
            .get(index)
            .is_some_and(|field| field.text.parse::<i64>().is_ok())
    };
    let bare = fields
        .get(1)
        .is_some_and(|field| continents.contains_key(&field.text.to_lowercase()));
    if fields[0].text.is_empty() {
        None
    } else if bare && !(is_number(1) && is_number(2)) {
        Some(TerritoryFields {
            name: fields[0],
            at: None,
            continent: fields[1],
            neighbours: fields[2..].to_vec(),
        })
    } else if fields.len() >= 4 {
        let at = Some((fields[1], fields[2]));
        Some(TerritoryFields {
            name: fields[0],
            at,
            continent: fields[3],
            neighbours: fields[4..].to_vec(),
        })
    } else {
        None
    }
}

fn territories(
    lines: &[PlacedText<'_>],
    continents: &Written,
    draft: &mut Draft,
    finder: &mut Diagnostics<'_>,
) {
    let mut ids = Ids::default();
    let mut names = Written::new();
    let mut listed = Vec::new();
    for &line in lines {
        let Some(fields) = fields(line, continents) else {
            let text = "expected NAME,X,Y,CONTINENT,NEIGHBOUR,… for a territory";
            finder.find("territory-fields", text, line.place());
            continue;
        };
        let name = fields.name;
        if names.contains_key(&name.text.to_lowercase()) {
            finder.find(
                "duplicate-territory",
                format!("duplicate territory {}", name.text),
                name.place(),
            );
            continue;
        }
        names.insert(
            name.text.to_lowercase(),
            (draft.territories.len(), name.text.to_owned()),
        );
        let shown = shown(name, finder);
        let mut info = TerritoryInfo {
            id: ids.id(&shown),
            name: shown,
            ..TerritoryInfo::default()
        };
        info.continent = continent_of(fields.continent, continents, finder);
        info.at = fields.at.and_then(|(x, y)| at(x, y, finder));
        draft
            .territories
            .push(TerritoryDraft::new(info, name.place()));
        listed.push(fields.neighbours);
    }
    for (from, neighbours) in listed.into_iter().enumerate() {
        borders(from, neighbours, &names, draft, finder);
    }
}

/// Finds the neighbours of a territory by their names, ignoring case.
fn borders(
    from: usize,
    neighbours: Vec<PlacedText<'_>>,
    names: &Written,
    draft: &mut Draft,
    finder: &mut Diagnostics<'_>,
) {
    for field in neighbours {
        if field.text.is_empty() {
            finder.find(
                "empty-neighbour-field",
                "empty field after a comma",
                (field.start - 1, 1),
            );
            continue;
        }
        let Some((to, written)) = names.get(&field.text.to_lowercase()) else {
            let text = format!("no territory named {}", field.text);
            let known = names.values().map(|(_, name)| name.as_str());
            finder.unknown(
                "border-unknown-name",
                text,
                field.text,
                known,
                field.place(),
            );
            continue;
        };
        same_case(field, written, finder);
        draft.territories[from].borders.push((*to, field.place()));
    }
}

fn continent_of(
    field: PlacedText<'_>,
    continents: &Written,
    finder: &mut Diagnostics<'_>,
) -> Option<Group> {
    let Some((index, written)) = continents.get(&field.text.to_lowercase()) else {
        let names = continents.values().map(|(_, name)| name.as_str());
        finder.unknown_continent(field.text, names, field.place());
        return None;
    };
    same_case(field, written, finder);
    Some(Group::from_index(*index))
}

fn same_case(field: PlacedText<'_>, written: &str, finder: &mut Diagnostics<'_>) {
    if field.text != written {
        let text = format!("{} is declared as {written}", field.text);
        finder.find("case-mismatch", text, field.place());
    }
}
