//! What every form of map is read into, and the checks that do not depend on the form.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::kosaraju_scc;
use petgraph::unionfind::UnionFind;

use super::{Borders, shape_lints};
use crate::kernel::board::{Board, ContinentInfo, TerritoryInfo};
use crate::kernel::id::{Continent, Territory};
use crate::load::diag::{Finding, Level, TextFile};
use crate::load::lint::{self, Levels};
use crate::text::suggest;

const MOST_TERRITORIES: usize = 10_000;
const MOST_CONTINENTS: usize = 1_000;
const MOST_BORDERS: usize = 250_000;
/// The largest bonus, and the largest that is no reason to ask.
const MOST_BONUS: i64 = 1_000_000;
const USUAL_BONUS: i64 = 1_000;
/// The most findings that are kept of one file.
const MOST_FINDINGS: usize = 5_000;
/// For how many names of a file a similar one is looked for, which takes as long as
/// there are names.
const MOST_SEARCHES: usize = 100;

/// Where something stands: the first byte, and how many.
pub(super) type Extent = (usize, usize);

/// A map as its file gives it, with every name looked up.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) continents: Vec<(ContinentInfo, Extent)>,
    pub(super) territories: Vec<TerritoryDraft>,
    /// Is a border that is listed at one end two-way?
    pub(super) mutual: bool,
}

/// A territory of a draft.
#[derive(Debug)]
pub(super) struct TerritoryDraft {
    pub(super) info: TerritoryInfo,
    pub(super) place: Extent,
    /// Borders as listed: the index of the other territory, and where it is named.
    pub(super) borders: Vec<(usize, Extent)>,
    /// Those that are said to be one-way.
    pub(super) one_way: Vec<(usize, Extent)>,
}

impl TerritoryDraft {
    pub(super) const fn new(info: TerritoryInfo, place: Extent) -> Self {
        Self {
            info,
            place,
            borders: Vec::new(),
            one_way: Vec::new(),
        }
    }
}

/// Gathers findings about a file.
pub(super) struct Diagnostics<'a> {
    file: &'a TextFile,
    levels: Levels,
    findings: Vec<Finding>,
    /// How many were not kept, and whether an error is among them.
    more: usize,
    denied: bool,
    /// For how many names more a similar one is looked for.
    searches: usize,
}

impl<'a> Diagnostics<'a> {
    pub(super) const fn new(file: &'a TextFile, levels: Levels) -> Self {
        Self {
            file,
            levels,
            findings: Vec::new(),
            more: 0,
            denied: false,
            searches: MOST_SEARCHES,
        }
    }

    pub(super) fn find(&mut self, code: &str, text: String, place: Extent) {
        self.find_with(code, text, None, place);
    }

    pub(super) fn find_with(
        &mut self,
        code: &str,
        text: String,
        help: Option<String>,
        (start, len): Extent,
    ) {
        let lint = lint::find(code).expect("every code that is found is a lint");
        let level = self.levels.of(lint);
        if level == Level::Allow {
            return;
        }
        self.denied |= level == Level::Deny;
        if self.findings.len() == MOST_FINDINGS {
            self.more += 1;
            return;
        }
        let help = help.unwrap_or_else(|| lint.help.to_owned());
        let finding = Finding {
            level,
            ..Finding::error(&format!("map::{code}"), text).help(help)
        };
        self.findings.push(finding.at(self.file, start, len));
    }

    /// Refuses the whole file, with no word of it: it may be anything.
    pub(super) fn refuse(&mut self, code: &str, text: String) {
        let help = lint::find(code)
            .expect("every code that is found is a lint")
            .help;
        self.push(Finding::error(&format!("map::{code}"), text).help(help));
    }

    /// A finding that was made already.
    pub(super) fn push(&mut self, finding: Finding) {
        self.denied |= finding.level == Level::Deny;
        self.findings.push(finding);
    }

    /// The levels that the file itself asks for; those of the command line go before.
    pub(super) fn file_levels(&mut self, levels: Vec<(String, Extent, Result<Level, String>)>) {
        for (code, place, level) in levels {
            if let Err(text) = level.and_then(|level| self.levels.ask(&code, level)) {
                let help = "`risk-cli map lints` lists the codes".to_owned();
                self.find_with("value", text, Some(help), place);
            }
        }
    }

    pub(super) const fn denied(&self) -> bool {
        self.denied
    }

    /// Is the map small enough?
    pub(super) fn fits(&mut self, territories: usize, continents: usize) -> bool {
        let mut fits = true;
        for (count, most, what) in [
            (territories, MOST_TERRITORIES, "territories"),
            (continents, MOST_CONTINENTS, "continents"),
        ] {
            if count > most {
                self.find(
                    "too-many-territories",
                    format!("the map has {count} {what}, and {most} are the most"),
                    (0, 0),
                );
                fits = false;
            }
        }
        fits
    }

    /// A bonus within its range.
    pub(super) fn bonus(&mut self, bonus: i64, id: &str, place: Extent) -> i32 {
        if !(-MOST_BONUS..=MOST_BONUS).contains(&bonus) {
            let text = format!(
                "the bonus of `{id}` is {bonus}, and it must be from -{MOST_BONUS} to {MOST_BONUS}"
            );
            self.find("bonus-too-large", text, place);
            return 0;
        }
        if !(-USUAL_BONUS..=USUAL_BONUS).contains(&bonus) {
            self.find(
                "bonus-unusual",
                format!("the bonus of `{id}` is {bonus}"),
                place,
            );
        }
        if bonus <= 0 {
            self.find(
                "zero-bonus",
                format!("the bonus of `{id}` is {bonus}"),
                place,
            );
        }
        bonus as i32
    }

    /// A name that people see is short and in one line.
    pub(super) fn readable(&mut self, text: &str, place: Extent) -> String {
        if text.chars().count() > 200 || text.chars().any(char::is_control) {
            self.find(
                "value",
                "a name has at most 200 characters in one line".to_owned(),
                place,
            );
            return String::new();
        }
        text.to_owned()
    }

    /// A name that was not found, with what it could have meant.
    pub(super) fn unknown<'n>(
        &mut self,
        code: &str,
        text: String,
        name: &str,
        known: impl Iterator<Item = &'n str>,
        place: Extent,
    ) {
        let mut help = None;
        if self.searches > 0 {
            self.searches -= 1;
            let known: Vec<&str> = known.collect();
            let few = (1..20).contains(&known.len());
            let near = suggest::nearest(name, known.iter().copied())
                .map(|near| format!("did you mean `{near}`?"));
            help = near.or_else(|| few.then(|| suggest::help(name, known)));
        }
        self.find_with(code, text, help, place);
    }

    /// A continent that is not declared. Where none is declared, saying so once is enough.
    pub(super) fn unknown_continent<'n>(
        &mut self,
        id: &str,
        known: impl Iterator<Item = &'n str>,
        place: Extent,
    ) {
        let mut known = known.peekable();
        let none = known.peek().is_none();
        if !(none
            && self
                .findings
                .iter()
                .any(|finding| finding.code == "map::unknown-continent"))
        {
            self.unknown(
                "unknown-continent",
                format!("there is no continent `{id}`"),
                id,
                known,
                place,
            );
        }
    }

    /// Everything that was found, in the order of the file.
    pub(super) fn finish(mut self) -> (Vec<Finding>, bool) {
        self.findings
            .sort_by_key(|finding| finding.place.as_ref().map_or(0, |place| place.start));
        if self.more > 0 {
            let text = format!("{} more findings are not listed", self.more);
            let finding = Finding::error("map::more", text).help("fix those that are listed first");
            self.findings.push(Finding {
                level: if self.denied {
                    Level::Deny
                } else {
                    Level::Warn
                },
                ..finding
            });
        }
        (self.findings, self.denied)
    }
}

/// The board of a draft; nothing if there can be none.
pub(super) fn board(draft: Draft, taken: Borders, finder: &mut Diagnostics<'_>) -> Option<Board> {
    if draft.continents.is_empty() && draft.mutual {
        finder.find(
            "no-continents",
            "the map has no continents".to_owned(),
            (0, 0),
        );
    }
    territories(&draft, finder);
    let listed: usize = draft
        .territories
        .iter()
        .map(|draft| draft.borders.len() + draft.one_way.len())
        .sum();
    if listed > MOST_BORDERS {
        finder.find(
            "too-many-borders",
            format!("the map lists {listed} borders, and {MOST_BORDERS} are the most"),
            (0, 0),
        );
        return None;
    }
    let borders = borders(&draft, taken, finder);
    if finder
        .findings
        .iter()
        .any(|finding| finding.level == Level::Deny && is_hard(finding))
    {
        return None;
    }
    shape_lints::corners(&draft, finder);
    let places: Vec<Extent> = draft.territories.iter().map(|draft| draft.place).collect();
    let infos = draft
        .territories
        .into_iter()
        .map(|draft| draft.info)
        .collect();
    let (continents, continent_places): (Vec<_>, Vec<_>) = draft.continents.into_iter().unzip();
    let board = Board::new(draft.name, draft.about, infos, continents, &borders);
    graph(&board, &places, &continent_places, finder);
    if finder.levels.is_close() {
        shape_lints::shores(&board, &places, finder);
    }
    Some(board)
}

/// Is there no board with such a finding?
fn is_hard(finding: &Finding) -> bool {
    let code = finding.code.trim_start_matches("map::");
    lint::find(code).is_none_or(|lint| lint.hard)
}

fn territories(draft: &Draft, finder: &mut Diagnostics<'_>) {
    let mut ids = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut seen = BTreeMap::new();
    for draft_of in &draft.territories {
        let info = &draft_of.info;
        let place = draft_of.place;
        if !ids.insert(info.id.as_str()) {
            finder.find(
                "duplicate-territory",
                format!("there is a territory `{}` already", info.id),
                place,
            );
        } else if !names.insert(info.name.as_str()) {
            let text = format!("there is a territory named {} already", info.name);
            finder.find("duplicate-territory-name", text, place);
        }
        if info.continent.is_none() && !draft.continents.is_empty() && !finder.denied() {
            finder.find(
                "territory-without-continent",
                format!("`{}` is in no continent", info.id),
                place,
            );
        }
        if let Some(at) = info.at {
            *seen.entry(at).or_insert(0) += 1;
        }
    }
    let placed: usize = seen.values().sum();
    if placed > 2 && seen.len() == 1 {
        let text = "all territories are drawn at the same place".to_owned();
        finder.find("dummy-coordinates", text, draft.territories[0].place);
    }
    for draft_of in &draft.territories {
        let id = &draft_of.info.id;
        let place = draft_of.place;
        match draft_of.info.at {
            None if placed > 0 || !draft.mutual => {
                finder.find(
                    "missing-coordinates",
                    format!("`{id}` has no position"),
                    place,
                );
            }
            // The first that stands there is in its place.
            Some(at) if seen.len() > 1 && seen.insert(at, 0) == Some(0) => {
                let text = format!("another territory is drawn at the place of `{id}`");
                finder.find("shared-coordinates", text, place);
            }
            _ => {}
        }
    }
}

/// All directed borders, each once. A territory's list has its two-way borders first, in the order
/// of the file.
fn borders(
    draft: &Draft,
    taken: Borders,
    finder: &mut Diagnostics<'_>,
) -> Vec<(Territory, Territory)> {
    let all = &draft.territories;
    let mutual = draft.mutual || taken == Borders::TwoWay;
    let listed: Vec<Vec<(usize, Extent)>> = (0..all.len())
        .map(|from| once(from, &all[from].borders, all, finder))
        .collect();
    let directed: BTreeSet<(usize, usize)> = listed
        .iter()
        .enumerate()
        .flat_map(|(from, list)| list.iter().map(move |&(to, _)| (from, to)))
        .collect();
    let mut found = BTreeSet::new();
    let mut edges = Vec::new();
    let mut add = |from: usize, to: usize| {
        if found.insert((from, to)) {
            edges.push((Territory::from_index(from), Territory::from_index(to)));
        }
    };
    let mut one_way = Vec::new();
    for (from, list) in listed.iter().enumerate() {
        for &(to, place) in list {
            if mutual || directed.contains(&(to, from)) {
                add(from, to);
            } else {
                one_way.push((from, to, place));
            }
        }
    }
    if mutual {
        for &(from, to) in &directed_in_order(&listed) {
            add(to, from);
        }
    }
    for from in 0..all.len() {
        let targets = once(from, &all[from].one_way, all, finder);
        one_way.extend(targets.into_iter().map(|(to, place)| (from, to, place)));
    }
    for (from, to, place) in one_way {
        if taken == Borders::TwoWay {
            add(from, to);
            add(to, from);
            continue;
        }
        let text = format!(
            "the border from `{}` to `{}` is one-way",
            all[from].info.id, all[to].info.id
        );
        finder.find("one-way-border", text, place);
        add(from, to);
    }
    edges
}

fn directed_in_order(listed: &[Vec<(usize, Extent)>]) -> Vec<(usize, usize)> {
    listed
        .iter()
        .enumerate()
        .flat_map(|(from, list)| list.iter().map(move |&(to, _)| (from, to)))
        .collect()
}

/// The borders of a list, each once.
fn once(
    from: usize,
    list: &[(usize, Extent)],
    all: &[TerritoryDraft],
    finder: &mut Diagnostics<'_>,
) -> Vec<(usize, Extent)> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::with_capacity(list.len());
    for &(to, place) in list {
        let id = &all[from].info.id;
        let other = &all[to].info.id;
        if !seen.insert(to) {
            finder.find(
                "duplicate-border",
                format!("`{id}` lists the border to `{other}` twice"),
                place,
            );
        } else if to == from {
            finder.find("self-loop", format!("`{id}` borders itself"), place);
        } else {
            kept.push((to, place));
        }
    }
    kept
}

/// What only the whole graph shows.
fn graph(board: &Board, places: &[Extent], continents: &[Extent], finder: &mut Diagnostics<'_>) {
    if board.len() == 1 {
        finder.find(
            "single-territory",
            "the map has one territory alone".to_owned(),
            places[0],
        );
    }
    for at in board.territories() {
        let alone = board.neighbours(at).is_empty() && board.sources(at).is_empty();
        if alone && board.len() > 1 {
            finder.find(
                "territory-without-borders",
                format!("`{}` has no borders", board.info(at).id),
                places[at.index()],
            );
        }
    }
    let parts = parts_of(board, &board.territories().collect::<Vec<_>>());
    for part in parts.iter().skip(1) {
        let names = name_list(board, part);
        let first = &board.info(Territory(0)).id;
        let text = format!("the map falls into parts: {names} can't be reached from {first}");
        finder.find("disconnected-map", text, places[part[0].index()]);
    }
    if parts.len() == 1 && kosaraju_scc(board.graph()).len() > 1 {
        let text = "because of one-way borders some territories can't be reached from all others"
            .to_owned();
        finder.find("not-strongly-connected", text, (0, 0));
    }
    for (index, info) in board.continents().iter().enumerate() {
        let members = board.members(Continent::from_index(index));
        if members.is_empty() {
            finder.find(
                "empty-continent",
                format!("the continent `{}` has no territories", info.id),
                continents[index],
            );
            continue;
        }
        let parts = parts_of(board, members);
        if parts.len() > 1 {
            let id = &info.id;
            let first = &board.info(members[0]).id;
            let names = name_list(board, &parts[1..].concat());
            let text = format!(
                "the continent `{id}` falls into parts: {names} can't be reached from {first} \
                 inside it"
            );
            finder.find("disconnected-continent", text, continents[index]);
        }
    }
}

/// The parts that members fall into when one may only go through members, ignoring direction.
fn parts_of(board: &Board, members: &[Territory]) -> Vec<Vec<Territory>> {
    let inside: BTreeSet<Territory> = members.iter().copied().collect();
    let mut sets = UnionFind::<usize>::new(board.len());
    for &from in members {
        for to in board
            .neighbours(from)
            .iter()
            .filter(|to| inside.contains(to))
        {
            sets.union(from.index(), to.index());
        }
    }
    let (mut parts, mut of): (Vec<Vec<Territory>>, BTreeMap<usize, usize>) =
        (Vec::new(), BTreeMap::new());
    for &at in members {
        let part = *of.entry(sets.find(at.index())).or_insert(parts.len());
        match parts.get_mut(part) {
            Some(part) => part.push(at),
            None => parts.push(vec![at]),
        }
    }
    parts
}

fn name_list(board: &Board, part: &[Territory]) -> String {
    let mut names: Vec<&str> = part
        .iter()
        .take(4)
        .map(|&at| board.info(at).id.as_str())
        .collect();
    let more = format!("{} more", part.len().saturating_sub(4));
    if part.len() > 4 {
        names.push(&more);
    }
    names.join(", ")
}
