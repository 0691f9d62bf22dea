//! Battles in percent: all armies fight simultaneously, and each army kills with the same chance.
//! The number of kills is a weighted mean of the expected and the rolled number, rounded.

use super::table::NumberTable;
use super::{BindError, PhaseBinder};
use crate::fault::RuleResult;
use crate::state::GameState;

#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Attacking,
    Defending,
}

#[derive(Debug)]
pub(super) struct Kills {
    /// The chance in percent that an army kills, for each side.
    percent: [i32; 2],
    /// The weight of the rolled kills, in percent.
    luck: i32,
    /// Whether a fraction of a kill is rounded randomly. If false, it is rounded half up.
    weighted: bool,
}

impl Kills {
    /// Binds the rules for fights of a class.
    pub(super) fn bind(bind: &PhaseBinder<'_>, class: u32) -> Result<Self, BindError> {
        let percent = bind.fight_table("kill_percent", "[0..=1]", 1, class)?;
        let luck = bind.fight_table("kill_luck", "[0..=0]", 1, class)?;
        let weighted = bind.fight_table("kill_weighted", "[0..=0]", 1, class)?;
        let value = |table: &NumberTable, side, name| {
            let value = table.get(&[side]).ok();
            value
                .filter(|value| (0..=100).contains(value))
                .ok_or(BindError::Value(name, "a percentage from 0 to 100"))
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

    /// Returns the weighted mean of the expected and the rolled kills, rounded.
    pub(super) fn roll(&self, game: &mut GameState, armies: i32, side: Side) -> RuleResult<i32> {
        let percent = self.percent[side as usize];
        let luck = i64::from(self.luck);
        let rolled = if luck > 0 {
            game.try_chance(armies, percent)?
        } else {
            0
        };
        // The unit is a hundredth of a percent.
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
