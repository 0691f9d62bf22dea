//! The interface of the search that `ask.search(…)` calls.

use risk_kernel::action::{Action, Options};
use risk_kernel::fault::RuleResult;
use risk_kernel::id::Player;
use risk_kernel::view::{Facts, View};

/// Returns how well a player stands in an imagined game.
pub(crate) type OwnWorth<'a> = dyn Fn(&Facts, Player) -> RuleResult<i64> + 'a;

/// The limits of a search.
pub(crate) struct SearchLimits {
    /// The seed of the random numbers.
    pub(crate) seed: u64,
    /// The work, in operations of scripts.
    pub(crate) work: u64,
    /// The maximum number of imagined games.
    pub(crate) rollouts: u64,
}

/// The work that a search has done, in operations of scripts, and the actions that it has found.
/// The first of them is legal.
pub(crate) struct FoundPlan {
    pub(crate) actions: Vec<Action>,
    pub(crate) spent: u64,
}

/// A search for the best plan of a turn.
pub(crate) trait PlanSearch {
    /// Searches within the limits. `worth` compares positions instead of the ruleset. Returns the
    /// actions of the best plan up to the first whose effect depends on luck.
    fn best_plan(
        &mut self,
        view: &View,
        options: &Options,
        limits: &SearchLimits,
        worth: Option<&OwnWorth<'_>>,
    ) -> RuleResult<FoundPlan>;
}
