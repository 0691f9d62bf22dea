//! Battles in percent: all armies kill simultaneously, each with a chance. The share that luck
//! leaves to the average is rounded.

use super::table::NumberTable;
use super::{Bind, Unbound};
use crate::fault::RuleFault;
use crate::state::GameState;

#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Attacking,
    Defending,
}

#[derive(Debug)]
pub(super) struct Kills {
    /// The chance in percent that an army kills, by side.
    percent: [i32; 2],
    /// The percentage of the kills that is left to chance.
    luck: i32,
    /// Whether a fraction of a kill is rounded by chance; if not, it is rounded half up.
    weighted: bool,
}

impl Kills {
    pub(super) fn bind(bind: &Bind<'_>) -> Result<Self, Unbound> {
        let percent = bind.table("kill_percent", "[0..=1]", 1)?;
        let luck = bind.table("kill_luck", "[0..=0]", 1)?;
        let weighted = bind.table("kill_weighted", "[0..=0]", 1)?;
        let value = |table: &NumberTable, side, name| {
            let value = table.get(&[side]).ok();
            value
                .filter(|value| (0..=100).contains(value))
                .ok_or(Unbound::Value(name, "a percentage from 0 to 100"))
        };
        Ok(Self {
            percent: [
                value(&percent, 0, "kill_percent")?,
                value(&percent, 1, "kill_percent")?,
            ],
            luck: value(&luck, 0, "kill_luck")?,
            weighted: value(&weighted, 0, "kill_weighted")? > 0,
        })
    }

    pub(super) const fn tries(&self, armies: i32) -> u64 {
        if self.luck > 0 && armies > 0 {
            armies as u64
        } else {
            0
        }
    }

    /// Mixes expected and rolled kills by luck, then rounds.
    pub(super) fn roll(
        &self,
        game: &mut GameState,
        armies: i32,
        side: Side,
    ) -> Result<i32, RuleFault> {
        let percent = self.percent[side as usize];
        let luck = i64::from(self.luck);
        let rolled = if luck > 0 {
            game.try_chance(armies, percent)?
        } else {
            0
        };
        // In hundredths of a percent.
        let parts =
            (100 - luck) * i64::from(armies) * i64::from(percent) + luck * i64::from(rolled) * 100;
        let whole = (parts / 10_000) as i32;
        let rest = (parts % 10_000) as u64;
        let up = match rest {
            0 => false,
            _ if self.weighted => game.random(10_000)? < rest,
            _ => rest >= 5_000,
        };
        Ok(whole + i32::from(up))
    }
}
