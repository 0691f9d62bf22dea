//! The elimination of a player, as trees of conquests from the attacker's stacks over all of the
//! player's territories.
//!
//! Territories join a tree by the cheapest path, as in a minimum spanning tree. The stack at the
//! root of a tree and the armies that are still to be placed pay for the tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::chains::ChainStep;
use super::evaluation_context::EvaluationContext;
use super::fight_table::ExpectedFight;
use risk_kernel::id::Territory;

#[derive(Clone, Debug)]
pub(super) struct Campaign {
    pub(super) chance: f32,
    /// The expected cost in armies, except for armies that stay on conquered territories.
    pub(super) cost: f32,
    pub(super) placing: Vec<(Territory, i32)>,
    pub(super) steps: Vec<ChainStep>,
    pub(super) territories: Vec<Territory>,
}

const WAYS: u32 = 40_000;

/// An edge into a territory: its cost in tenths of armies, the territory, and the territory from
/// which it is taken.
type ConquestEdge = (Reverse<i64>, u16, u16);

pub(super) struct Trees<'a> {
    study: &'a EvaluationContext<'a>,
    /// For each territory, the territory from which it is taken; roots refer to themselves.
    parent: Vec<Option<Territory>>,
    /// The territories to take, in the order in which they were joined.
    joined: Vec<Territory>,
    budget: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Root {
    at: u16,
    territories: i32,
    defenders: i32,
    supply: i32,
}

impl<'a> Trees<'a> {
    pub(super) fn new(study: &'a EvaluationContext<'a>) -> Self {
        Self {
            study,
            parent: vec![None; study.scene.board.len()],
            joined: Vec::new(),
            budget: WAYS,
        }
    }

    /// Returns the cost in tenths of armies of taking a territory and leaving one army there.
    fn toll(&self, from: Territory, at: Territory) -> i64 {
        let defenders = self.study.scene.armies(at);
        let many = 2.0 * defenders as f32 + 8.0;
        let fight = self.study.expected(from, at, many, defenders);
        ((many - fight.left + 1.0) * 10.0) as i64
    }

    /// Joins all targets to trees with roots on territories for which `is_root` returns true.
    /// Returns whether this was possible.
    fn join(&mut self, targets: &[Territory], is_root: impl Fn(Territory) -> bool) -> bool {
        let scene = &self.study.scene;
        self.parent.fill(None);
        self.joined.clear();
        let mut open = vec![false; scene.board.len()];
        for &target in targets {
            open[target.index()] = true;
        }
        let mut left = targets.len();
        for at in scene.mine().filter(|&at| is_root(at)) {
            self.parent[at.index()] = Some(at);
        }
        while left > 0 {
            let Some(found) = self.nearest(&open) else {
                return false;
            };
            let mut way = found;
            while let Some((at, from)) = way.pop() {
                self.parent[at.index()] = Some(from);
                self.joined.push(at);
                if open[at.index()] {
                    open[at.index()] = false;
                    left -= 1;
                }
            }
        }
        true
    }

    /// Returns the cheapest path from the trees to an open territory, in reverse order. Each entry
    /// is a territory and the territory from which it is taken.
    fn nearest(&mut self, open: &[bool]) -> Option<Vec<(Territory, Territory)>> {
        let scene = &self.study.scene;
        let mut from = vec![None; scene.board.len()];
        let mut best = vec![i64::MAX; scene.board.len()];
        let mut heap: BinaryHeap<ConquestEdge> = BinaryHeap::new();
        let roots = scene
            .board
            .territories()
            .filter(|at| self.parent[at.index()].is_some());
        for at in roots {
            best[at.index()] = 0;
            heap.push((Reverse(0), at.0, at.0));
        }
        while let Some((Reverse(cost), at, _)) = heap.pop() {
            let at = Territory(at);
            if cost > best[at.index()] {
                continue;
            }
            if open[at.index()] {
                let mut way = Vec::new();
                let mut at = at;
                while self.parent[at.index()].is_none() {
                    let before: Territory = from[at.index()]?;
                    way.push((at, before));
                    at = before;
                }
                return Some(way);
            }
            for to in scene.foes(at) {
                if self.parent[to.index()].is_some() {
                    continue;
                }
                self.budget = self.budget.checked_sub(1)?;
                let cost = cost + self.toll(at, to);
                if cost < best[to.index()] {
                    best[to.index()] = cost;
                    from[to.index()] = Some(at);
                    heap.push((Reverse(cost), to.0, at.0));
                }
            }
        }
        None
    }

    fn root_of(&self, mut at: Territory) -> Territory {
        while let Some(parent) = self.parent[at.index()].filter(|&parent| parent != at) {
            at = parent;
        }
        at
    }

    /// Returns the best plan to take all targets with this reserve, or `None` if it is impossible.
    pub(super) fn plan(&mut self, targets: &[Territory], reserve: i32) -> Option<Campaign> {
        let scene = &self.study.scene;
        let largest = scene
            .mine()
            .filter(|&at| scene.is_front(at))
            .map(|at| scene.armies(at))
            .max()?;
        let mut best: Option<Campaign> = None;
        for least in [1, 2, largest / 3, largest] {
            let fits = |at: Territory| scene.armies(at) >= least && scene.is_front(at);
            if !self.join(targets, fits) {
                continue;
            }
            let campaign = self.campaign(reserve);
            if best
                .as_ref()
                .is_none_or(|most| campaign.chance > most.chance)
            {
                best = Some(campaign);
            }
        }
        best
    }

    fn campaign(&self, reserve: i32) -> Campaign {
        let scene = &self.study.scene;
        let mut roots: Vec<Root> = Vec::new();
        for &at in &self.joined {
            let root = self.root_of(at).0;
            let index = match roots.iter().position(|known| known.at == root) {
                Some(index) => index,
                None => {
                    roots.push(Root {
                        at: root,
                        supply: scene.armies(Territory(root)) - 1,
                        ..Root::default()
                    });
                    roots.len() - 1
                }
            };
            roots[index].territories += 1;
            let from = self.parent[at.index()].unwrap_or(Territory(root));
            let defenders = &mut roots[index].defenders;
            *defenders = defenders.saturating_add(self.study.plain_defenders(from, at));
        }
        let placing = self.supply(&mut roots, reserve);
        let mut chance = 1.0;
        let mut cost = 0.0;
        for root in &roots {
            let fight = self.outlook(root);
            chance *= fight.capture;
            cost += (root.supply - root.territories + 1).max(0) as f32 - fight.left_in_all;
        }
        Campaign {
            chance,
            cost,
            placing,
            steps: self.steps(),
            territories: self.joined.clone(),
        }
    }

    fn outlook(&self, root: &Root) -> ExpectedFight {
        let free = (root.supply - root.territories + 1).max(0);
        self.study.chances.expected(0, free as f32, root.defenders)
    }

    /// Divides the reserve among the trees. Each part is added to the tree with the worst outlook.
    fn supply(&self, roots: &mut [Root], reserve: i32) -> Vec<(Territory, i32)> {
        let mut given = vec![0; roots.len()];
        let mut left = reserve;
        let part = (reserve / 16).max(1);
        while left > 0 {
            let mut worst: Option<(f32, usize)> = None;
            for (index, root) in roots.iter().enumerate() {
                let chance = self.outlook(root).capture;
                if worst.is_none_or(|(least, _)| chance < least) {
                    worst = Some((chance, index));
                }
            }
            let Some((_, index)) = worst else {
                break;
            };
            let armies = part.min(left);
            roots[index].supply = roots[index].supply.saturating_add(armies);
            given[index] += armies;
            left -= armies;
        }
        let placed = roots.iter().zip(given).filter(|&(_, armies)| armies > 0);
        placed
            .map(|(root, armies)| (Territory(root.at), armies))
            .collect()
    }

    /// Returns the conquests in a possible order. A stack takes all neighbours in the tree before
    /// it continues, starting with small branches. The armies that the other branches need stay
    /// behind.
    fn steps(&self) -> Vec<ChainStep> {
        let scene = &self.study.scene;
        let need = self.needs();
        let mut steps = Vec::new();
        let mut open: Vec<Territory> = Vec::new();
        for &at in &self.joined {
            let parent = self.parent[at.index()].filter(|&parent| scene.is_mine(parent));
            open.extend(parent);
        }
        open.sort_unstable_by(|a, b| b.cmp(a));
        open.dedup();
        while let Some(at) = open.pop() {
            let taken_from = |to: &&Territory| self.parent[to.index()] == Some(at);
            let mut here: Vec<Territory> = self.joined.iter().filter(taken_from).copied().collect();
            here.sort_by_key(|child| (need[child.index()], child.0));
            let mut rest: i64 = here.iter().map(|child| need[child.index()]).sum();
            for &child in &here {
                let own = need[child.index()];
                let beyond = own - self.toll(at, child);
                rest -= own;
                let share = if rest == 0 {
                    1.0
                } else {
                    beyond as f32 / (beyond + rest) as f32
                };
                steps.push(ChainStep {
                    from: at,
                    to: child,
                    share,
                    prize: f32::MAX,
                    capture: 1.0,
                    value: 0.0,
                });
            }
            open.extend(here);
        }
        steps
    }

    /// Returns, for each territory, the cost of taking it and all territories that are taken from
    /// there.
    fn needs(&self) -> Vec<i64> {
        let scene = &self.study.scene;
        let mut need = vec![0; scene.board.len()];
        for &at in self.joined.iter().rev() {
            let parent = self.parent[at.index()];
            need[at.index()] += self.toll(parent.unwrap_or(at), at);
            if let Some(parent) = parent.filter(|&parent| !scene.is_mine(parent)) {
                need[parent.index()] += need[at.index()];
            }
        }
        need
    }
}
