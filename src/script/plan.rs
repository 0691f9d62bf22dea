//! Plans: one answer of a script that decides many times, without another call.

use std::collections::VecDeque;

use crate::kernel::action::{Action, Options};
use crate::kernel::id::{Territory, Verb};
use crate::kernel::view::View;

/// When a fight stops, and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FightRules {
    /// It stops when fewer armies than this may fight.
    pub(super) keep: i32,
    /// It stops when the attacker has not this many armies more than the defender.
    pub(super) edge: Option<i32>,
    /// How many armies follow after a capture, as far as they may; -1 for all.
    pub(super) move_in: i32,
}

impl Default for FightRules {
    fn default() -> Self {
        Self { keep: 1, edge: None, move_in: -1 }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Fight { from: i32, to: i32, rules: FightRules },
}

/// Steps that are turned into single answers, each of which must still be admitted. A step that has
/// become impossible is over.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    steps: VecDeque<Step>,
}

impl Plan {
    pub(super) fn fight(from: i32, to: i32, rules: &FightRules) -> Self {
        Self { steps: VecDeque::from([Step::Fight { from, to, rules: *rules }]) }
    }

    pub(super) fn then(mut self, second: Self) -> Self {
        self.steps.extend(second.steps);
        self.steps.truncate(crate::kernel::turn_loop::MOST_STEPS);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The next answer, or `None` when the plan has nothing (more) to say here; it is over then.
    pub(super) fn next(&mut self, view: &View, ask: &Options) -> Option<Action> {
        while let Some(&Step::Fight { from, to, rules }) = self.steps.front() {
            match fight(view, ask, (from, to), rules) {
                Next::Answer(action) => return Some(action),
                Next::Last(action) => {
                    self.steps.pop_front();
                    return Some(action);
                }
                Next::Over => {
                    self.steps.pop_front();
                }
                Next::Elsewhere => break,
            }
        }
        self.steps.clear();
        None
    }
}

enum Next {
    /// Say this and go on with the step.
    Answer(Action),
    /// Say this; the step is over then.
    Last(Action),
    /// The step is over.
    Over,
    /// This ask is about something else.
    Elsewhere,
}

fn fight(view: &View, ask: &Options, (from, to): (i32, i32), rules: FightRules) -> Next {
    let decl = view.decl();
    let (attack, follow) = (decl.verb("attack"), decl.verb("move"));
    if let Some(most) = follow.and_then(|verb| most(ask, verb, from, to)) {
        let count = if rules.move_in < 0 { most } else { rules.move_in.min(most) };
        let action = Action::new(follow.expect("the verb was just found"), &[from, to, count]);
        return if ask.admit(action).is_ok() { Next::Last(action) } else { Next::Elsewhere };
    }
    let Some(attack) = attack.filter(|&verb| ask.has(verb)) else { return Next::Elsewhere };
    let land =
        |number: i32| usize::try_from(number).ok().filter(|&at| at < view.board().len()).map(Territory::from_index);
    let (Some(source), Some(target)) = (land(from), land(to)) else { return Next::Over };
    let (Some(a), Some(d)) = (view.armies(source), view.armies(target)) else { return Next::Over };
    let stops = view.mine(target) || a - 1 < rules.keep || rules.edge.is_some_and(|edge| a - d < edge);
    match most(ask, attack, from, to).filter(|_| !stops) {
        Some(dice) => Next::Answer(Action::new(attack, &[from, to, dice])),
        None => Next::Over,
    }
}

/// The greatest count offered for a verb between two territories.
pub(crate) fn most(ask: &Options, verb: Verb, from: i32, to: i32) -> Option<i32> {
    let offers = ask.offers().iter().filter(|offer| offer.verb == verb && offer.slots().len() == 3);
    let fits = |slots: &[crate::kernel::action::Domain]| ask.contains(slots[0], from) && ask.contains(slots[1], to);
    let offer = offers.into_iter().find(|offer| fits(offer.slots()))?;
    let counts = offer.slots()[2];
    Some(ask.value(counts, ask.size(counts) - 1))
}
