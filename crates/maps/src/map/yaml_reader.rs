//! Reads maps in YAML: converts nodes with places to a draft.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Diagnostics, Draft, Extent, KnownIds, MOST_ARMIES, TerritoryDraft};
use super::shape;
use crate::nodes::{Node, NodeReader, Value};
use crate::synonyms::meant;
use risk_kernel::board::{Datum, Look, Ring, TerritoryInfo};
use risk_kernel::id::Group;
use risk_text::diag::Level;
use risk_text::{is_unseen, suggest, unseen};
use unicode_normalization::UnicodeNormalization as _;

pub(super) const KEYS: [&str; 8] = [
    "name",
    "about",
    "look",
    "lints",
    "data",
    "continents",
    "groups",
    "territories",
];
const TERRITORY_KEYS: [&str; 12] = [
    "id",
    "name",
    "continent",
    "at",
    "shape",
    "borders",
    "one_way",
    "each_turn",
    "deploys",
    "strength",
    "neutral",
    "resets",
];
const LEVELS: [&str; 3] = ["allow", "warn", "deny"];
const LONGEST_TEXT: usize = 200;

type LintLevels = Vec<(String, Extent, Result<Level, String>)>;

/// Returns the levels that a map sets, as codes with their places for each level.
pub(super) fn levels(root: &Node) -> LintLevels {
    let Some(Value::Map(levels)) = root.get("lints").map(|node| &node.value) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (key, codes) in levels {
        let Value::Text(name) = &key.value else {
            continue;
        };
        let (Some(level), Value::List(codes)) = (Level::from_name(name), &codes.value) else {
            continue;
        };
        found.extend(codes.iter().filter_map(|code| match &code.value {
            Value::Text(text) => Some((text.clone(), code.extent(), Ok(level))),
            _ => None,
        }));
    }
    found
}

pub(super) fn read(root: &Node, finder: &mut Diagnostics<'_>) -> Option<Draft> {
    DocumentReader { finder }.map(root)
}

pub(super) struct DocumentReader<'r, 'f> {
    pub(super) finder: &'r mut Diagnostics<'f>,
}

#[derive(Default)]
struct BorderLists<'a> {
    borders: &'a [Node],
    one_way: &'a [Node],
    deploys: Option<&'a Node>,
}

impl DocumentReader<'_, '_> {
    pub(super) fn find(&mut self, code: &str, text: impl Into<String>, place: Extent) {
        self.finder.find(code, text, place);
    }

    pub(super) fn text(&mut self, node: &Node, what: &str) -> String {
        let text: String = match &node.value {
            Value::Text(text) => text.nfc().collect(),
            Value::Int(number) => number.to_string(),
            _ => return self.no_text(node, what),
        };
        let found = match text.chars().count() {
            count if count > LONGEST_TEXT => format!("{count} characters"),
            _ if text.chars().any(char::is_control) => "a control character".to_owned(),
            _ => return text,
        };
        let text = format!(
            "{what} must be a one-line string of at most {LONGEST_TEXT} characters, found {found}"
        );
        self.find("value", text, node.extent());
        String::new()
    }

    /// Reports a value that is no text. Returns what the file says, so that one mistake is reported
    /// once.
    fn no_text(&mut self, node: &Node, what: &str) -> String {
        let text = format!("{what} must be a string, found {}", node.shown());
        let quotes = || "put it in quotes".to_owned();
        let (text, help, raw) = match &node.value {
            Value::Bool(flag) => (text, quotes(), flag.to_string()),
            Value::Float(raw) => match node.without_zeros() {
                Some(bare) => (
                    text,
                    format!("write `{bare}`, or {}", quotes()),
                    raw.clone(),
                ),
                None => (text, quotes(), raw.clone()),
            },
            Value::Null if self.finder.is_comment(node.start) => {
                let text = format!("{what} has no value: `#` begins a comment");
                (text, "put the text in quotes".to_owned(), String::new())
            }
            _ => (text, "correct the value".to_owned(), String::new()),
        };
        self.finder
            .find_with("value", text, Some(help), node.extent());
        raw
    }

    /// Reads an id of something else in the map. Returns `None` if the value is no text, which is
    /// reported.
    pub(super) fn id_of(&mut self, node: &Node, what: &str) -> Option<String> {
        let is_empty = matches!(&node.value, Value::Text(text) if text.is_empty());
        let id = self.text(node, what);
        (is_empty || !id.is_empty()).then_some(id)
    }

    pub(super) fn id(&mut self, node: &Node, what: &str) -> String {
        let text = self.text(node, &format!("a {what} id"));
        let id = self.seen(&text, node);
        let fits = |c: char| c.is_alphanumeric() || "-_.'".contains(c);
        if id == text && !id.is_empty() && (id.len() > 80 || !id.chars().all(fits)) {
            let text = format!("`{id}` is not a valid {what} id");
            self.find("bad-id", text, node.extent());
        }
        id
    }

    /// Reports characters of an id that can't be seen, and returns the id without them.
    pub(super) fn seen(&mut self, text: &str, node: &Node) -> String {
        let id: String = text.chars().filter(|&c| !is_unseen(c)).collect();
        if id.len() < text.len() {
            let shown = format!("the id `{text}` has a character that can't be seen");
            self.finder
                .find_with("bad-id", shown, unseen(text), node.extent());
        }
        id
    }

    /// Reads a list. If it is empty, its brackets may be missing.
    pub(super) fn list<'a>(&mut self, node: &'a Node, what: &str) -> &'a [Node] {
        if let Value::Null = node.value {
            return &[];
        }
        self.finder.list(node, what)
    }

    fn look(&mut self, node: &Node) -> Look {
        match &node.value {
            Value::Text(text) if text == "land" => Look::Land,
            Value::Text(text) if text == "islands" => Look::Islands,
            Value::Text(text) if text == "discs" => Look::Discs,
            _ => {
                let text = format!(
                    "`look` must be land, islands or discs, found {}",
                    node.shown()
                );
                self.find("value", text, node.extent());
                Look::Land
            }
        }
    }

    fn map(&mut self, root: &Node) -> Option<Draft> {
        let mut draft = Draft {
            mutual: true,
            ..Draft::default()
        };
        let [mut continents, mut groups]: [&[Node]; 2] = [&[]; 2];
        let mut territories: Option<&[Node]> = None;
        for (key, _, value) in self.finder.entries(root, "a map", &KEYS) {
            match key {
                "name" => draft.name = self.text(value, "the name of a map"),
                "about" => draft.about = self.text(value, "`about`"),
                "look" => draft.look = self.look(value),
                "lints" => self.lints(value),
                "data" => draft.data = self.data(value),
                "continents" => continents = self.list(value, "`continents`"),
                "groups" => groups = self.list(value, "`groups`"),
                _ => territories = Some(self.list(value, "`territories`")),
            }
        }
        if draft.name.is_empty() && !self.finder.denied() {
            self.find("missing-key", "missing key `name`", (0, 0));
        }
        let Some(territories) = territories.filter(|list| !list.is_empty()) else {
            if !self.finder.denied() {
                self.find("no-territories", "the map has no territories", (0, 0));
            }
            return None;
        };
        if !(self.finder).fits(territories.len(), continents.len() + groups.len()) {
            return None;
        }
        let mut entries = Vec::new();
        self.groups(continents, true, &mut entries);
        let count = entries.len();
        self.renamed(territories, count > 0)?;
        let by_id: BTreeMap<String, usize> = entries
            .iter()
            .enumerate()
            .map(|(index, entry)| (entry.info.id.clone(), index))
            .collect();
        self.groups(groups, false, &mut entries);
        let read: Vec<_> = territories
            .iter()
            .filter_map(|node| self.territory(node, &by_id))
            .collect();
        let (mut drafts, listed): (Vec<TerritoryDraft>, Vec<BorderLists<'_>>) =
            read.into_iter().unzip();
        let ids = KnownIds::new(&drafts, &entries);
        for (draft, listed) in drafts.iter_mut().zip(listed) {
            self.borders(draft, [listed.borders, listed.one_way], &ids);
            let place = listed.deploys.map(|node| self.place(node, &ids));
            draft.info.deploys = place.flatten();
        }
        self.members(&mut entries, &ids);
        let mut groups = entries.into_iter().map(|it| (it.info, it.place));
        draft.continents = groups.by_ref().take(count).collect();
        draft.groups = groups.collect();
        draft.territories = drafts;
        Some(draft)
    }

    /// Reports the keys that other programs use for ours, each once. Returns `None` if the map
    /// has its borders or continents under such a key alone.
    fn renamed(&mut self, territories: &[Node], has_continents: bool) -> Option<()> {
        let mut found: BTreeMap<&str, (&str, Extent, usize)> = BTreeMap::new();
        let mut own = BTreeSet::new();
        for territory in territories {
            let Value::Map(entries) = &territory.value else {
                continue;
            };
            for (key, value) in entries {
                match &key.value {
                    Value::Text(name) if TERRITORY_KEYS.contains(&name.as_str()) => {
                        own.insert(name.as_str());
                    }
                    Value::Text(name) if !matches!(value.value, Value::Null) => {
                        if let Some(meant) = meant(name, &TERRITORY_KEYS) {
                            let first = (meant, key.extent(), 0);
                            found.entry(name).or_insert(first).2 += 1;
                        }
                    }
                    _ => {}
                }
            }
        }
        let has_borders = own.contains("borders") || own.contains("one_way");
        let mut fits = true;
        for (name, (meant, place, count)) in found {
            let is_lost = match meant {
                "borders" => !has_borders,
                "continent" => has_continents && !own.contains("continent"),
                _ => false,
            };
            fits &= !self.finder.near_key(name, meant, count, is_lost, place);
        }
        fits.then_some(())
    }

    /// Checks the form of the lint levels, which have already been read.
    pub(super) fn lints(&mut self, node: &Node) {
        for (level, _, codes) in self.finder.entries(node, "`lints`", &LEVELS) {
            for code in self.list(codes, &format!("`{level}`")) {
                if !matches!(code.value, Value::Text(_)) {
                    let text =
                        format!("the code of a lint must be a string, found {}", code.kind());
                    self.find("value", text, code.extent());
                }
            }
        }
    }

    /// Reports a missing id, unless it is there and has been reported.
    pub(super) fn missing_id(&mut self, node: &Node, what: &str, place: Extent) {
        let is_empty = |id: &Node| matches!(&id.value, Value::Text(text) if text.is_empty());
        if node.get("id").is_none_or(is_empty) {
            self.find(
                "missing-key",
                format!("missing key `id` in a {what}"),
                place,
            );
        }
    }

    pub(super) fn colour(&mut self, node: &Node) -> Option<String> {
        let text = self.text(node, "a colour");
        let digits = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()));
        if digits.is_none() {
            let text = format!(
                "a colour must be `#` and six hexadecimal digits, found {}",
                node.shown()
            );
            let help = "write the colour in quotes, for example \"#4f7cac\"".to_owned();
            self.finder
                .find_with("value", text, Some(help), node.extent());
        }
        Some(text)
    }

    fn territory<'a>(
        &mut self,
        node: &'a Node,
        continents: &BTreeMap<String, usize>,
    ) -> Option<(TerritoryDraft, BorderLists<'a>)> {
        let mut info = TerritoryInfo::default();
        let mut listed = BorderLists::default();
        let mut place = node.first_key();
        for (key, key_node, value) in self.finder.pairs(node, "a territory") {
            match key {
                "id" => {
                    info.id = self.id(value, "territory");
                    place = value.extent();
                }
                "name" => info.name = self.text(value, "the name of a territory"),
                "continent" => info.continent = self.continent_of(value, continents),
                "at" => info.at = self.position(value),
                "shape" => info.shape = self.shape(value),
                "borders" => listed.borders = self.list(value, "`borders`"),
                "one_way" => listed.one_way = self.list(value, "`one_way`"),
                "each_turn" => {
                    info.each_turn = self.armies(value, "`each_turn`", -MOST_ARMIES);
                }
                "deploys" => listed.deploys = Some(value),
                "strength" => info.strength = self.strength(value),
                "neutral" => info.neutral = self.armies(value, "`neutral`", 1),
                "resets" => info.resets = self.flag(value, "`resets`"),
                _ if matches!(value.value, Value::Null) => {
                    self.finder.valueless("value", key_node);
                }
                "data" if matches!(value.value, Value::Map(_)) => self.no_data_key(key_node),
                other => {
                    let near = suggest::nearest(other, TERRITORY_KEYS);
                    if let Some(near) = near.filter(|_| meant(other, &TERRITORY_KEYS).is_none()) {
                        self.finder
                            .near_key(other, near, 1, false, key_node.extent());
                    }
                    if let Some(datum) = self.datum(value) {
                        info.data.insert(other.to_owned(), datum);
                    }
                }
            }
        }
        if info.id.is_empty() {
            self.missing_id(node, "territory", place);
            return None;
        }
        if info.name.is_empty() {
            info.name.clone_from(&info.id);
        }
        if info.resets && info.neutral == 0 {
            let text = format!("`{}` resets, but has no key `neutral`", info.id);
            self.find("missing-key", text, place);
        }
        Some((TerritoryDraft::new(info, place), listed))
    }

    fn continent_of(&mut self, node: &Node, continents: &BTreeMap<String, usize>) -> Option<Group> {
        if let Value::List(_) = node.value {
            let text = "`continent` must be the id of one continent, found a list";
            self.find("value", text, node.extent());
            return None;
        }
        let id = self.text(node, "`continent`");
        let id = self.seen(&id, node);
        let found = continents.get(&id).map(|&index| Group::from_index(index));
        if found.is_none() && matches!(node.value, Value::Text(_) | Value::Int(_)) {
            self.finder.unknown_continent(
                &id,
                continents.keys().map(String::as_str),
                node.extent(),
            );
        }
        found
    }

    fn position(&mut self, node: &Node) -> Option<(i32, i32)> {
        let pair = if let Value::List(list) = &node.value {
            list.as_slice()
        } else {
            &[]
        };
        let number = |node: &Node| match node.value {
            Value::Int(number) if (-100_000..=100_000).contains(&number) => Some(number as i32),
            _ => None,
        };
        match pair {
            [x, y] if number(x).is_some() && number(y).is_some() => Some((number(x)?, number(y)?)),
            _ => {
                let zeros = pair
                    .iter()
                    .find_map(|node| Some((node, node.without_zeros()?)));
                let (node, found, help) = match zeros {
                    Some((node, bare)) => (
                        node,
                        format!(", found {}", node.shown()),
                        format!("write `{bare}`"),
                    ),
                    None => (
                        node,
                        String::new(),
                        "write `at: [120, 80]`, for example".to_owned(),
                    ),
                };
                let text = format!("`at` must be two integers from -100,000 to 100,000{found}");
                self.finder
                    .find_with("value", text, Some(help), node.extent());
                None
            }
        }
    }

    fn shape(&mut self, node: &Node) -> Vec<Ring> {
        let Value::Text(data) = &node.value else {
            let text = format!(
                "`shape` must be a string of path data, found {}",
                node.kind()
            );
            self.find("shape-data", text, node.extent());
            return Vec::new();
        };
        match shape::read(data) {
            Ok(rings) => rings,
            Err(flaw) => {
                let code = if flaw.open {
                    "shape-open"
                } else {
                    "shape-data"
                };
                let near = data.chars().skip(flaw.at.saturating_sub(8));
                let near: String = near.take(24).collect();
                let text = format!("{} (byte {} of the shape: `{near}`)", flaw.text, flaw.at);
                self.find(code, text, node.extent());
                Vec::new()
            }
        }
    }

    /// Reads a mapping for scripts.
    pub(super) fn data(&mut self, node: &Node) -> BTreeMap<String, Datum> {
        let mut data = BTreeMap::new();
        for (key, key_node, value) in self.finder.pairs(node, "data") {
            if let Value::Null = value.value {
                self.finder.valueless("value", key_node);
            } else if let Some(datum) = self.datum(value) {
                data.insert(key.to_owned(), datum);
            }
        }
        data
    }

    /// Reports a key `data` where the entry itself has the keys.
    pub(super) fn no_data_key(&mut self, key: &Node) {
        let text = "write the keys of `data` beside the other keys: `rich: true`";
        self.find("value", text, key.extent());
    }

    pub(super) fn datum(&mut self, node: &Node) -> Option<Datum> {
        match &node.value {
            Value::Bool(flag) => Some(Datum::Bool(*flag)),
            Value::Int(number) => Some(Datum::Number(*number)),
            Value::Text(text) => Some(Datum::Text(text.clone())),
            Value::List(list) => list
                .iter()
                .map(|item| self.datum(item))
                .collect::<Option<_>>()
                .map(Datum::List),
            Value::Map(_) => Some(Datum::Map(self.data(node))),
            Value::Null | Value::Float(_) => {
                let text = format!(
                    "data must be true, false, an integer, a string, a list or a mapping, \
                     found {}",
                    node.kind()
                );
                self.find("value", text, node.extent());
                None
            }
        }
    }
}
