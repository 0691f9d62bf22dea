//! `standard("income")`: a player's reinforcements come into the reserve.
//!
//! They are the table `income(territories)` and the bonuses of whole continents, together at least the
//! parameter `least` (0).

use super::table::Table;
use super::{Bind, Hooks, Phase, Unbound};
use crate::kernel::fault::RuleFault;
use crate::kernel::id::Counter;
use crate::kernel::state::{Frame, Game};

pub(super) struct Income {
    reserve: Counter,
    income: Table,
    least: i32,
}

impl Income {
    pub(super) fn bind(bind: &mut Bind<'_>) -> Result<Self, Unbound> {
        Ok(Self {
            reserve: bind.counter("reserve")?,
            income: bind.table("income", "[0..=TERRITORIES]", 1)?,
            least: bind.number("least", 0, 0)?,
        })
    }
}

impl Phase for Income {
    fn asks(&self) -> bool {
        false
    }

    fn enter(&self, game: &mut Game, frame: &Frame, _: &mut dyn Hooks) -> Result<(), RuleFault> {
        let Some(who) = frame.seat().filter(|&who| game.playing().has(who)) else { return Ok(()) };
        let land = self.income.get(&[game.territory_count(who) as i32])?;
        let armies = (i64::from(land) + game.bonus(who)).max(i64::from(self.least));
        game.add_counter(self.reserve, Some(who), armies)
    }
}
