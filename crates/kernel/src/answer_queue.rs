//! The rest of an answer of several steps.

use std::collections::VecDeque;

use super::action::{Action, Legal, Options};

/// The steps of a player's last answer that are still to be done, the next one first.
#[derive(Clone, Debug, Default)]
pub struct AnswerQueue(VecDeque<Action>);

impl AnswerQueue {
    /// Takes the next step, if it is among the options; if it is not, all steps are forgotten.
    pub fn take(&mut self, options: &Options) -> Option<Legal> {
        let legal = options.admit(self.0.pop_front()?).ok();
        if legal.is_none() {
            self.0.clear();
        }
        legal
    }

    /// The next step, which stays where it is.
    #[must_use]
    pub fn first(&self) -> Option<Action> {
        self.0.front().copied()
    }

    /// Takes the next step away.
    pub fn drop_first(&mut self) {
        self.0.pop_front();
    }

    /// Has every step been done?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps these steps alone.
    pub fn replace(&mut self, steps: &[Action]) {
        self.0.clear();
        self.0.extend(steps);
    }
}
