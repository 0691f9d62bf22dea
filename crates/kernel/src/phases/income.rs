//! `standard("income")`: adds a player's reinforcements to the reserve.
//!
//! The number of reinforcements is `income(territories)` from the ruleset's table plus the bonuses
//! of the continents and other groups that the player holds, but at least the parameter `least`
//! (default: 0). With `equal_once: true`, equal bonuses count only once.

use std::collections::BTreeSet;

use super::table::NumberTable;
use super::{BindError, Hooks, PhaseBinder, PhaseRules};
use crate::fault::RuleResult;
use crate::id::{Counter, Group, Player};
use crate::state::{Frame, GameState};

pub(super) struct Income {
    reserve: Counter,
    income: NumberTable,
    least: i32,
    equal_once: bool,
}

impl Income {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            reserve: bind.counter("reserve")?,
            income: bind.table("income", "[0..=TERRITORIES]", 1)?,
            least: bind.number("least", 0, 0)?,
            equal_once: bind.flag("equal_once", false)?,
        })
    }
}

impl Income {
    fn bonus(&self, game: &GameState, player: Player) -> i64 {
        if !self.equal_once {
            return bonus(game, player);
        }
        let different: BTreeSet<i64> = bonuses(game, player).into_iter().collect();
        different.into_iter().sum()
    }
}

/// Returns the sum of the bonuses of all groups that a player holds, without those that the map
/// places.
#[must_use]
pub fn bonus(game: &GameState, player: Player) -> i64 {
    bonuses(game, player).into_iter().sum()
}

fn bonuses(game: &GameState, player: Player) -> Vec<i64> {
    let board = game.board();
    let owned = |group| game.owned_in(player, group);
    let is_paid = |&(group, _): &(Group, i64)| {
        let place = board.group(group).deploys;
        !place.is_some_and(|at| game.owns(player, at))
    };
    let paid = board.bonuses(&owned).filter(is_paid);
    paid.map(|(_, bonus)| bonus).collect()
}

impl PhaseRules for Income {
    fn asks(&self) -> bool {
        false
    }

    fn enter(&self, game: &mut GameState, frame: &Frame, _: &mut dyn Hooks) -> RuleResult {
        let Some(player) = frame
            .opened_for
            .filter(|&player| game.playing().has(player))
        else {
            return Ok(());
        };
        let territory = self.income.get(&[game.territory_count(player) as i32])?;
        let armies = (i64::from(territory) + self.bonus(game, player)).max(i64::from(self.least));
        game.add_counter(self.reserve, Some(player), armies)
    }
}
