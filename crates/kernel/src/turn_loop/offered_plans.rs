//! Plans that the ruleset offered and that players chose. An offered plan must be possible, so it
//! is applied without a rehearsal. If the plan stops halfway, it is rehearsed to find out whether
//! dice or cards stopped it. If not, the ruleset is at fault.

use std::collections::BTreeMap;

use super::rehearsal::{Start, rehearse_from};
use super::run::Run;
use crate::action::Action;
use crate::fault::{RuleFault, RuleResult};
use crate::id::{Phase, Player, PlayerSet};

#[derive(Default)]
pub(super) struct OfferedPlans {
    /// The players with a plan. The set is read before each decision and is usually empty.
    players: PlayerSet,
    /// The game before the first step and all steps of the plan, for each player.
    plans: BTreeMap<Player, (Start, Vec<Action>)>,
}

impl OfferedPlans {
    pub(super) const fn players(&self) -> PlayerSet {
        self.players
    }

    pub(super) fn begin(&mut self, run: &Run<'_>, player: Player, steps: Vec<Action>) {
        let start = Start {
            facts: run.facts.clone(),
            idle: run.idle,
        };
        self.players = self.players.with(player);
        self.plans.insert(player, (start, steps));
    }

    pub(super) fn finish(&mut self, player: Player) {
        if self.players.has(player) {
            self.players = self.players.without(player);
            self.plans.remove(&player);
        }
    }

    /// Checks the player's plan, if there is one, after the plan has stopped halfway.
    pub(super) fn check(
        &mut self,
        run: &mut Run<'_>,
        player: Player,
        wants: &[Phase],
    ) -> RuleResult {
        let Some((start, steps)) = self.plans.remove(&player) else {
            return Ok(());
        };
        self.players = self.players.without(player);
        rehearse_from(&start, run, None, player, &steps, wants)
            .map_err(|text| RuleFault::new(format!("invalid offered plan: {text}")))
    }
}
