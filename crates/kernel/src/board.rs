//! The board: a checked map as a directed graph, with flat tables beside it for the rules.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use petgraph::graph::{DiGraph, NodeIndex};

use super::id::{Continent, Territory};

/// A value that a map file keeps for scripts beside the fields the engine knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// A text as the file has it.
    Text(String),
    /// A list of such values.
    List(Vec<Datum>),
}

/// The corners of a closed line, in order: to the right and downwards.
pub type Ring = Vec<(i32, i32)>;

/// What a map says of one territory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TerritoryInfo {
    /// The word that names it in actions, records and scripts.
    pub id: String,
    /// The name people see.
    pub name: String,
    /// The continent it belongs to, if the map has continents.
    pub continent: Option<Continent>,
    /// Where it is drawn, if the map says so.
    pub at: Option<(i32, i32)>,
    /// Its outline on pictures, in the units of [`at`](Self::at): closed rings, by the even-odd
    /// rule. Empty where the map has none.
    pub shape: Vec<Ring>,
    /// Everything else the file says of it, for scripts.
    pub data: BTreeMap<String, Datum>,
}

/// What a map says of one continent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContinentInfo {
    /// The word that names it.
    pub id: String,
    /// The name people see.
    pub name: String,
    /// Armies a turn for whoever owns all of it.
    pub bonus: i32,
    /// Its colour, `#rrggbb`, if the map gives one.
    pub colour: Option<String>,
}

/// What the territories of a map are, on pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Land, which touches what it borders, or has a line to it over water.
    #[default]
    Land,
    /// Land; water parts continents from each other.
    Islands,
    /// Places apart from each other: discs, with a lane for each border.
    Discs,
}

/// A map that passed all checks.
#[derive(Clone, Debug)]
pub struct Board {
    name: String,
    about: String,
    look: Look,
    graph: DiGraph<TerritoryInfo, ()>,
    continents: Vec<ContinentInfo>,
    members: Vec<Vec<Territory>>,
    neighbours: Vec<Territory>,
    starts: Vec<u32>,
    /// The same the other way round: from where one can come.
    sources: Vec<Territory>,
    source_starts: Vec<u32>,
    most_neighbours: usize,
    /// By territory: its continent, which is asked for often.
    continent_of: Vec<Option<Continent>>,
    /// In the order of their ids, once somebody looks for one.
    by_id: OnceLock<Vec<Territory>>,
}

impl Board {
    /// Builds a board. `borders` are directed; the order of each territory's borders is kept.
    ///
    /// # Panics
    /// When a border or a continent is out of range: the loader has checked them.
    #[must_use]
    pub fn new(
        name: String,
        about: String,
        territories: Vec<TerritoryInfo>,
        continents: Vec<ContinentInfo>,
        borders: &[(Territory, Territory)],
    ) -> Self {
        let count = territories.len();
        assert!(
            count <= usize::from(u16::MAX),
            "a board has at most 65,535 territories"
        );
        let mut members = vec![Vec::new(); continents.len()];
        for (index, info) in territories.iter().enumerate() {
            if let Some(continent) = info.continent {
                members[continent.index()].push(Territory::from_index(index));
            }
        }
        let continent_of = territories.iter().map(|info| info.continent).collect();
        let mut lists = vec![Vec::new(); count];
        for &(from, to) in borders {
            lists[from.index()].push(to);
        }
        let mut graph = DiGraph::with_capacity(count, borders.len());
        for info in territories {
            graph.add_node(info);
        }
        let mut reverse = vec![Vec::new(); count];
        for (from, list) in lists.iter().enumerate() {
            for &to in list {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to.index()), ());
                reverse[to.index()].push(Territory::from_index(from));
            }
        }
        let (neighbours, starts) = flat(&lists);
        let (sources, source_starts) = flat(&reverse);
        Self {
            name,
            about,
            look: Look::default(),
            graph,
            continents,
            members,
            neighbours,
            starts,
            sources,
            source_starts,
            continent_of,
            by_id: OnceLock::new(),
            most_neighbours: lists.iter().map(Vec::len).max().unwrap_or(0),
        }
    }

    /// The map's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the map says of itself; may be empty.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The same board with another look.
    #[must_use]
    pub const fn with_look(mut self, look: Look) -> Self {
        self.look = look;
        self
    }

    /// What its territories are, on pictures.
    #[must_use]
    pub const fn look(&self) -> Look {
        self.look
    }

    /// The graph, for the algorithms of `petgraph`: a node for each territory in file order, an
    /// edge for each direction of a border.
    #[must_use]
    pub const fn graph(&self) -> &DiGraph<TerritoryInfo, ()> {
        &self.graph
    }

    /// How many territories.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// No territory at all? (Never true of a loaded map.)
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All territories in file order.
    pub fn territories(&self) -> impl Iterator<Item = Territory> + use<> {
        (0..self.len()).map(Territory::from_index)
    }

    /// What the map says of a territory.
    #[must_use]
    pub fn info(&self, at: Territory) -> &TerritoryInfo {
        &self.graph[NodeIndex::new(at.index())]
    }

    /// The continent of a territory, if it belongs to one.
    #[inline]
    #[must_use]
    pub fn continent(&self, at: Territory) -> Option<Continent> {
        self.continent_of[at.index()]
    }

    /// Where one can go or attack from `at`.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, at: Territory) -> &[Territory] {
        &self.neighbours[self.starts[at.index()] as usize..self.starts[at.index() + 1] as usize]
    }

    /// How many neighbours the territory has that has most.
    #[must_use]
    pub const fn most_neighbours(&self) -> usize {
        self.most_neighbours
    }

    /// From where one can go to or attack `at`.
    #[inline]
    #[must_use]
    pub fn sources(&self, at: Territory) -> &[Territory] {
        &self.sources
            [self.source_starts[at.index()] as usize..self.source_starts[at.index() + 1] as usize]
    }

    /// Can one go from `from` to `to` in one step?
    #[inline]
    #[must_use]
    pub fn borders(&self, from: Territory, to: Territory) -> bool {
        let there = self.neighbours(from);
        let here = self.sources(to);
        if there.len() <= here.len() {
            there.contains(&to)
        } else {
            here.contains(&from)
        }
    }

    /// Each border once: from, to, and whether it goes one way.
    pub fn edges(&self) -> impl Iterator<Item = (Territory, Territory, bool)> {
        self.territories().flat_map(move |from| {
            self.neighbours(from).iter().filter_map(move |&to| {
                let one_way = !self.borders(to, from);
                (one_way || from < to).then_some((from, to, one_way))
            })
        })
    }

    /// Borders, counting each direction of a two-way border.
    #[must_use]
    pub fn directed_borders(&self) -> usize {
        self.neighbours.len()
    }

    /// Borders, counting a two-way border once.
    #[must_use]
    pub fn border_count(&self) -> usize {
        self.edges().count()
    }

    /// All continents in file order.
    #[must_use]
    pub fn continents(&self) -> &[ContinentInfo] {
        &self.continents
    }

    /// The territories of a continent in file order.
    #[must_use]
    pub fn members(&self, continent: Continent) -> &[Territory] {
        &self.members[continent.index()]
    }

    /// The territory with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<Territory> {
        let ids = |at: &Territory| self.info(*at).id.as_str();
        let sorted = self.by_id.get_or_init(|| {
            let mut all: Vec<_> = self.territories().collect();
            all.sort_unstable_by_key(ids);
            all
        });
        let place = sorted.binary_search_by_key(&id, ids);
        place.ok().map(|place| sorted[place])
    }
}

/// Lists one after the other, and where each starts.
fn flat(lists: &[Vec<Territory>]) -> (Vec<Territory>, Vec<u32>) {
    let mut starts = vec![0];
    starts.extend(lists.iter().scan(0, |end, list| {
        *end += list.len() as u32;
        Some(*end)
    }));
    (lists.concat(), starts)
}
