//! What a general is after with its last answer. It is computed from the stored plan with the
//! formulas of the search, but only on request.

use super::General;
use super::chains::ChainStep;
use super::evaluation_context::EvaluationContext;
use super::expected_board::ExpectedBoard;
use risk_kernel::Aim;
use risk_kernel::action::Action;
use risk_kernel::id::{Player, Territory};
use risk_kernel::view::View;

/// A stack that takes territories in the elimination of a player.
struct Root {
    at: Territory,
    territories: i32,
    defenders: i32,
}

impl General {
    /// Returns what the plan behind the last answer is after. `action` is that answer.
    pub(super) fn aim_of(&self, view: &View, action: Action) -> Aim {
        let study = EvaluationContext::new(view, &self.chances, self.skill);
        let mut position = ExpectedBoard::new(&study);
        let number = |slot: usize| action.args().get(slot).copied().unwrap_or(0);
        let territory = |slot: usize| Territory::from_index(number(slot) as usize);
        let verbs = &self.heuristics.verbs;
        let is_placed = Some(action.verb) == verbs.place;
        let mut hold = Vec::new();
        let (steps, victim): (Vec<&ChainStep>, _) = if is_placed {
            let now = (territory(0), number(1));
            for (at, armies) in std::iter::once(now).chain(self.placing.iter().copied()) {
                position.place(at, armies);
                let steps = &self.prepared.steps;
                if steps.iter().all(|step| step.from != at) && !hold.contains(&at) {
                    hold.push(at);
                }
            }
            (self.prepared.steps.iter().collect(), self.prepared.victim)
        } else {
            if Some(action.verb) == verbs.to_move {
                position.place(territory(0), -number(2));
                position.place(territory(1), number(2));
            }
            (self.steps.iter().collect(), self.victim)
        };
        let take: Vec<Territory> = steps.iter().map(|step| step.to).collect();
        let expected = match victim {
            _ if steps.is_empty() => None,
            Some(_) => Some(by_trees(&study, &position, &steps)),
            None => Some(by_chain(&study, position, &steps)),
        };
        Aim {
            target: victim.or_else(|| last_of(view, &take)),
            chance: expected.map(|(chance, _)| f64::from(chance)),
            left: expected.map(|(_, left)| f64::from(left)),
            take,
            hold,
        }
    }
}

/// Returns the chance of a whole chain and the armies left after its last fight, as the search for
/// chains computes them.
fn by_chain(
    study: &EvaluationContext<'_>,
    mut position: ExpectedBoard,
    steps: &[&ChainStep],
) -> (f32, f32) {
    let mut chance = 1.0;
    let mut left = 0.0;
    for step in steps {
        let free = position.armies(step.from) - 1.0;
        let fight = study.expected(step.from, step.to, free, study.scene.armies(step.to));
        chance *= fight.capture;
        left = fight.left;
        position.conquer(study, step);
    }
    (chance, left)
}

/// Returns the chance that the stacks take all of their territories and the armies that are then
/// left, as the search for eliminations computes them.
fn by_trees(
    study: &EvaluationContext<'_>,
    position: &ExpectedBoard,
    steps: &[&ChainStep],
) -> (f32, f32) {
    let mut taken: Vec<(Territory, usize)> = Vec::new();
    let mut roots: Vec<Root> = Vec::new();
    for step in steps {
        let from = step.from;
        let above = taken.iter().find(|(at, _)| *at == from).map(|(_, it)| *it);
        let known = above.or_else(|| roots.iter().position(|root| root.at == from));
        let index = known.unwrap_or_else(|| {
            roots.push(Root {
                at: from,
                territories: 0,
                defenders: 0,
            });
            roots.len() - 1
        });
        let root = &mut roots[index];
        root.territories += 1;
        root.defenders = root
            .defenders
            .saturating_add(study.plain_defenders(from, step.to));
        taken.push((step.to, index));
    }
    roots.iter().fold((1.0, 0.0), |(chance, left), root| {
        // One army stays at the root and on each territory but the last.
        let free = (position.armies(root.at) - root.territories as f32).max(0.0);
        let fight = study.chances.expected(0, free, root.defenders);
        (chance * fight.capture, left + fight.left)
    })
}

/// Returns the player whose last territories are among these, if any.
fn last_of(view: &View, take: &[Territory]) -> Option<Player> {
    let mut players = (0..view.players()).map(Player::from_index);
    players.find(|&player| {
        let taken = take.iter().filter(|&&at| view.owner(at) == Some(player));
        let taken = taken.count();
        taken > 0 && view.territory_count(player) == Some(taken as u32)
    })
}
