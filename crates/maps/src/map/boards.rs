//! Boards in JSON as other programs have them: territories with their neighbours in a list or under
//! their names, and continents beside them or around them. What is guessed gets a finding.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Diagnostics, Draft, Extent, TerritoryDraft};
use super::sections::Ids;
use crate::nodes::{Node, Value};
use crate::synonyms::meant;
use risk_kernel::board::TerritoryInfo;
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::{Group, Territory};
use risk_text::plural::counted;

/// The parts of a board, in the order in which they are read: names before what refers to them.
const PARTS: [&str; 5] = ["name", "about", "territories", "continents", "borders"];
const TERRITORY_KEYS: [&str; 7] = ["id", "name", "continent", "at", "borders", "x", "y"];
const CONTINENT_KEYS: [&str; 5] = ["id", "name", "bonus", "colour", "territories"];
/// The levels of lists and mappings that are searched for borders.
const DEEPEST: usize = 6;

/// Reports whether a document is a board, but not a map of our own.
pub(super) fn fits(text: &str, root: &Node) -> bool {
    let is_ours = || match root.get("territories").map(|node| &node.value) {
        Some(Value::List(list)) => !list.iter().any(|node| has_borders(node, 1, true)),
        _ => false,
    };
    may_fit(text) && !is_ours() && has_borders(root, DEEPEST, false)
}

/// Reports whether a text is JSON, which may be a board.
pub(super) fn may_fit(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Reports whether a key means borders, in the first `depth` levels of a document. `elsewhere`
/// excludes the key of our own maps.
fn has_borders(node: &Node, depth: usize, elsewhere: bool) -> bool {
    depth > 0
        && items(node).into_iter().any(|(key, value)| {
            let key = key
                .and_then(word)
                .filter(|key| !(elsewhere && key == "borders"));
            key.is_some_and(|key| meant(&key, &["borders"]).is_some())
                || has_borders(value, depth - 1, elsewhere)
        })
}

/// Returns the items of a list, or of a mapping from names to items.
fn items(node: &Node) -> Vec<(Option<&Node>, &Node)> {
    match &node.value {
        Value::List(list) => list.iter().map(|item| (None, item)).collect(),
        Value::Map(entries) => entries
            .iter()
            .map(|(key, item)| (Some(key), item))
            .collect(),
        _ => Vec::new(),
    }
}

fn word(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.trim().to_owned()),
        Value::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the name of a territory, which may be in a mapping of its own.
fn named(node: &Node) -> Option<String> {
    let inner = ["id", "name", "to", "target"]
        .into_iter()
        .find_map(|key| node.get(key));
    word(inner.unwrap_or(node))
}

fn number(node: &Node) -> Option<i32> {
    let number = match &node.value {
        Value::Int(number) => *number as f64,
        Value::Float(raw) => raw.parse().ok()?,
        _ => return None,
    };
    (-100_000.0..=100_000.0)
        .contains(&number)
        .then_some(number.round() as i32)
}

fn position(node: &Node) -> Option<(i32, i32)> {
    let (x, y) = match &node.value {
        Value::List(pair) => (pair.first()?, pair.get(1)?),
        _ => (node.get("x")?, node.get("y")?),
    };
    Some((number(x)?, number(y)?))
}

/// The names of territories or continents: all that each has, in lower case.
#[derive(Default)]
struct Names {
    known: BTreeMap<String, usize>,
    count: usize,
    /// The number of the first one, if numbers are places in the list.
    first: Option<usize>,
}

impl Names {
    fn add(&mut self, names: impl IntoIterator<Item = String>) -> usize {
        for name in names {
            self.known.entry(name.to_lowercase()).or_insert(self.count);
        }
        self.count += 1;
        self.count - 1
    }

    fn find(&self, name: &str) -> Option<usize> {
        let place = || name.parse::<usize>().ok()?.checked_sub(self.first?);
        let known = self.known.get(&name.to_lowercase()).copied();
        known.or_else(|| place().filter(|&place| place < self.count))
    }

    /// Decides how to read numbers that are no names. Returns whether they are places.
    fn number<'n>(&mut self, mut used: impl Iterator<Item = &'n String> + Clone) -> bool {
        let is_number = |name: &String| name.parse::<usize>().is_ok();
        if self.known.keys().any(is_number) || !used.clone().any(is_number) {
            return false;
        }
        self.first = Some(usize::from(!used.any(|name| name == "0")));
        true
    }
}

/// A reference: who refers, the name, and its place.
type Reference = (usize, String, Extent);

pub(super) fn read(root: &Node, stem: &str, finder: &mut Diagnostics<'_>) -> Option<Draft> {
    let mut board = BoardReader {
        finder,
        draft: Draft {
            name: stem.to_owned(),
            mutual: true,
            ..Draft::default()
        },
        ids: [Ids::default(), Ids::default()],
        territories: Names::default(),
        continents: Names::default(),
        borders: Vec::new(),
        of: Vec::new(),
        members: Vec::new(),
        pairs: Vec::new(),
        unpaid: Vec::new(),
        reported: BTreeSet::new(),
    };
    board.root(root);
    board.finish()
}

struct BoardReader<'r, 'f> {
    finder: &'r mut Diagnostics<'f>,
    draft: Draft,
    ids: [Ids; 2],
    territories: Names,
    continents: Names,
    borders: Vec<Reference>,
    /// Territories with their continents.
    of: Vec<Reference>,
    /// Continents with their territories.
    members: Vec<Reference>,
    /// Borders that stand beside the territories: the names of both ends, and a place.
    pairs: Vec<(String, String, Extent)>,
    /// Continents whose bonus is not known.
    unpaid: Vec<usize>,
    /// The guesses that have been reported.
    reported: BTreeSet<String>,
}

impl BoardReader<'_, '_> {
    /// Reports what was guessed or left out, each once.
    fn guess(&mut self, text: String, place: Extent) {
        if self.reported.insert(text.clone()) {
            self.finder.find("guessed", text, place);
        }
    }

    /// Returns the values of a mapping under our names. Others are left out.
    fn fields<'n>(
        &mut self,
        node: &'n Node,
        what: &str,
        known: &[&'static str],
    ) -> Vec<(&'static str, &'n Node)> {
        let mut fields = Vec::new();
        for (key, value) in items(node) {
            let Some((place, name)) = key.and_then(|key| Some((key.extent(), word(key)?))) else {
                continue;
            };
            let same = known.iter().copied().find(|known| *known == name);
            let mut ours = same.or_else(|| meant(&name, known));
            // Regions may be continents, or territories with borders.
            let have_borders = || {
                items(value)
                    .iter()
                    .any(|(_, item)| has_borders(item, 1, false))
            };
            if known == PARTS && ours == Some("continents") && have_borders() {
                ours = Some("territories");
            }
            match ours {
                Some(ours) => {
                    if same.is_none() {
                        self.guess(format!("`{name}` of {what} is read as `{ours}`"), place);
                    }
                    fields.push((ours, value));
                }
                None => self.guess(format!("`{name}` of {what} is left out"), place),
            }
        }
        fields
    }

    fn root(&mut self, root: &Node) {
        let is_part = |key: &Node| word(key).is_some_and(|key| meant(&key, &PARTS).is_some());
        if !items(root).iter().any(|(key, _)| key.is_some_and(is_part)) {
            return self.all_territories(root, None);
        }
        let parts = self.fields(root, "the board", &PARTS);
        for wanted in PARTS {
            for &(_, value) in parts.iter().filter(|(part, _)| *part == wanted) {
                let text = word(value).unwrap_or_default();
                match wanted {
                    "name" => self.draft.name = self.finder.readable(&text, value.extent()),
                    "about" => self.draft.about = self.finder.readable(&text, value.extent()),
                    "territories" => self.all_territories(value, None),
                    "continents" => self.all_continents(value),
                    _ => self.edges(value),
                }
            }
        }
    }

    fn all_territories(&mut self, node: &Node, of: Option<&str>) {
        for (key, item) in items(node) {
            self.territory(key, item, of);
        }
    }

    fn territory(&mut self, key: Option<&Node>, node: &Node, of: Option<&str>) {
        let place = key.map_or(node.first_key(), Node::extent);
        let fields = match node.value {
            Value::Map(_) => self.fields(node, "a territory", &TERRITORY_KEYS),
            Value::List(_) => vec![("borders", node)],
            _ => Vec::new(),
        };
        let get = |wanted| {
            fields
                .iter()
                .find(|(field, _)| *field == wanted)
                .map(|&(_, node)| node)
        };
        let id = get("id").and_then(word);
        let name = get("name").or(key).or(get("id")).unwrap_or(node);
        let Some(name) = word(name).map(|name| self.finder.readable(&name, place)) else {
            let text = "expected a name for a territory";
            return self.finder.find("missing-key", text, place);
        };
        if self.territories.known.contains_key(&name.to_lowercase()) {
            let text = format!("duplicate territory `{name}`");
            self.finder.find("duplicate-territory", text, place);
        }
        let of = get("continent").map_or_else(|| of.map(str::to_owned), named);
        let info = TerritoryInfo {
            id: self.ids[0].id(&name),
            at: get("at").and_then(position).or_else(|| position(node)),
            name: name.clone(),
            ..TerritoryInfo::default()
        };
        let names = [id, key.and_then(word), Some(name)];
        let index = self.territories.add(names.into_iter().flatten());
        self.of.extend(of.map(|of| (index, of, place)));
        self.refer(index, get("borders"));
        self.draft
            .territories
            .push(TerritoryDraft::new(info, place));
    }

    /// Keeps the borders that a territory lists.
    fn refer(&mut self, from: usize, list: Option<&Node>) {
        for (key, item) in list.into_iter().flat_map(items) {
            let to = key.unwrap_or(item);
            match named(to) {
                Some(name) => self.borders.push((from, name, to.extent())),
                None => self.unread(to, "the name of a territory"),
            }
        }
    }

    fn unread(&mut self, node: &Node, expected: &str) {
        let text = format!("expected {expected}, found {}", node.kind());
        self.finder.find("value", text, node.extent());
    }

    fn all_continents(&mut self, node: &Node) {
        let is_new = self.territories.count == 0;
        for (key, item) in items(node) {
            let place = key.map_or(item.first_key(), Node::extent);
            let fields = match item.value {
                Value::Map(_) => self.fields(item, "a continent", &CONTINENT_KEYS),
                Value::List(_) => vec![("territories", item)],
                _ if key.is_some() => vec![("bonus", item)],
                _ => Vec::new(),
            };
            let get = |wanted| {
                fields
                    .iter()
                    .find(|(key, _)| *key == wanted)
                    .map(|&(_, node)| node)
            };
            let name = get("name").or(key).or(get("id")).unwrap_or(item);
            let Some(name) = word(name) else {
                self.unread(item, "the name of a continent");
                continue;
            };
            let names = [
                get("id").and_then(word),
                key.and_then(word),
                Some(name.clone()),
            ];
            let bonus = get("bonus").and_then(number);
            let colour = get("colour").and_then(word).filter(|word| is_colour(word));
            self.continent(names.into_iter().flatten(), &name, bonus, colour, place);
            for (key, member) in get("territories").into_iter().flat_map(items) {
                match (&member.value, named(key.unwrap_or(member))) {
                    (Value::Map(_) | Value::List(_), _) => self.territory(key, member, Some(&name)),
                    _ if is_new => self.territory(key, member, Some(&name)),
                    (_, Some(member_name)) => {
                        let index = self.continents.count - 1;
                        self.members.push((index, member_name, member.extent()));
                    }
                    _ => self.unread(member, "the name of a territory"),
                }
            }
        }
    }

    fn continent(
        &mut self,
        names: impl Iterator<Item = String>,
        name: &str,
        bonus: Option<i32>,
        colour: Option<String>,
        place: Extent,
    ) {
        let id = self.ids[1].id(name);
        let info = GroupInfo {
            bonus: bonus.map_or(0, |bonus| self.finder.bonus(bonus.into(), &id, place)),
            name: self.finder.readable(name, place),
            id,
            colour,
            ..GroupInfo::default()
        };
        self.continents.add(names);
        self.unpaid
            .extend(bonus.is_none().then_some(self.draft.continents.len()));
        self.draft.continents.push((info, place));
    }

    /// Reads borders beside the territories: pairs, or lists under the names of territories.
    fn edges(&mut self, node: &Node) {
        let is_new = self.territories.count == 0;
        for (key, item) in items(node) {
            let ends = match (&item.value, key) {
                (_, Some(from)) => Some((from, item)),
                (Value::List(pair), None) if pair.len() == 2 => Some((&pair[0], &pair[1])),
                _ => {
                    let end = |names: [&str; 3]| names.iter().find_map(|name| item.get(name));
                    end(["source", "from", "a"]).zip(end(["target", "to", "b"]))
                }
            };
            let Some((from, to)) = ends else {
                self.unread(item, "two territories");
                continue;
            };
            if is_new && key.is_some() {
                self.territory(key, to, None);
                continue;
            }
            let all = match to.value {
                Value::List(_) => items(to).into_iter().map(|(_, to)| to).collect(),
                _ => vec![to],
            };
            for to in all {
                match (named(from), named(to)) {
                    (Some(from), Some(name)) => self.pairs.push((from, name, to.extent())),
                    _ => self.unread(to, "the name of a territory"),
                }
            }
        }
    }

    fn finish(mut self) -> Option<Draft> {
        if !self
            .finder
            .fits(self.draft.territories.len(), self.draft.continents.len())
        {
            return None;
        }
        if self.draft.territories.is_empty() {
            self.finder.forget();
            return None;
        }
        let used = self.members.iter().chain(&self.borders);
        let used = used.map(|(_, name, _)| name);
        let pairs = self.pairs.iter().flat_map(|(from, to, _)| [from, to]);
        if self.territories.number(used.chain(pairs)) {
            self.guess_numbers("territories", self.territories.first);
        }
        if self
            .continents
            .number(self.of.iter().map(|(_, name, _)| name))
        {
            self.guess_numbers("continents", self.continents.first);
        }
        self.join_continents();
        self.join_borders();
        for index in std::mem::take(&mut self.unpaid) {
            let of = Some(Group::from_index(index));
            let territories = self.draft.territories.iter();
            let count = territories.filter(|it| it.info.continent == of).count();
            let (info, place) = &mut self.draft.continents[index];
            let bonus = ((count + info.territories.len()) as i32 / 2).max(1);
            info.bonus = bonus;
            let text = format!(
                "the bonus of `{}` is half its territories: {bonus}",
                info.id
            );
            let place = *place;
            self.guess(text, place);
        }
        self.part_groups();
        Some(self.draft)
    }

    fn join_continents(&mut self) {
        for (at, name, place) in std::mem::take(&mut self.of) {
            if self.continents.find(&name).is_none() {
                let text = format!("the continent `{name}` is known only from its territories");
                self.guess(text, place);
                self.continent([name.clone()].into_iter(), &name, None, None, place);
            }
            let found = self.continents.find(&name).map(Group::from_index);
            self.draft.territories[at].info.continent = found;
        }
        let mut lists: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (continent, name, place) in std::mem::take(&mut self.members) {
            if let Some(at) = self.territory_at(&name, place) {
                lists.entry(continent).or_default().push(at);
            }
        }
        for (index, list) in lists {
            let of = Some(Group::from_index(index));
            let all = &mut self.draft.territories;
            let is_taken = |&&at: &&usize| all[at].info.continent.is_some_and(|it| Some(it) != of);
            if list.iter().any(|at| is_taken(&at)) {
                let list: BTreeSet<usize> = list.into_iter().collect();
                let territories = list.into_iter().map(Territory::from_index).collect();
                self.draft.continents[index].0.territories = territories;
            } else {
                list.into_iter().for_each(|at| all[at].info.continent = of);
            }
        }
    }

    /// Makes groups of continents that share territories with earlier ones.
    fn part_groups(&mut self) {
        for index in (0..self.draft.continents.len()).rev() {
            if self.draft.continents[index].0.territories.is_empty() {
                continue;
            }
            let (info, place) = self.draft.continents.remove(index);
            let text = format!("`{}` shares territories, and is read as a group", info.id);
            self.guess(text, place);
            self.draft.groups.insert(0, (info, place));
            for territory in &mut self.draft.territories {
                let of = territory.info.continent.map(Group::index);
                let of = of.map(|of| of - usize::from(of > index));
                territory.info.continent = of.map(Group::from_index);
            }
        }
    }

    fn guess_numbers(&mut self, what: &str, first: Option<usize>) {
        let first = first.unwrap_or_default();
        let text = format!("numbers of {what} are places in their list, counted from {first}");
        self.guess(text, self.draft.territories[0].place);
    }

    fn join_borders(&mut self) {
        let mut listed = BTreeMap::new();
        for (from, name, place) in std::mem::take(&mut self.borders) {
            if let Some(to) = self.territory_at(&name, place) {
                listed.entry((from, to)).or_insert(place);
            }
        }
        let mut alone = listed
            .iter()
            .filter(|((from, to), _)| !listed.contains_key(&(*to, *from)));
        if let Some((_, &place)) = alone.next() {
            let count = counted(alone.count() + 1, "border");
            let text = format!("{count} listed at one end only: all are read as two-way");
            self.guess(text, place);
        }
        for (from, to, place) in std::mem::take(&mut self.pairs) {
            let ends = [from, to].map(|name| self.territory_at(&name, place));
            if let [Some(from), Some(to)] = ends {
                listed.entry((from, to)).or_insert(place);
            }
        }
        for ((from, to), place) in listed {
            self.draft.territories[from].borders.push((to, place));
        }
    }

    fn territory_at(&mut self, name: &str, place: Extent) -> Option<usize> {
        let found = self.territories.find(name);
        if found.is_none() {
            let text = format!("no territory named `{name}`");
            let known = self.draft.territories.iter();
            let known = known.map(|it| it.info.name.as_str());
            self.finder
                .unknown("border-unknown-name", text, name, known, place);
        }
        found
    }
}

fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#');
    digits.is_some_and(|it| it.len() == 6 && it.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
