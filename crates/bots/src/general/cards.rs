//! The choice of cards to trade, and the time of a trade.

use super::evaluation_context::EvaluationContext;
use super::turn_plan::plan;
use risk_kernel::action::{Action, Options};
use risk_kernel::id::Verb;
use risk_kernel::view::View;

const SETS: u64 = 1_000;
/// The minimum gain per army at which a set is traded without need.
const ENOUGH: f32 = 0.6;

/// Returns the best set that is offered. Cards of the player's territories are preferred, because
/// their armies arrive immediately. Wild cards are saved.
pub(super) fn best_set(view: &View, options: &Options, trade: Verb) -> Option<Action> {
    let mut best: Option<(i32, Action)> = None;
    for number in 0..options.len().min(SETS) {
        let action = options.nth(number);
        if action.verb != trade {
            continue;
        }
        let worth = worth(view, &action);
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, action));
        }
    }
    best.map(|(_, action)| action)
}

/// Reports whether the armies of a set are worth more now than they are likely to be later.
pub(super) fn helps(study: &EvaluationContext<'_>, reserve: i32) -> bool {
    if !study.skill.patience {
        return true;
    }
    let set = study.scene.set_value;
    let value = |armies: i32| plan(study, armies).map_or(0.0, |plan| plan.value);
    value(reserve.saturating_add(set)) - value(reserve) > ENOUGH * set as f32
}

fn worth(view: &View, action: &Action) -> i32 {
    let cards = &view.decl().cards;
    let known = |&card: &i32| cards.get(usize::try_from(card).ok()?);
    let territories = || action.args().iter().filter_map(known).map(|card| card.at);
    // Wild cards have no territory.
    let wild = territories().filter(Option::is_none).count() as i32;
    let first = territories().next().flatten().filter(|&at| view.mine(at));
    let bonus = first.map_or(0, |at| if view.is_front(at) { 6 } else { 2 });
    bonus - 5 * wild
}
