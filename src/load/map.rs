//! Maps in YAML: from text with places to a board, with every check on the way.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::{connected_components, kosaraju_scc};
use petgraph::unionfind::UnionFind;

use super::diag::{Finding, Level, TextFile};
use super::lint::{self, Levels};
use super::yaml::{self, Node, Value};
use crate::kernel::board::{Board, ContinentInfo, Datum, TerritoryInfo};
use crate::kernel::id::{Continent, Territory};
use crate::suggest;

const MOST_TERRITORIES: usize = 10_000;
const MOST_CONTINENTS: usize = 1_000;
const KEYS: [&str; 4] = ["name", "about", "continents", "territories"];
const CONTINENT_KEYS: [&str; 4] = ["id", "name", "bonus", "colour"];
const TERRITORY_KEYS: [&str; 6] = ["id", "name", "continent", "at", "borders", "one_way"];

/// A map that was checked.
#[derive(Debug)]
pub struct Checked {
    /// The board, when nothing was denied.
    pub board: Option<Board>,
    /// Everything that was found, in the order of the file.
    pub findings: Vec<Finding>,
}

/// Checks a map.
#[must_use]
pub fn check(file: &TextFile, levels: &Levels) -> Checked {
    let parsed = yaml::parse(file);
    let mut checker = Checker { file, levels, findings: Vec::new() };
    let board = match &parsed {
        Ok(root) => checker.map(root),
        Err(finding) => {
            checker.findings.push(finding.clone());
            None
        }
    };
    let mut findings = checker.findings;
    findings.sort_by_key(|finding| finding.place.as_ref().map_or(0, |place| place.start));
    let denied = findings.iter().any(|finding| finding.level == Level::Deny);
    Checked { board: board.filter(|_| !denied), findings }
}

struct Checker<'a> {
    file: &'a TextFile,
    levels: &'a Levels,
    findings: Vec<Finding>,
}

struct TerritoryDraft<'a> {
    info: TerritoryInfo,
    node: (usize, usize),
    borders: &'a [Node],
    one_way: &'a [Node],
}

impl<'a> Checker<'a> {
    fn find(&mut self, code: &str, text: String, node: (usize, usize)) {
        self.find_with(code, text, None, node);
    }

    fn find_with(&mut self, code: &str, text: String, help: Option<String>, (start, len): (usize, usize)) {
        let lint = lint::find(code).expect("every code that is found is a lint");
        let level = self.levels.of(lint);
        if level == Level::Allow {
            return;
        }
        let help = help.unwrap_or_else(|| lint.help.to_owned());
        let finding = Finding { level, ..Finding::error(&format!("map::{code}"), text).help(help) };
        self.findings.push(finding.at(self.file, start, len));
    }

    /// The entries of a map, those with unknown keys left out.
    fn entries(
        &mut self,
        node: &'a Node,
        what: &str,
        known: &[&str],
        extra: bool,
    ) -> Vec<(&'a str, &'a Node, &'a Node)> {
        let Value::Map(entries) = &node.value else {
            self.find(
                "value",
                format!("{what} must have the keys {}, and this is {}", known.join(", "), node.kind()),
                span(node),
            );
            return Vec::new();
        };
        let mut found = Vec::new();
        for (key, value) in entries {
            let Value::Text(name) = &key.value else {
                self.find("value", format!("a key of {what} must be a word, not {}", key.kind()), span(key));
                continue;
            };
            if extra || known.contains(&name.as_str()) {
                found.push((name.as_str(), key, value));
            } else {
                let help = suggest::help(name, known.iter().copied());
                self.find_with("unknown-key", format!("{what} has no key `{name}`"), Some(help), span(key));
            }
        }
        found
    }

    fn text(&mut self, node: &Node, what: &str) -> String {
        let text = match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Int(number) => Some(number.to_string()),
            _ => None,
        };
        match text.filter(|text| text.chars().count() <= 200 && !text.chars().any(char::is_control)) {
            Some(text) => text,
            None => {
                self.find("value", format!("{what} must be a text of at most 200 characters in one line"), span(node));
                String::new()
            }
        }
    }

    fn id(&mut self, node: &Node, what: &str) -> String {
        let id = self.text(node, what);
        let fits = |c: char| c.is_alphanumeric() || "-_.'".contains(c);
        if !id.is_empty() && (id.len() > 80 || !id.chars().all(fits)) {
            self.find("bad-id", format!("`{id}` can't be {what}"), span(node));
        }
        id
    }

    fn list(&mut self, node: &'a Node, what: &str) -> &'a [Node] {
        match &node.value {
            Value::List(list) => list,
            Value::Null => &[],
            _ => {
                self.find("value", format!("{what} must be a list, not {}", node.kind()), span(node));
                &[]
            }
        }
    }

    fn map(&mut self, root: &'a Node) -> Option<Board> {
        let (mut name, mut about) = (String::new(), String::new());
        let (mut continents, mut territories): (&[Node], Option<&[Node]>) = (&[], None);
        for (key, _, value) in self.entries(root, "a map file", &KEYS, false) {
            match key {
                "name" => name = self.text(value, "the name of a map"),
                "about" => about = self.text(value, "`about`"),
                "continents" => continents = self.list(value, "`continents`"),
                _ => territories = Some(self.list(value, "`territories`")),
            }
        }
        if name.is_empty() && !self.denied() {
            self.find("missing-key", "the map has no `name`".to_owned(), (0, 0));
        }
        let Some(territories) = territories.filter(|list| !list.is_empty()) else {
            if !self.denied() {
                self.find("no-territories", "the map has no territories".to_owned(), (0, 0));
            }
            return None;
        };
        if territories.len() > MOST_TERRITORIES || continents.len() > MOST_CONTINENTS {
            let text = format!("the map has {} territories and {} continents", territories.len(), continents.len());
            self.find("too-many-territories", text, (0, 0));
            return None;
        }
        if continents.is_empty() {
            self.find("no-continents", "the map has no continents".to_owned(), (0, 0));
        }
        let continents = self.continents(continents);
        let drafts = self.territories(territories, &continents);
        let borders = self.borders(&drafts);
        if self.denied() {
            return None;
        }
        let places: Vec<(usize, usize)> = drafts.iter().map(|draft| draft.node).collect();
        let infos = drafts.into_iter().map(|draft| draft.info).collect();
        let nodes: Vec<(usize, usize)> = continents.iter().map(|(_, node)| *node).collect();
        let infos_of_continents = continents.into_iter().map(|(info, _)| info).collect();
        let board = Board::new(name, about, infos, infos_of_continents, &borders);
        self.graph(&board, &places, &nodes);
        Some(board)
    }

    fn denied(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Deny)
    }

    fn continents(&mut self, nodes: &'a [Node]) -> Vec<(ContinentInfo, (usize, usize))> {
        let mut all: Vec<(ContinentInfo, (usize, usize))> = Vec::new();
        for node in nodes {
            let mut info = ContinentInfo::default();
            let (mut place, mut bonus) = (first_of(node), None);
            for (key, _, value) in self.entries(node, "a continent", &CONTINENT_KEYS, false) {
                match key {
                    "id" => {
                        info.id = self.id(value, "the id of a continent");
                        place = span(value);
                    }
                    "name" => info.name = self.text(value, "the name of a continent"),
                    "colour" => info.colour = self.colour(value),
                    _ => bonus = Some(value),
                }
            }
            if info.id.is_empty() {
                self.find("missing-key", "a continent has no `id`".to_owned(), place);
                continue;
            }
            if info.name.is_empty() {
                info.name.clone_from(&info.id);
            }
            info.bonus = self.bonus(bonus, &info.id, place);
            if info.colour.is_none() {
                self.find("missing-colour", format!("the continent `{}` has no colour", info.id), place);
            }
            if all.iter().any(|(other, _)| other.id == info.id) {
                self.find("duplicate-continent", format!("there is a continent `{}` already", info.id), place);
                continue;
            }
            all.push((info, place));
        }
        all
    }

    fn bonus(&mut self, node: Option<&Node>, id: &str, place: (usize, usize)) -> i32 {
        match node.map(|node| (&node.value, span(node))) {
            None => self.find("missing-key", format!("the continent `{id}` has no `bonus`"), place),
            Some((&Value::Int(bonus), place)) if (-1_000..=1_000).contains(&bonus) => {
                if bonus <= 0 {
                    self.find("zero-bonus", format!("the bonus of `{id}` is {bonus}"), place);
                }
                return bonus as i32;
            }
            Some((Value::Int(_), place)) => {
                self.find("value", format!("the bonus of `{id}` must be from -1000 to 1000"), place);
            }
            Some((_, place)) => {
                self.find("bonus-not-number", format!("the bonus of `{id}` is not a whole number"), place)
            }
        }
        0
    }

    fn colour(&mut self, node: &Node) -> Option<String> {
        let text = self.text(node, "a colour");
        let digits =
            text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()));
        if digits.is_none() {
            self.find(
                "value",
                "a colour is \"#\" and six hexadecimal digits, \"#4f7cac\" say, in quotes".to_owned(),
                span(node),
            );
        }
        Some(text)
    }

    fn territories(
        &mut self,
        nodes: &'a [Node],
        continents: &[(ContinentInfo, (usize, usize))],
    ) -> Vec<TerritoryDraft<'a>> {
        let by_id: BTreeMap<&str, usize> =
            continents.iter().enumerate().map(|(index, (info, _))| (info.id.as_str(), index)).collect();
        let (mut ids, mut names, mut seen) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut drafts = Vec::with_capacity(nodes.len());
        for node in nodes {
            let Some(draft) = self.territory(node, &by_id) else { continue };
            let info = &draft.info;
            if !ids.insert(info.id.clone()) {
                self.find("duplicate-territory", format!("there is a territory `{}` already", info.id), draft.node);
            } else if !names.insert(info.name.clone()) {
                self.find(
                    "duplicate-territory-name",
                    format!("there is a territory named {} already", info.name),
                    draft.node,
                );
            }
            if info.continent.is_none() && !continents.is_empty() && !self.denied() {
                self.find("territory-without-continent", format!("`{}` is in no continent", info.id), draft.node);
            }
            if info.at.is_some_and(|at| !seen.insert(at)) {
                self.find(
                    "shared-coordinates",
                    format!("another territory is drawn at the place of `{}`", info.id),
                    draft.node,
                );
            }
            drafts.push(draft);
        }
        if !seen.is_empty() {
            let missing: Vec<_> = drafts
                .iter()
                .filter(|draft| draft.info.at.is_none())
                .map(|draft| (draft.info.id.clone(), draft.node))
                .collect();
            for (id, node) in missing {
                self.find("missing-coordinates", format!("`{id}` has no position, and others have"), node);
            }
        }
        drafts
    }

    fn territory(&mut self, node: &'a Node, continents: &BTreeMap<&str, usize>) -> Option<TerritoryDraft<'a>> {
        let mut info = TerritoryInfo::default();
        let (mut borders, mut one_way): (&[Node], &[Node]) = (&[], &[]);
        let mut place = first_of(node);
        for (key, key_node, value) in self.entries(node, "a territory", &TERRITORY_KEYS, true) {
            match key {
                "id" => {
                    info.id = self.id(value, "the id of a territory");
                    place = span(value);
                }
                "name" => info.name = self.text(value, "the name of a territory"),
                "continent" => info.continent = self.continent_of(value, continents),
                "at" => info.at = self.position(value),
                "borders" => borders = self.list(value, "`borders`"),
                "one_way" => one_way = self.list(value, "`one_way`"),
                other => {
                    if let Some(near) = suggest::nearest(other, TERRITORY_KEYS) {
                        let help = format!("did you mean `{near}`? Otherwise choose a name that is less alike");
                        self.find_with(
                            "near-key",
                            format!("`{other}` is kept as data for scripts"),
                            Some(help),
                            span(key_node),
                        );
                    }
                    if let Some(datum) = self.datum(value) {
                        info.data.insert(other.to_owned(), datum);
                    }
                }
            }
        }
        if info.id.is_empty() {
            self.find("missing-key", "a territory has no `id`".to_owned(), place);
            return None;
        }
        if info.name.is_empty() {
            info.name.clone_from(&info.id);
        }
        Some(TerritoryDraft { info, node: place, borders, one_way })
    }

    fn continent_of(&mut self, node: &Node, continents: &BTreeMap<&str, usize>) -> Option<Continent> {
        if let Value::List(_) = node.value {
            self.find("value", "a territory is in one continent, so `continent` is one id".to_owned(), span(node));
            return None;
        }
        let id = self.text(node, "`continent`");
        let found = continents.get(id.as_str()).map(|&index| Continent::from_index(index));
        let said =
            continents.is_empty() && self.findings.iter().any(|finding| finding.code == "map::unknown-continent");
        // Where no continent is declared, saying so once is enough.
        if found.is_none() && !said {
            let help = suggest::help(&id, continents.keys().copied());
            self.find_with("unknown-continent", format!("there is no continent `{id}`"), Some(help), span(node));
        }
        found
    }

    fn position(&mut self, node: &Node) -> Option<(i32, i32)> {
        let pair = if let Value::List(list) = &node.value { list.as_slice() } else { &[] };
        let number = |node: &Node| match node.value {
            Value::Int(number) if (-100_000..=100_000).contains(&number) => Some(number as i32),
            _ => None,
        };
        match pair {
            [x, y] if number(x).is_some() && number(y).is_some() => Some((number(x)?, number(y)?)),
            _ => {
                self.find("value", "`at` must be two whole numbers, [120, 80] say".to_owned(), span(node));
                None
            }
        }
    }

    fn datum(&mut self, node: &Node) -> Option<Datum> {
        match &node.value {
            Value::Bool(flag) => Some(Datum::Bool(*flag)),
            Value::Int(number) => Some(Datum::Number(*number)),
            Value::Text(text) => Some(Datum::Text(text.clone())),
            Value::List(list) => list.iter().map(|item| self.datum(item)).collect::<Option<_>>().map(Datum::List),
            Value::Null | Value::Float | Value::Map(_) => {
                let text = format!(
                    "data of a territory is a text, a whole number, true or false, or a list, not {}",
                    node.kind()
                );
                self.find("value", text, span(node));
                None
            }
        }
    }

    /// All directed borders, each once, in the order of the file.
    fn borders(&mut self, drafts: &[TerritoryDraft<'_>]) -> Vec<(Territory, Territory)> {
        let ids: BTreeMap<&str, usize> =
            drafts.iter().enumerate().map(|(index, draft)| (draft.info.id.as_str(), index)).collect();
        let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut all = Vec::new();
        let mut add = |from: usize, to: usize, all: &mut Vec<(Territory, Territory)>| {
            if found.insert((from, to)) {
                all.push((Territory::from_index(from), Territory::from_index(to)));
            }
        };
        for (from, draft) in drafts.iter().enumerate() {
            for to in self.targets(draft, draft.borders, &ids, from) {
                add(from, to, &mut all);
            }
        }
        // Both ends have the border; each keeps the order of its own list.
        for (from, to) in all.clone() {
            add(to.index(), from.index(), &mut all);
        }
        for (from, draft) in drafts.iter().enumerate() {
            for to in self.targets(draft, draft.one_way, &ids, from) {
                let text = format!("the border from `{}` to `{}` is one-way", draft.info.id, drafts[to].info.id);
                self.find("one-way-border", text, draft.node);
                add(from, to, &mut all);
            }
        }
        all
    }

    fn targets(
        &mut self,
        draft: &TerritoryDraft<'_>,
        nodes: &[Node],
        ids: &BTreeMap<&str, usize>,
        from: usize,
    ) -> Vec<usize> {
        let mut targets = Vec::new();
        for node in nodes {
            let id = self.text(node, "a border");
            match ids.get(id.as_str()) {
                Some(&to) if to == from => self.find("self-loop", format!("`{id}` borders itself"), span(node)),
                Some(&to) if targets.contains(&to) => {
                    self.find(
                        "duplicate-border",
                        format!("`{}` lists the border to `{id}` twice", draft.info.id),
                        span(node),
                    );
                }
                Some(&to) => targets.push(to),
                None if id.is_empty() => {}
                None => {
                    let help = suggest::nearest(&id, ids.keys().copied()).map(|near| format!("did you mean `{near}`?"));
                    self.find_with(
                        "border-unknown-id",
                        format!("`{}` borders `{id}`, which is no territory", draft.info.id),
                        help,
                        span(node),
                    );
                }
            }
        }
        targets
    }

    /// What only the whole graph shows.
    fn graph(&mut self, board: &Board, places: &[(usize, usize)], continents: &[(usize, usize)]) {
        if board.len() == 1 {
            self.find("single-territory", "the map has one territory alone".to_owned(), places[0]);
        }
        for at in board.territories() {
            let alone = board.neighbours(at).is_empty() && board.territories().all(|from| !board.borders(from, at));
            if alone && board.len() > 1 {
                self.find(
                    "territory-without-borders",
                    format!("`{}` has no borders", board.info(at).id),
                    places[at.index()],
                );
            }
        }
        if connected_components(board.graph()) > 1 {
            let part = part_of(board, &board.territories().collect::<Vec<_>>());
            let text = format!(
                "the map falls into parts: {} can't be reached from {}",
                name_list(board, &part),
                board.info(Territory(0)).id
            );
            let place = part.first().map_or((0, 0), |at| places[at.index()]);
            self.find("disconnected-map", text, place);
        } else if kosaraju_scc(board.graph()).len() > 1 {
            let text = "because of one-way borders some territories can't be reached from all others".to_owned();
            self.find("not-strongly-connected", text, (0, 0));
        }
        for (index, info) in board.continents().iter().enumerate() {
            let members = board.members(Continent::from_index(index));
            if members.is_empty() {
                self.find(
                    "empty-continent",
                    format!("the continent `{}` has no territories", info.id),
                    continents[index],
                );
                continue;
            }
            let part = part_of(board, members);
            if !part.is_empty() {
                let first = &board.info(members[0]).id;
                let text = format!(
                    "the continent `{}` falls into parts: {} can't be reached from {first} inside it",
                    info.id,
                    name_list(board, &part)
                );
                self.find("disconnected-continent", text, continents[index]);
            }
        }
    }
}

fn span(node: &Node) -> (usize, usize) {
    (node.start, node.len)
}

/// A place for a whole map node: its first key.
fn first_of(node: &Node) -> (usize, usize) {
    match &node.value {
        Value::Map(entries) => entries.first().map_or(span(node), |(key, _)| span(key)),
        _ => span(node),
    }
}

/// Those of the members that can't be reached from the first one inside the members.
fn part_of(board: &Board, members: &[Territory]) -> Vec<Territory> {
    let inside: BTreeSet<Territory> = members.iter().copied().collect();
    let mut sets = UnionFind::<usize>::new(board.len());
    for &from in members {
        for to in board.neighbours(from).iter().filter(|to| inside.contains(to)) {
            sets.union(from.index(), to.index());
        }
    }
    members.iter().copied().filter(|at| !sets.equiv(at.index(), members[0].index())).collect()
}

fn name_list(board: &Board, part: &[Territory]) -> String {
    let mut names: Vec<&str> = part.iter().take(4).map(|&at| board.info(at).id.as_str()).collect();
    let more = format!("{} more", part.len().saturating_sub(4));
    if part.len() > 4 {
        names.push(&more);
    }
    names.join(", ")
}
