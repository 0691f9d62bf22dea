//! Plans that the ruleset offered and players answered with. What is offered must be possible, so
//! they are done without a rehearsal; where one stops halfway, it is rehearsed after all, and is
//! the ruleset's fault unless dice or cards came between.

use super::rehearsal::{Start, rehearse_from};
use super::run::Run;
use crate::kernel::action::Action;
use crate::kernel::fault::RuleFault;
use crate::kernel::id::{Phase, Player};

/// By seat: the offered plan that is being done, and the game before its first step.
pub(super) struct OfferedPlans(Vec<Option<(Start, Vec<Action>)>>);

impl OfferedPlans {
    pub(super) fn new(players: usize) -> Self {
        Self((0..players).map(|_| None).collect())
    }

    /// A player answers with a plan.
    pub(super) fn begin(&mut self, run: &Run<'_>, player: Player, steps: Vec<Action>) {
        let start = Start {
            facts: run.facts.clone(),
            idle: run.idle,
        };
        self.0[player.index()] = Some((start, steps));
    }

    /// The player's plan is done.
    pub(super) fn finish(&mut self, player: Player) {
        self.0[player.index()] = None;
    }

    /// The player's plan, if there is one, has stopped halfway.
    pub(super) fn check(
        &mut self,
        run: &mut Run<'_>,
        player: Player,
        wants: &[Phase],
    ) -> Result<(), RuleFault> {
        let Some((start, steps)) = self.0[player.index()].take() else {
            return Ok(());
        };
        rehearse_from(&start, run, player, &steps, wants)
            .map_err(|text| RuleFault::new(format!("a plan that is offered can't be done: {text}")))
    }
}
