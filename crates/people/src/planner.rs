//! A person who plans all answers of a secret phase: their questions, suggestions and takebacks.

use super::adviser::Adviser;
use super::phase_plan::PhasePlan;
use super::prompt::{Choice, PersonQuestion, is_forced, more};
use super::reading::{ParsedAnswer, again};
use risk_kernel::action::Action;
use risk_kernel::view::View;

/// The plan of a person in a secret phase. The suggestions come from an adviser of its own, because
/// the game asks the seat's adviser again.
pub(super) struct Planner {
    plan: PhasePlan,
    /// What the player knows at the beginning of the phase.
    pub(super) start: View,
    adviser: Adviser,
    /// The action to repeat while it is possible, and how often.
    repeated: Option<(Action, u32)>,
    /// Whether the rest of the phase is left to suggestions.
    is_left: bool,
    /// A note to show with the next question.
    pub(super) note: Option<String>,
    is_over: bool,
}

impl Planner {
    pub(super) fn new(plan: PhasePlan, start: &View, mut adviser: Adviser) -> Self {
        adviser.start(start);
        Self {
            plan,
            start: start.clone(),
            adviser,
            repeated: None,
            is_left: false,
            note: None,
            is_over: false,
        }
    }

    /// Goes past decisions that need no question, and calls `note` for each. Returns `false` if the
    /// phase is over for the player.
    pub(super) fn advance(&mut self, mut note: impl FnMut(&View, Action)) -> bool {
        while let Some((view, options)) = self.plan.question().filter(|_| !self.is_over) {
            let repeated = self.repeated.take().and_then(|(last, times)| {
                let action = again(last, options)?;
                self.repeated = more(action, times);
                Some(action)
            });
            self.adviser.consider(&view, options);
            let forced = is_forced(options) && self.plan.last().is_none();
            let forced = forced.then(|| options.nth(0));
            let given = repeated.or(forced);
            let left = if given.is_none() && self.is_left {
                self.adviser.suggested(&view, options)
            } else {
                None
            };
            let Some(action) = given.or(left) else {
                return true;
            };
            note(&view, action);
            self.apply(action);
        }
        false
    }

    /// Calls `ask` with the current question, if there is one.
    pub(super) fn question<T>(
        &mut self,
        ask: impl FnOnce(&mut PersonQuestion<'_>) -> T,
    ) -> Option<T> {
        let (view, options) = self.plan.question()?;
        Some(ask(&mut PersonQuestion {
            view: &view,
            options,
            others: &self.start,
            adviser: &mut self.adviser,
            note: self.note.take(),
            planned: self.plan.last(),
        }))
    }

    /// Adds the answer to the current question.
    pub(super) fn choose(&mut self, choice: &Choice) {
        match *choice {
            Choice::Say(ParsedAnswer { action, times }) => {
                self.repeated = more(action, times);
                self.apply(action);
            }
            Choice::Auto(action, _) => {
                self.is_left = true;
                self.apply(action);
            }
            Choice::Back => {}
        }
    }

    fn apply(&mut self, action: Action) {
        self.adviser.heed(action);
        self.is_over = !self.plan.take(action);
    }

    /// Gives an earlier answer again. Returns `false` if it is no longer possible.
    pub(super) fn repeat(&mut self, action: Action) -> bool {
        let question = self.plan.question();
        let is_possible =
            question.is_some_and(|(_, options)| options.admit(action).is_ok()) && !self.is_over;
        if is_possible {
            self.apply(action);
        }
        is_possible
    }

    /// Takes back the last answer. Returns `false` if there is none.
    pub(super) fn back(&mut self, adviser: Adviser) -> bool {
        let last = self.plan.actions().len().checked_sub(1);
        last.is_some_and(|last| self.take_back(last, adviser))
    }

    /// Takes back the answer that contains one of the player's pending orders, counted from 0.
    /// Later answers are repeated. Returns `false` if the order is from an earlier phase, or if
    /// there is no such order.
    pub(super) fn retract(&mut self, order: usize, adviser: Adviser) -> bool {
        let orders = self.plan.question().map(|(view, _)| view);
        let orders = orders.map_or_else(Vec::new, |view| view.orders().copied().collect());
        let Some(&action) = orders.get(order) else {
            return false;
        };
        // Equal orders are matched from the end: each pending order after this one has its own
        // answer.
        let behind = orders[order + 1..].iter().filter(|&&it| it == action);
        let behind = behind.count();
        let given = self.plan.actions().iter().enumerate().rev();
        let mut given = given.filter(|(_, given)| **given == action);
        let found = given.nth(behind).map(|(at, _)| at);
        found.is_some_and(|at| self.take_back(at, adviser))
    }

    fn take_back(&mut self, at: usize, mut adviser: Adviser) -> bool {
        adviser.start(&self.start);
        self.adviser = adviser;
        (self.repeated, self.is_left, self.is_over) = (None, false, false);
        let mut actions = self.plan.actions().to_vec();
        actions.remove(at);
        self.plan.begin_again();
        for action in actions {
            self.repeat(action);
        }
        true
    }

    /// Drops all answers of a player who gives up.
    pub(super) fn give_up(&mut self) {
        self.plan.begin_again();
        self.is_over = true;
    }

    /// Returns the answers so far, in order.
    pub(super) fn actions(&self) -> &[Action] {
        self.plan.actions()
    }
}
