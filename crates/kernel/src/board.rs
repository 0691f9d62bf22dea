//! The board: a checked map as a directed graph, with flat tables for fast access by the rules.

use std::collections::BTreeMap;

use petgraph::graph::{DiGraph, NodeIndex};

use super::id::{Continent, Territory};

/// A value in a map file or ruleset for scripts. The engine does not interpret it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Number(i64),
    /// A string.
    Text(String),
    /// A list of values.
    List(Vec<Datum>),
}

/// The corners of a closed line, in order. x increases to the right, and y increases downwards.
pub type Ring = Vec<(i32, i32)>;

/// The data of one territory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TerritoryInfo {
    /// The id in actions, records and scripts.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The territory's continent, if the map has continents.
    pub continent: Option<Continent>,
    /// The position on pictures, if the map defines one.
    pub at: Option<(i32, i32)>,
    /// The outline on pictures, in the units of [`at`](Self::at): closed rings, filled by the
    /// even-odd rule. The list is empty if the map defines no outline.
    pub shape: Vec<Ring>,
    /// The other fields in the map file, for scripts.
    pub data: BTreeMap<String, Datum>,
}

/// The data of one continent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContinentInfo {
    /// The id in actions, records and scripts.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The number of armies that a player receives each turn for owning the whole continent.
    pub bonus: i32,
    /// The colour, `#rrggbb`, if the map defines one.
    pub colour: Option<String>,
}

/// The style in which pictures show the territories of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Land that touches its neighbours or is connected to them by lines across water.
    #[default]
    Land,
    /// Land with water between continents.
    Islands,
    /// Separate discs with a lane for each border.
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
    /// The borders in reverse: the territories from which each territory can be reached.
    sources: Vec<Territory>,
    source_starts: Vec<u32>,
    most_neighbours: usize,
    /// The continent of each territory. This table makes frequent lookups fast.
    continent_of: Vec<Option<Continent>>,
    /// The territories sorted by id.
    by_id: Vec<Territory>,
}

impl Board {
    /// Builds a board. `borders` are directed, and each territory's borders keep their order.
    ///
    /// # Panics
    /// Panics if a border or a continent is out of range (the loader checks this), or if there are
    /// more than 65,535 territories.
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
        let mut by_id: Vec<_> = (0..count).map(Territory::from_index).collect();
        by_id.sort_unstable_by_key(|at| territories[at.index()].id.as_str());
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
            by_id,
            most_neighbours: lists.iter().map(Vec::len).max().unwrap_or(0),
        }
    }

    /// Returns the map's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the map's description, which may be empty.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Returns the board with a different look.
    #[must_use]
    pub const fn with_look(mut self, look: Look) -> Self {
        self.look = look;
        self
    }

    /// Returns how pictures show the territories.
    #[must_use]
    pub const fn look(&self) -> Look {
        self.look
    }

    /// Returns the graph for the algorithms of `petgraph`. It has a node for each territory, in
    /// file order, and an edge for each direction of a border.
    #[must_use]
    pub const fn graph(&self) -> &DiGraph<TerritoryInfo, ()> {
        &self.graph
    }

    /// Returns the number of territories.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Reports whether the board has no territories. A loaded map always has territories.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all territories in file order.
    pub fn territories(&self) -> impl Iterator<Item = Territory> + use<> {
        (0..self.len()).map(Territory::from_index)
    }

    /// Returns the data of a territory.
    #[must_use]
    pub fn info(&self, at: Territory) -> &TerritoryInfo {
        &self.graph[NodeIndex::new(at.index())]
    }

    /// Returns the continent of a territory, if it belongs to one.
    #[inline]
    #[must_use]
    pub fn continent(&self, at: Territory) -> Option<Continent> {
        self.continent_of[at.index()]
    }

    /// Returns the territories that can be reached or attacked from `at` if all borders are open.
    /// Rules and bots ask [`GameState::attack_borders`](super::state::GameState::attack_borders).
    #[inline]
    #[must_use]
    pub fn neighbours(&self, at: Territory) -> &[Territory] {
        &self.neighbours[self.starts[at.index()] as usize..self.starts[at.index() + 1] as usize]
    }

    /// Returns the number of borders that lead from a territory.
    #[inline]
    #[must_use]
    pub fn degree(&self, at: Territory) -> usize {
        self.neighbours(at).len()
    }

    /// Returns the number of borders that lead to a territory.
    #[inline]
    #[must_use]
    pub fn degree_to(&self, at: Territory) -> usize {
        self.sources(at).len()
    }

    /// Returns the largest number of neighbours that a territory has.
    #[must_use]
    pub const fn most_neighbours(&self) -> usize {
        self.most_neighbours
    }

    /// Returns the territories from which `at` can be reached or attacked if all borders are open.
    #[inline]
    #[must_use]
    pub fn sources(&self, at: Territory) -> &[Territory] {
        &self.sources
            [self.source_starts[at.index()] as usize..self.source_starts[at.index() + 1] as usize]
    }

    /// Reports whether a border leads from `from` to `to`.
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

    /// Returns each border once, as its origin, its destination, and whether it is one-way.
    pub fn edges(&self) -> impl Iterator<Item = (Territory, Territory, bool)> {
        self.territories().flat_map(move |from| {
            self.neighbours(from).iter().filter_map(move |&to| {
                let one_way = !self.borders(to, from);
                (one_way || from < to).then_some((from, to, one_way))
            })
        })
    }

    /// Returns the number of borders, counting each direction of a two-way border.
    #[must_use]
    pub fn directed_borders(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns the number of borders, counting a two-way border once.
    #[must_use]
    pub fn border_count(&self) -> usize {
        self.edges().count()
    }

    /// Returns all continents in file order.
    #[must_use]
    pub fn continents(&self) -> &[ContinentInfo] {
        &self.continents
    }

    /// Returns the territories of a continent in file order.
    #[must_use]
    pub fn members(&self, continent: Continent) -> &[Territory] {
        &self.members[continent.index()]
    }

    /// Returns the territory with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<Territory> {
        let ids = |at: &Territory| self.info(*at).id.as_str();
        let place = self.by_id.binary_search_by_key(&id, ids);
        place.ok().map(|place| self.by_id[place])
    }
}

/// Concatenates the lists. Also returns the start index of each list.
fn flat(lists: &[Vec<Territory>]) -> (Vec<Territory>, Vec<u32>) {
    let mut starts = vec![0];
    starts.extend(lists.iter().scan(0, |end, list| {
        *end += list.len() as u32;
        Some(*end)
    }));
    (lists.concat(), starts)
}
