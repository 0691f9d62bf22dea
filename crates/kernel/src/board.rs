//! The board: a checked map as a directed graph, with flat tables for fast access by the rules.

use std::collections::BTreeMap;

use petgraph::graph::{DiGraph, NodeIndex};

use super::id::{Group, Territory};

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
    /// Values under keys.
    Map(BTreeMap<String, Datum>),
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
    pub continent: Option<Group>,
    /// The position on pictures, if the map defines one.
    pub at: Option<(i32, i32)>,
    /// The outline on pictures, in the units of [`at`](Self::at): closed rings, filled by the
    /// even-odd rule. The list is empty if the map defines no outline.
    pub shape: Vec<Ring>,
    /// The armies that the territory gains when its owner's turn begins. If negative, it loses
    /// armies, but keeps one.
    pub each_turn: i32,
    /// The territory on which armies of `each_turn` appear, if their owner owns it. If not, they
    /// appear on the territory itself.
    pub deploys: Option<Territory>,
    /// What the territory adds to the [class](super::fight_class) of attacks on it.
    pub strength: u8,
    /// The number of armies with which the territory begins without an owner. If it is not 0, the
    /// territory is not claimed or dealt.
    pub neutral: i32,
    /// Whether the territory loses its owner, and has these armies again, when the owner's turn
    /// begins.
    pub resets: bool,
    /// The other fields in the map file, for scripts.
    pub data: BTreeMap<String, Datum>,
}

/// The data of a continent or of another group of territories.
///
/// A player who has [`needs`](Self::needs) of its members holds the group. A group among the
/// members counts once, if the player holds it. A group without members is never held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupInfo {
    /// The id in actions, records and scripts.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The number of armies that a player receives each turn for holding the group.
    pub bonus: i32,
    /// The colour, `#rrggbb`, if the map defines one.
    pub colour: Option<String>,
    /// The territories that are members; those of a continent follow from the territories.
    pub territories: Vec<Territory>,
    /// The groups that are members. Continents have none.
    pub groups: Vec<Group>,
    /// The number of members that a player needs; `None` for all.
    pub needs: Option<u32>,
    /// Further bonuses, each for a number of members. All that a player reaches are paid.
    pub steps: Vec<BonusStep>,
    /// The groups whose bonuses are not paid to a player who holds this group.
    pub overrides: Vec<Group>,
    /// The armies that each territory of a player who holds the group gains when the player's turn
    /// begins. If negative, the territory loses armies, but keeps one.
    pub each_turn: i32,
    /// The territory where the armies of the bonus appear when the player's turn begins. The
    /// ruleset adds them to the player's income if this is `None` or the player doesn't own it.
    pub deploys: Option<Territory>,
    /// What the group adds to the [class](super::fight_class) of attacks on its territories.
    pub strength: u8,
    /// The `data` in the map file, for scripts.
    pub data: BTreeMap<String, Datum>,
}

/// A bonus for a number of members of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BonusStep {
    /// The number of members that a player needs.
    pub needs: u32,
    /// The armies each turn.
    pub bonus: i32,
}

/// What a map says about a border in one direction, beside that it is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BorderInfo {
    /// Whether armies may attack over it, but not go over it. A territory without defenders after
    /// such an attack has no owner, and one army.
    pub is_bombard: bool,
    /// What a player must hold for the border to be open; `None` if it is open to all.
    pub open_if: Option<Holding>,
    /// What the border adds to the [class](super::fight_class) of attacks over it.
    pub strength: u8,
    /// The other fields in the map file, for scripts.
    pub data: BTreeMap<String, Datum>,
}

/// A territory, or a continent or another group, as the condition of a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// A territory.
    Territory(Territory),
    /// A continent or another group.
    Group(Group),
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
    data: BTreeMap<String, Datum>,
    graph: DiGraph<TerritoryInfo, ()>,
    /// All groups. The continents come first.
    groups: Vec<GroupInfo>,
    continents: usize,
    /// The territories in each group and in the groups within it, in file order.
    members: Vec<Vec<Territory>>,
    neighbours: Vec<Territory>,
    starts: Vec<u32>,
    /// What the map says about each border, in the order of `neighbours`. The list is empty if all
    /// borders are plain.
    borders: Vec<Option<BorderInfo>>,
    /// The borders in reverse: the territories from which each territory can be reached.
    sources: Vec<Territory>,
    source_starts: Vec<u32>,
    most_neighbours: usize,
    /// The continent of each territory. This table makes frequent lookups fast.
    continent_of: Vec<Option<Group>>,
    /// The groups that list each territory as a member, and all groups that it is in.
    groups_of: Vec<Vec<Group>>,
    groups_around: Vec<Vec<Group>>,
    /// The number of members that are read to find out who holds each group.
    group_work: Vec<u64>,
    /// What each territory and its groups add to the class of attacks on it.
    strengths: Vec<u32>,
    /// Whether the map adds or removes armies when a turn begins.
    has_deployments: bool,
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
        mut continents: Vec<GroupInfo>,
        borders: &[(Territory, Territory)],
    ) -> Self {
        let (count, most) = (territories.len(), usize::from(u16::MAX));
        assert!(count <= most, "a board has at most 65,535 territories");
        for (index, info) in territories.iter().enumerate() {
            if let Some(continent) = info.continent {
                let members = &mut continents[continent.index()].territories;
                members.push(Territory::from_index(index));
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
            data: BTreeMap::new(),
            graph,
            continents: continents.len(),
            groups: Vec::new(),
            members: Vec::new(),
            groups_of: vec![Vec::new(); count],
            groups_around: vec![Vec::new(); count],
            group_work: Vec::new(),
            strengths: Vec::new(),
            has_deployments: false,
            neighbours,
            starts,
            borders: Vec::new(),
            sources,
            source_starts,
            continent_of,
            by_id,
            most_neighbours: lists.iter().map(Vec::len).max().unwrap_or(0),
        }
        .with_groups(continents)
    }

    /// Returns the board with further groups, which come after its continents.
    ///
    /// # Panics
    /// Panics if a member of a group is out of range, or if a group contains itself (the loader
    /// checks this).
    #[must_use]
    pub fn with_groups(mut self, groups: Vec<GroupInfo>) -> Self {
        let first = self.groups.len();
        self.groups.extend(groups);
        for index in first..self.groups.len() {
            let group = Group::from_index(index);
            for at in &self.groups[index].territories {
                self.groups_of[at.index()].push(group);
            }
            let members = self.all_members(group, self.groups.len());
            for at in &members {
                self.groups_around[at.index()].push(group);
            }
            self.members.push(members);
            self.group_work.push(self.work(group));
        }
        let strengths = self.territories().map(|at| {
            let around = self.groups_around(at).iter();
            let groups: u32 = around.map(|&it| u32::from(self.group(it).strength)).sum();
            u32::from(self.info(at).strength) + groups
        });
        self.strengths = strengths.collect();
        let of_groups = |info: &GroupInfo| info.each_turn != 0 || info.deploys.is_some();
        let mut territories = self.graph.node_weights();
        self.has_deployments = territories.any(|info| info.each_turn != 0 || info.resets)
            || self.groups.iter().any(of_groups);
        self
    }

    /// Returns the board with what the map says about some of its borders.
    ///
    /// # Panics
    /// Panics if there is no such border (the loader checks this).
    #[must_use]
    pub fn with_borders(mut self, all: Vec<(Territory, Territory, BorderInfo)>) -> Self {
        for (from, to, info) in all {
            let border = self.border_index(from, to).expect("the border exists");
            if info != BorderInfo::default() {
                self.borders.resize(self.neighbours.len(), None);
                self.borders[border] = Some(info);
            }
        }
        self
    }

    /// Reports whether the map says nothing about its borders but that they are there.
    #[inline]
    #[must_use]
    pub const fn has_plain_borders(&self) -> bool {
        self.borders.is_empty()
    }

    /// Returns the number of a border among all borders.
    pub(super) fn border_index(&self, from: Territory, to: Territory) -> Option<usize> {
        let place = self.neighbours(from).iter().position(|&end| end == to);
        place.map(|place| self.starts[from.index()] as usize + place)
    }

    /// Returns the number behind those of the borders that lead from a territory.
    #[inline]
    pub(super) fn border_stop(&self, from: Territory) -> usize {
        self.starts[from.index() + 1] as usize
    }

    pub(super) fn border_at(&self, border: usize) -> Option<&BorderInfo> {
        self.borders.get(border)?.as_ref()
    }

    fn work(&self, group: Group) -> u64 {
        let info = &self.groups[group.index()];
        let parts: u64 = info.groups.iter().map(|&part| self.work(part)).sum();
        1 + info.territories.len() as u64 + parts
    }

    /// Returns the number of members that are read to find out who holds a group.
    #[must_use]
    pub fn group_work(&self, group: Group) -> u64 {
        self.group_work[group.index()]
    }

    /// Returns the number of members that are read to find out who holds which group.
    #[must_use]
    pub fn all_group_work(&self) -> u64 {
        self.group_work.iter().sum()
    }

    /// Returns the territories in a group and in the groups within it, in file order. Groups are
    /// nested at most `depth` deep.
    fn all_members(&self, group: Group, depth: usize) -> Vec<Territory> {
        assert!(depth > 0, "a group contains itself");
        let info = &self.groups[group.index()];
        let mut all = info.territories.clone();
        for &part in &info.groups {
            all.extend(self.all_members(part, depth - 1));
        }
        all.sort_unstable();
        all.dedup();
        all
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

    /// Returns the board with other data for scripts.
    #[must_use]
    pub fn with_data(mut self, data: BTreeMap<String, Datum>) -> Self {
        self.data = data;
        self
    }

    /// Returns the `data` of the whole map, for scripts.
    #[must_use]
    pub const fn data(&self) -> &BTreeMap<String, Datum> {
        &self.data
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
    pub fn continent(&self, at: Territory) -> Option<Group> {
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
    pub fn continents(&self) -> &[GroupInfo] {
        &self.groups[..self.continents]
    }

    /// Returns all groups: the continents, and then the others, in file order.
    #[must_use]
    pub fn groups(&self) -> &[GroupInfo] {
        &self.groups
    }

    /// Reports whether the map has no groups but continents, each with one bonus for all of its
    /// territories.
    #[must_use]
    pub fn has_plain_groups(&self) -> bool {
        self.groups.len() == self.continents && self.groups.iter().all(GroupInfo::is_plain)
    }

    /// Returns a group.
    #[inline]
    #[must_use]
    pub fn group(&self, group: Group) -> &GroupInfo {
        &self.groups[group.index()]
    }

    /// Returns the territories in a group and in the groups within it, in file order.
    #[must_use]
    pub fn members(&self, group: Group) -> &[Territory] {
        &self.members[group.index()]
    }

    /// Returns the groups that list a territory as a member.
    #[inline]
    pub(super) fn groups_of(&self, at: Territory) -> &[Group] {
        &self.groups_of[at.index()]
    }

    /// Returns the groups that a territory is in, also by way of other groups, in order.
    #[inline]
    #[must_use]
    pub fn groups_around(&self, at: Territory) -> &[Group] {
        &self.groups_around[at.index()]
    }

    /// Reports whether armies come or go by the map when a turn begins.
    #[must_use]
    pub const fn has_deployments(&self) -> bool {
        self.has_deployments
    }

    /// Returns what a territory, its groups and the border to it add to the class of an attack.
    #[must_use]
    pub fn strength(&self, from: Territory, to: Territory) -> u32 {
        let border = self.border(from, to).map_or(0, |info| info.strength);
        self.strengths[to.index()] + u32::from(border)
    }

    /// Returns the greatest [strength](Self::strength) on the map.
    #[must_use]
    pub fn most_strength(&self) -> u32 {
        let all = self.territories();
        let over = all.flat_map(|to| self.sources(to).iter().map(move |&from| (from, to)));
        over.map(|(from, to)| self.strength(from, to))
            .max()
            .unwrap_or(0)
    }

    /// Returns the territories of the group with this id, or else the territory with this id.
    #[must_use]
    pub fn places_of(&self, id: &str) -> Option<Vec<Territory>> {
        let group = self.groups.iter().position(|group| group.id == id);
        let members = group.map(|at| self.members[at].clone());
        members.or_else(|| self.find(id).map(|at| vec![at]))
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
