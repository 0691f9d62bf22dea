//! Routes over the board: shortest paths, components and cut territories.

use std::collections::VecDeque;

use petgraph::algo::articulation_points::articulation_points;
use petgraph::graph::{NodeIndex, UnGraph};

use super::board::Board;
use super::id::Territory;

/// A set of a board's territories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region(Vec<bool>);

impl Region {
    /// Returns the region of the whole board.
    #[must_use]
    pub fn all(board: &Board) -> Self {
        Self(vec![true; board.len()])
    }

    /// Returns the region that consists of these territories.
    ///
    /// # Panics
    /// Panics if a territory is not on the board.
    #[must_use]
    pub fn from_territories(
        board: &Board,
        territories: impl IntoIterator<Item = Territory>,
    ) -> Self {
        let mut region = vec![false; board.len()];
        for at in territories {
            region[at.index()] = true;
        }
        Self(region)
    }

    /// Reports whether a territory is in the region.
    #[inline]
    #[must_use]
    pub fn has(&self, at: Territory) -> bool {
        self.0[at.index()]
    }
}

/// Returns a path with the fewest steps, including both ends; `None` if there is no path. All
/// territories between the ends are in the region, but the ends need not be. If there are several
/// shortest paths, the order of borders decides. `near` returns the ends of the borders that may be
/// used.
#[must_use]
pub fn path<I: Iterator<Item = Territory>>(
    board: &Board,
    near: impl Fn(Territory) -> I,
    from: Territory,
    to: Territory,
    through: &Region,
) -> Option<Vec<Territory>> {
    let enters = |at: Territory| at == to || through.has(at);
    let before = search(board, near, from, enters, Some(to));
    if from != to && before[to.index()].is_none() {
        return None;
    }
    let mut path = vec![to];
    let mut here = to;
    while here != from {
        here = before[here.index()]?;
        path.push(here);
    }
    path.reverse();
    Some(path)
}

/// Returns the territories that can be reached from one territory without leaving the region, in
/// map order. The list is empty if the territory itself is not in the region. `near` returns the
/// ends of the borders that may be used.
#[must_use]
pub fn component<I: Iterator<Item = Territory>>(
    board: &Board,
    near: impl Fn(Territory) -> I,
    from: Territory,
    within: &Region,
) -> Vec<Territory> {
    if !within.has(from) {
        return Vec::new();
    }
    let before = search(board, near, from, |at| within.has(at), None);
    board
        .territories()
        .filter(|&at| at == from || before[at.index()].is_some())
        .collect()
}

/// Returns the territories of a region whose removal splits a connected part of the region, in map
/// order. One-way borders also count as connections. `near` returns the ends of the borders that
/// may be used.
#[must_use]
pub fn cuts<I: Iterator<Item = Territory>>(
    board: &Board,
    near: impl Fn(Territory) -> I,
    within: &Region,
) -> Vec<Territory> {
    let mut graph = UnGraph::<(), ()>::with_capacity(board.len(), 0);
    for _ in board.territories() {
        graph.add_node(());
    }
    let all = board.territories().filter(|&from| within.has(from));
    for (from, to) in all.flat_map(|from| near(from).map(move |to| (from, to))) {
        let is_first = from < to || !near(to).any(|back| back == from);
        if within.has(to) && is_first {
            graph.add_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), ());
        }
    }
    let mut cuts: Vec<Territory> = articulation_points(&graph)
        .into_iter()
        .map(|node| Territory::from_index(node.index()))
        .collect();
    cuts.sort_unstable();
    cuts
}

/// Returns the predecessor of each territory in a breadth-first search. The search stops at `goal`.
fn search<I: Iterator<Item = Territory>>(
    board: &Board,
    near: impl Fn(Territory) -> I,
    from: Territory,
    enters: impl Fn(Territory) -> bool,
    goal: Option<Territory>,
) -> Vec<Option<Territory>> {
    let mut before = vec![None; board.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(here) = queue.pop_front() {
        if goal == Some(here) {
            break;
        }
        for next in near(here) {
            if next != from && before[next.index()].is_none() && enters(next) {
                before[next.index()] = Some(here);
                // A goal outside the region is not expanded because the search stops at the goal.
                queue.push_back(next);
            }
        }
    }
    before
}
