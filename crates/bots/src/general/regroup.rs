//! The last move of a turn.

use super::chains::Search;
use super::evaluation_context::EvaluationContext;
use super::position_model::PositionModel;
use risk_kernel::id::Territory;

const MOVES: usize = 24;
/// The number of armies expected to be placed before the next attack.
const INCOME: i32 = 3;
/// The value of moving one army one step nearer to a front.
const FORWARD: f32 = 0.3;

#[derive(Clone, Copy, Debug)]
pub(super) struct ArmyMove {
    pub(super) from: Territory,
    pub(super) to: Territory,
    pub(super) armies: i32,
}

/// Returns the move that allows the largest gains in the next turn. Armies away from the fronts
/// move towards the nearest front.
pub(super) fn regroup(study: &EvaluationContext<'_>) -> Option<ArmyMove> {
    let far = distances(&study.scene);
    let mut search = Search::new(study);
    let mut best: Option<(f32, ArmyMove)> = None;
    for step in moves(&study.scene, &far) {
        let gain = gain(study, &mut search, &far, step);
        if gain > 0.0 && best.is_none_or(|(most, _)| gain > most) {
            best = Some((gain, step));
        }
    }
    best.map(|(_, step)| step)
}

fn gain(
    study: &EvaluationContext<'_>,
    search: &mut Search<'_>,
    far: &[u32],
    step: ArmyMove,
) -> f32 {
    let scene = &study.scene;
    let mut reach = |at: Territory, armies: i32| search.from(at, armies + INCOME).value.max(0.0);
    let mut gain = 0.0;
    if far[step.from.index()] > 0 {
        gain += step.armies as f32 * FORWARD;
    } else {
        gain -= reach(step.from, scene.armies(step.from));
    }
    if far[step.to.index()] == 0 {
        let there = scene.armies(step.to);
        gain += reach(step.to, there.saturating_add(step.armies)) - reach(step.to, there);
    }
    gain
}

/// Returns the largest moves that lead forward or from one front to another.
fn moves(scene: &PositionModel<'_>, far: &[u32]) -> Vec<ArmyMove> {
    let mut moves = Vec::new();
    for from in scene.mine().filter(|&from| scene.armies(from) > 1) {
        for to in scene.move_borders(from) {
            let here = far[from.index()];
            let there = far[to.index()];
            if scene.is_mine(to) && (there < here || here == 0 && there == 0) {
                let armies = scene.armies(from) - 1;
                moves.push(ArmyMove { from, to, armies });
            }
        }
    }
    moves.sort_by_key(|step| (-step.armies, step.from, step.to));
    moves.truncate(MOVES);
    moves
}

/// Returns the number of steps from each of the player's territories to the nearest front, through
/// the player's own territories.
fn distances(scene: &PositionModel<'_>) -> Vec<u32> {
    let mut far = vec![u32::MAX; scene.board.len()];
    let mut queue: Vec<Territory> = scene.fronts().collect();
    for at in &queue {
        far[at.index()] = 0;
    }
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        for from in scene.threats_to(at) {
            if scene.is_mine(from) && far[from.index()] == u32::MAX {
                far[from.index()] = far[at.index()] + 1;
                queue.push(from);
            }
        }
    }
    far
}
