//! Chains of conquests, in which one stack moves from territory to territory. The values use exact
//! chances and expected survivors.
//!
//! The search is a beam search, which extends the best few chains of each length. After each
//! conquest, there are two choices: all armies move on, or only the required armies move and the
//! stack attacks again from its old territory.

use super::conquest_values::PriorConquests;
use super::evaluation_context::EvaluationContext;
use risk_kernel::id::Territory;

/// The minimum chance at which an attack is started.
pub(super) const LEAST_CHANCE: f32 = 0.35;
/// The minimum number of armies that move into a conquered territory.
pub(super) const FIRST: f32 = 3.0;
/// The part of a stack that is considered lost if the stack can't attack any more.
const STRANDED: f32 = 0.1;
const BUDGET: u32 = 20_000;

#[derive(Clone, Copy, Debug)]
pub(super) struct ChainStep {
    pub(super) from: Territory,
    pub(super) to: Territory,
    /// The share of optional armies that move on, after the armies that must stay or move are
    /// subtracted.
    pub(super) share: f32,
    /// The gain from this conquest and all later conquests, if it succeeds.
    pub(super) prize: f32,
    pub(super) capture: f32,
    /// The value of the chain up to and including this step.
    pub(super) value: f32,
}

/// A chain, with its expected value in armies.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    pub(super) value: f32,
    pub(super) steps: Vec<ChainStep>,
}

#[derive(Clone, Copy)]
struct ChainNode {
    parent: u32,
    from: Territory,
    to: Territory,
    at: Territory,
    stack: f32,
    chance: f32,
    value: f32,
    /// The value of the last conquest alone. The next fields are its chance and its cost in armies.
    worth: f32,
    capture: f32,
    lost: f32,
}

const ROOT: u32 = u32::MAX;

pub(super) struct Search<'a> {
    study: &'a EvaluationContext<'a>,
    nodes: Vec<ChainNode>,
    beam: Vec<u32>,
    next: Vec<u32>,
    budget: u32,
}

impl<'a> Search<'a> {
    pub(super) fn new(study: &'a EvaluationContext<'a>) -> Self {
        Self {
            study,
            nodes: Vec::new(),
            beam: Vec::new(),
            next: Vec::new(),
            budget: BUDGET,
        }
    }

    /// Returns the best chain for a stack of this size on a territory. The chain has no steps if no
    /// attack is worthwhile.
    pub(super) fn from(&mut self, at: Territory, armies: i32) -> Chain {
        self.nodes.clear();
        self.next.clear();
        let start = ChainNode {
            parent: ROOT,
            from: at,
            to: at,
            at,
            stack: armies as f32,
            chance: 1.0,
            value: 0.0,
            worth: 0.0,
            capture: 1.0,
            lost: 0.0,
        };
        self.extend(ROOT, start);
        for _ in 1..self.study.skill.depth {
            self.keep_best();
            if self.beam.is_empty() || self.budget == 0 {
                break;
            }
            for index in 0..self.beam.len() {
                let number = self.beam[index];
                self.extend(number, self.nodes[number as usize]);
            }
        }
        self.best()
    }

    fn keep_best(&mut self) {
        std::mem::swap(&mut self.beam, &mut self.next);
        self.next.clear();
        let nodes = &self.nodes;
        let value = |number: &u32| nodes[*number as usize].value;
        self.beam
            .sort_by(|a, b| value(b).total_cmp(&value(a)).then(a.cmp(b)));
        self.beam.truncate(self.study.skill.width);
    }

    fn extend(&mut self, number: u32, node: ChainNode) {
        let study = self.study;
        let scene = &study.scene;
        let free = node.stack - 1.0;
        if free < 1.0 {
            return;
        }
        for to in scene.foes(node.at) {
            if self.budget == 0 {
                return;
            }
            let fight = study.expected(node.at, to, free, scene.armies(to));
            if fight.capture < LEAST_CHANCE {
                continue;
            }
            let Some(taken) = self.taken(number, to) else {
                continue;
            };
            self.budget -= 1;
            let lost = (free - fight.left_in_all) * study.temper.loss;
            let worth = study.worth.of_taking(scene, to, taken);
            let child = ChainNode {
                parent: number,
                from: node.at,
                to,
                at: to,
                stack: fight.left,
                chance: node.chance * fight.capture,
                value: node.value + node.chance * (fight.capture * worth - lost),
                worth,
                capture: fight.capture,
                lost,
            };
            self.add(child);
            let moved = fight.left.min(FIRST);
            if fight.left - moved >= 1.0 {
                self.add(ChainNode {
                    at: node.at,
                    stack: fight.left + 1.0 - moved,
                    ..child
                });
            }
        }
    }

    fn add(&mut self, node: ChainNode) {
        self.next.push(self.nodes.len() as u32);
        self.nodes.push(node);
    }

    /// Returns the effect of a chain's conquests on a territory, or `None` if the chain has taken
    /// the territory.
    fn taken(&self, number: u32, to: Territory) -> Option<PriorConquests> {
        let mut next = number;
        let territories = std::iter::from_fn(|| {
            let node = self.nodes.get(next as usize)?;
            next = node.parent;
            Some(node.to)
        });
        PriorConquests::before(&self.study.scene, territories, to)
    }

    fn end(&self, number: u32) -> f32 {
        let node = &self.nodes[number as usize];
        let mut foes = self.study.scene.foes(node.at);
        if foes.any(|to| self.taken(number, to).is_some()) {
            node.value
        } else {
            node.value - node.chance * node.stack * STRANDED
        }
    }

    fn best(&self) -> Chain {
        let mut best: Option<(f32, u32)> = None;
        for number in 0..self.nodes.len() as u32 {
            if best.is_some_and(|(most, _)| self.nodes[number as usize].value <= most) {
                continue;
            }
            let value = self.end(number);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, number));
            }
        }
        best.map_or_else(Chain::default, |(value, number)| Chain {
            value,
            steps: self.steps(number),
        })
    }

    fn steps(&self, mut number: u32) -> Vec<ChainStep> {
        let mut steps = Vec::new();
        let mut later = 0.0;
        while let Some(node) = self.nodes.get(number as usize) {
            steps.push(ChainStep {
                from: node.from,
                to: node.to,
                share: if node.at == node.to { 1.0 } else { 0.0 },
                prize: node.worth + later,
                capture: node.capture,
                value: node.value,
            });
            later = node.capture * (node.worth + later) - node.lost;
            number = node.parent;
        }
        steps.reverse();
        steps
    }
}
