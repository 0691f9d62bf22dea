//! The choice of a plan by the chance to win after it, for the level `learned`.

use super::evaluation_context::EvaluationContext;
use super::expected_board::after_conquest;
use super::turn_end::TurnEnd;
use super::turn_plan::TurnPlan;
use super::value_net;

/// A failure of a plan that is less likely than this has no influence.
const RARE: f32 = 0.01;
/// The chance to complete a plan below which its later conquests are ignored.
const HOPELESS: f32 = 0.05;

/// Returns the plan with the best chance to win, or `None` if there are no plans. The plan's value
/// becomes the gain of this chance over the end of the turn now.
pub(super) fn best(study: &EvaluationContext<'_>, plans: Vec<TurnPlan>) -> Option<TurnPlan> {
    let mut best: Option<TurnPlan> = None;
    let now = chance(study, &end_of_turn(study));
    for mut plan in plans {
        plan.value = chance_of(study, &plan) - now;
        if best.as_ref().is_none_or(|most| plan.value > most.value) {
            best = Some(plan);
        }
    }
    best
}

fn end_of_turn(study: &EvaluationContext<'_>) -> TurnEnd {
    let scene = &study.scene;
    TurnEnd::new(scene, scene.me + 1)
}

fn chance(study: &EvaluationContext<'_>, end: &TurnEnd) -> f32 {
    let features = end.features(&study.scene, study.chances);
    value_net::chance(&features, study.scene.me)
}

/// Returns the expected chance to win after a plan. Each of its conquests may fail, which ends the
/// turn.
fn chance_of(study: &EvaluationContext<'_>, plan: &TurnPlan) -> f32 {
    let scene = &study.scene;
    let mut end = end_of_turn(study);
    for &(at, armies) in &plan.placing {
        end.armies[at.index()] += armies as f32;
    }
    let mut territories = scene.territories;
    let mut has_conquered = scene.has_conquered || scene.set_value == 0;
    let mut reached = 1.0;
    let mut expected = 0.0;
    for step in &plan.steps {
        let (from, to) = (step.from.index(), step.to.index());
        let free = end.armies[from] - 1.0;
        let defenders = end.armies[to];
        let fight = study.expected(step.from, step.to, free, (defenders + 0.5) as i32);
        let fails = reached * (1.0 - fight.capture);
        reached *= fight.capture;
        if fails > RARE {
            let mut failed = end.clone();
            failed.armies[from] = 1.0;
            failed.armies[to] = (defenders / 2.0).max(1.0);
            expected += fails * chance(study, &failed);
        }
        let (stays, moves) = after_conquest(fight, step);
        end.armies[from] = stays;
        end.armies[to] = moves;
        let owner = usize::from(std::mem::replace(&mut end.owner[to], scene.me as u8));
        territories[owner] -= 1;
        if territories[owner] == 0 {
            end.cards[scene.me] += std::mem::take(&mut end.cards[owner]);
        }
        if !std::mem::replace(&mut has_conquered, true) {
            end.cards[scene.me] += 1.0;
        }
        if reached < HOPELESS {
            break;
        }
    }
    expected + reached * chance(study, &end)
}
