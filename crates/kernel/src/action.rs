//! Actions, with the options and bounds that determine which actions are legal.

mod bounds;
pub mod narrow;
mod offer;
mod options;
mod plans;

use super::id::Verb;

pub use bounds::Bounds;
pub use offer::{Domain, Offer};
pub use options::{AdmissionError, Options};

/// The maximum number of parameters of a verb.
pub const MAX_SLOTS: usize = 4;

/// One decision: a verb and its parameters, as the ruleset declares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// The verb.
    pub verb: Verb,
    count: u8,
    args: [i32; MAX_SLOTS],
}

impl Action {
    /// Creates an action from a verb and its parameters.
    ///
    /// # Panics
    /// Panics with more than [`MAX_SLOTS`] parameters.
    #[inline]
    #[must_use]
    pub fn new(verb: Verb, args: &[i32]) -> Self {
        assert!(
            args.len() <= MAX_SLOTS,
            "an action has at most {MAX_SLOTS} parameters"
        );
        let mut all = [0; MAX_SLOTS];
        // The loop is unrolled for speed because each decision creates several actions.
        match *args {
            [] => {}
            [a] => all[0] = a,
            [a, b] => [all[0], all[1]] = [a, b],
            [a, b, c] => [all[0], all[1], all[2]] = [a, b, c],
            _ => all.copy_from_slice(args),
        }
        Self {
            verb,
            count: args.len() as u8,
            args: all,
        }
    }

    /// Returns the parameters of the verb.
    #[inline]
    #[must_use]
    pub fn args(&self) -> &[i32] {
        &self.args[..self.count as usize]
    }
}

/// An action that was offered. Only [`Options::admit`], [`Options::admit_plan`] and
/// [`Bounds::admit`] create this type, so an illegal move inside the kernel does not type-check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalAction(Action);

impl LegalAction {
    /// Returns the action itself.
    #[inline]
    #[must_use]
    pub const fn action(self) -> Action {
        self.0
    }
}

impl std::ops::Deref for LegalAction {
    type Target = Action;
    fn deref(&self) -> &Action {
        &self.0
    }
}
