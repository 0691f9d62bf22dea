//! The remaining steps of an answer with several steps.

use std::collections::VecDeque;

use super::action::{Action, LegalAction, Options};

/// The steps of a player's last answer that remain to be applied, the next step first.
#[derive(Clone, Debug, Default)]
pub struct AnswerQueue(VecDeque<Action>);

impl AnswerQueue {
    /// Removes and returns the next step if it is among the options. If not, drops all steps.
    pub fn take(&mut self, options: &Options) -> Option<LegalAction> {
        let legal = options.admit(self.0.pop_front()?).ok();
        if legal.is_none() {
            self.0.clear();
        }
        legal
    }

    /// Returns the next step without removing it.
    #[must_use]
    pub fn first(&self) -> Option<Action> {
        self.0.front().copied()
    }

    /// Removes the next step.
    pub fn drop_first(&mut self) {
        self.0.pop_front();
    }

    /// Reports whether no steps remain.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all steps.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Replaces the steps.
    pub fn replace(&mut self, steps: &[Action]) {
        self.0.clear();
        self.0.extend(steps);
    }
}
