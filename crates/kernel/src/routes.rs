//! Ways over the board: how far it is, what hangs together, and what holds it together.

use std::collections::VecDeque;

use petgraph::algo::articulation_points::articulation_points;
use petgraph::graph::{NodeIndex, UnGraph};

use super::board::Board;
use super::id::Territory;

/// Some of a board's territories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region(Vec<bool>);

impl Region {
    /// The whole board.
    #[must_use]
    pub fn all(board: &Board) -> Self {
        Self(vec![true; board.len()])
    }

    /// These territories of a board.
    ///
    /// # Panics
    /// When one of them is not on it.
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

    /// Is a territory in it?
    #[inline]
    #[must_use]
    pub fn has(&self, at: Territory) -> bool {
        self.0[at.index()]
    }
}

/// The way from one territory to another with the fewest steps, both included; of several the one
/// that the order of the borders finds first. On the way it enters the region alone; where it
/// begins and ends need not be in it. `None` where there is no way.
#[must_use]
pub fn path(
    board: &Board,
    from: Territory,
    to: Territory,
    through: &Region,
) -> Option<Vec<Territory>> {
    let enters = |at: Territory| at == to || through.has(at);
    let before = search(board, from, enters, Some(to));
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

/// The territories of a region that can be reached from one territory without leaving the region,
/// in the order of the map: nothing if the territory itself is not in it.
#[must_use]
pub fn component(board: &Board, from: Territory, within: &Region) -> Vec<Territory> {
    if !within.has(from) {
        return Vec::new();
    }
    let before = search(board, from, |at| within.has(at), None);
    board
        .territories()
        .filter(|&at| at == from || before[at.index()].is_some())
        .collect()
}

/// The territories of a region without which what hung together there falls apart, in the order of
/// the map. A border that goes one way holds together, too.
#[must_use]
pub fn cuts(board: &Board, within: &Region) -> Vec<Territory> {
    let mut graph = UnGraph::<(), ()>::with_capacity(board.len(), 0);
    for _ in board.territories() {
        graph.add_node(());
    }
    for (from, to, _) in board.edges() {
        if within.has(from) && within.has(to) {
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

/// From where each territory is reached first, step by step, as far as the search may enter. It
/// ends early where it has found `goal`.
fn search(
    board: &Board,
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
        for &next in board.neighbours(here) {
            if next != from && before[next.index()].is_none() && enters(next) {
                before[next.index()] = Some(here);
                // Nobody goes on from a goal outside the region.
                queue.push_back(next);
            }
        }
    }
    before
}
