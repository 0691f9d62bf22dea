//! A battle in percent: every army kills with a chance, all at once, and what luck leaves to the
//! average is rounded.

use super::table::NumberTable;
use super::{Bind, Unbound};
use crate::fault::RuleFault;
use crate::state::GameState;

/// The side of a battle whose armies kill.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    /// Those who attack.
    Attacking,
    /// Those who are attacked.
    Defending,
}

/// What a battle costs, by the tables `kill_percent`, `kill_luck` and `kill_weighted`.
#[derive(Debug)]
pub(super) struct Kills {
    /// Chance in percent that an army kills, by side.
    percent: [i32; 2],
    /// Percent of the kills that are left to chance.
    luck: i32,
    /// Is a part of a kill rounded by chance, instead of half and more up?
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
                .ok_or(Unbound::Value(name, "a percentage, from 0 to 100"))
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

    /// How often chance is asked for so many armies.
    pub(super) const fn tries(&self, armies: i32) -> u64 {
        if self.luck > 0 && armies > 0 {
            armies as u64
        } else {
            0
        }
    }

    /// How many so many armies kill: what is expected and what is rolled, mixed by luck, then
    /// rounded.
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
