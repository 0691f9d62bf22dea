//! The steps of a game since its start. They lead to the same game again.

use std::sync::Arc;

use risk_engine::{Action, Player, Verb};
use serde::{Deserialize, Serialize};

/// A change of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Act(Player, Action),
    /// The game as this player imagines it, with this seed.
    Imagine(Player, u64),
    /// New dice and decks from this seed.
    Reseed(u64),
    /// The bots left, and the caller plays their seats.
    Unseat,
}

/// A step as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum WrittenStep {
    /// The player, the verb and its parameters.
    Act(u8, u8, Vec<i32>),
    Imagine(u8, u64),
    Reseed(u64),
    Unseat,
}

impl From<Step> for WrittenStep {
    fn from(step: Step) -> Self {
        match step {
            Step::Act(player, action) => Self::Act(player.0, action.verb.0, action.args().to_vec()),
            Step::Imagine(player, seed) => Self::Imagine(player.0, seed),
            Step::Reseed(seed) => Self::Reseed(seed),
            Step::Unseat => Self::Unseat,
        }
    }
}

impl WrittenStep {
    /// Returns the step, or `None` if it has too many parameters.
    pub(super) fn step(&self) -> Option<Step> {
        Some(match self {
            Self::Act(player, verb, args) => {
                if args.len() > risk_kernel::action::MAX_SLOTS {
                    return None;
                }
                Step::Act(Player(*player), Action::new(Verb(*verb), args))
            }
            Self::Imagine(player, seed) => Step::Imagine(Player(*player), *seed),
            Self::Reseed(seed) => Step::Reseed(*seed),
            Self::Unseat => Step::Unseat,
        })
    }
}

/// The steps since the start. Copies share the earlier steps, so a search can keep many of them.
#[derive(Clone, Default)]
pub(super) struct History {
    earlier: Option<Arc<SharedSteps>>,
    own: Vec<Step>,
}

struct SharedSteps {
    earlier: Option<Arc<SharedSteps>>,
    steps: Vec<Step>,
}

impl History {
    pub(super) fn push(&mut self, step: Step) {
        self.own.push(step);
    }

    /// Returns a copy that shares the steps so far.
    pub(super) fn share(&mut self) -> Self {
        if !self.own.is_empty() {
            let earlier = self.earlier.take();
            let steps = std::mem::take(&mut self.own);
            self.earlier = Some(Arc::new(SharedSteps { earlier, steps }));
        }
        self.clone()
    }

    /// Returns all steps, the first step first.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut parts: Vec<&[Step]> = vec![&self.own];
        let mut earlier = &self.earlier;
        while let Some(shared) = earlier {
            parts.push(&shared.steps);
            earlier = &shared.earlier;
        }
        parts.into_iter().rev().flatten().copied().collect()
    }
}

/// Drops a long chain without recursion.
impl Drop for SharedSteps {
    fn drop(&mut self) {
        let mut earlier = self.earlier.take();
        while let Some(mut shared) = earlier.and_then(Arc::into_inner) {
            earlier = shared.earlier.take();
        }
    }
}
