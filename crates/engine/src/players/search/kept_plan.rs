//! The plan that a search has found, and what it expects to see at each step.

use std::collections::VecDeque;

use risk_kernel::action::{Action, Options};
use risk_kernel::id::{Counter, Player, Unit};
use risk_kernel::rng::mix;
use risk_kernel::view::View;

/// An action of a plan, and the position in which it was planned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) action: Action,
    /// A hash of what the player sees before the action.
    pub(super) sight: u64,
    /// True if the player had more than one option.
    pub(super) is_free: bool,
}

impl Step {
    /// Reports whether both are the same action in the same position.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.action == other.action && self.sight == other.sight
    }
}

/// The remaining steps of a plan.
#[derive(Default)]
pub(super) struct KeptPlan(VecDeque<Step>);

impl KeptPlan {
    pub(super) fn new(steps: Vec<Step>) -> Self {
        Self(steps.into())
    }

    /// Returns the next action if the position is the one in which it was planned.
    pub(super) fn next(&mut self, view: &View, options: &Options) -> Option<Action> {
        let step = self.0.front()?;
        let fits = options.admit(step.action).is_ok() && step.sight == sight(view);
        if fits {
            self.0.pop_front().map(|step| step.action)
        } else {
            None
        }
    }

    /// Returns the next action that is possible. Earlier steps are dropped.
    pub(super) fn first(&mut self, options: &Options) -> Option<Action> {
        let place = (self.0.iter()).position(|step| options.admit(step.action).is_ok())?;
        self.0.drain(..=place).next_back().map(|step| step.action)
    }

    /// Returns the remaining actions.
    pub(super) fn actions(&self) -> Vec<Action> {
        self.0.iter().map(|step| step.action).collect()
    }
}

/// Returns a hash of what a plan rests on: the phase, the land, the marks and the counters, as the
/// player sees them.
pub(super) fn sight(view: &View) -> u64 {
    let decl = view.decl();
    let mut sum = view
        .frame()
        .map_or(0, |frame| frame.phase.index() as u64 + 1);
    let mut add = |value: u64| sum = mix(sum ^ value);
    for at in view.board().territories() {
        add(view.owner(at).map_or(0, |owner| owner.index() as u64 + 1));
        for unit in 0..decl.units.len() {
            add(view.units(at, Unit::from_index(unit)).unwrap_or(-1) as u64);
        }
    }
    for (at, mark, value) in view.marks() {
        add(at.index() as u64);
        add(mark.index() as u64);
        add(value as u64);
    }
    for counter in 0..decl.counters.len() {
        let counter = Counter::from_index(counter);
        add(view.counter(counter, None).unwrap_or(-1) as u64);
        for seat in 0..view.players() {
            let value = view.counter(counter, Some(Player::from_index(seat)));
            add(value.unwrap_or(-1) as u64);
        }
    }
    sum
}
