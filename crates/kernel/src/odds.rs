//! The exact chances of a fight to the end, computed from a ruleset's own tables.
//!
//! This module may use floating point because odds only inform bots and users and never affect a
//! rule. It uses only the four basic operations, so the results are the same on every machine.

#![allow(
    clippy::disallowed_types,
    reason = "chances are floats, and no rule reads them"
)]

mod dice_fight;
mod expected;
mod levels;
mod rounds;
mod volley;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::declare::{Declaration, FightMethod};
use crate::fault::{RuleFault, RuleResult};
use crate::phases::table::{NumberTable, classes, in_class};
use dice_fight::DiceFight;
pub use expected::Odds;
pub use levels::Filler;
use levels::fill_directly;
pub use rounds::{ExpectedLosses, Rounds};
use volley::Volley;

/// The maximum number of armies on either side.
pub const MOST_ARMIES: i32 = 1_000;

/// An outcome of a round of dice, and the number of rolls with this outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollOutcome {
    /// The attacker's loss.
    pub lost: i32,
    /// The defender's loss.
    pub killed: i32,
    /// The number of rolls with this outcome.
    pub ways: u64,
}

/// A fight with a ruleset's tables: either dice, always the maximum number, until one side has no
/// armies left; or one battle in percent.
///
/// The chances that are computed once are stored in tables. Clones share these tables, and an
/// answer never depends on earlier answers.
#[derive(Clone, Debug)]
pub struct Fight {
    /// The fights of each class.
    classes: Rc<[FightKind]>,
    /// The number of cases computed since [`Fight::take_work`]. Cases from tables are free.
    work: u64,
    filler: Filler,
}

#[derive(Debug)]
enum FightKind {
    Dice(Box<DiceFight>),
    Volley(Box<Volley>),
}

impl Fight {
    /// Returns the fight of a ruleset whose phases declare that they use these tables; `None` if no
    /// phase declares this. Tables alone are not enough, because a script that resolves fights in
    /// its own way may inherit tables from the ruleset that it extends.
    #[must_use]
    pub fn of(decl: &Declaration, tables: &BTreeMap<String, NumberTable>) -> Option<Self> {
        Self::by(decl.fights()?, tables)
    }

    /// Returns the fight that these tables describe; `None` if they describe no fight. Dice take
    /// precedence over percent.
    #[must_use]
    pub fn from_tables(tables: &BTreeMap<String, NumberTable>) -> Option<Self> {
        let mut ways = FightMethod::ALL.into_iter();
        ways.find_map(|way| Self::by(way, tables))
    }

    /// Returns the fight that uses these tables with this method; `None` if tables are missing.
    #[must_use]
    pub fn by(way: FightMethod, tables: &BTreeMap<String, NumberTable>) -> Option<Self> {
        let of_class = |class| {
            Some(match way {
                FightMethod::Dice => FightKind::Dice(DiceFight::from_tables(tables, class)?.into()),
                FightMethod::Percent => {
                    FightKind::Volley(Volley::from_tables(tables, class)?.into())
                }
            })
        };
        let classes: Option<Vec<_>> = classes(tables).map(of_class).collect();
        Some(Self {
            classes: classes?.into(),
            work: 0,
            filler: fill_directly,
        })
    }

    /// Fills tables within a call of `filler`, which must call its argument once. For example, a
    /// host that counts the memory of scripts excludes the tables from the count.
    #[must_use]
    pub fn filled_by(self, filler: Filler) -> Self {
        Self { filler, ..self }
    }

    /// Reports whether a fight has rounds of dice until one side has no armies left. Otherwise it
    /// is one battle.
    #[must_use]
    pub fn has_rounds(&self) -> bool {
        matches!(*self.classes, [FightKind::Dice(_), ..])
    }

    /// Returns the number of [classes](super::fight_class) with their own chances; 1 if all fights
    /// are alike.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// Returns the number of cases computed since the last call.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    fn kind(&self, class: u32) -> RuleResult<&FightKind> {
        in_class(&self.classes, || class)
    }

    /// Returns every outcome of a round of class 0 with `attack` dice against `defend` dice that
    /// compares at most `pairs` pairs. Each outcome has the number of rolls that lead to it.
    ///
    /// # Errors
    /// Returns an error if a table does not cover the dice or the fight has no dice.
    pub fn round(&self, attack: i32, defend: i32, pairs: i32) -> RuleResult<Rc<[RollOutcome]>> {
        match self.kind(0)? {
            FightKind::Dice(dice) => dice.round(attack, defend, pairs),
            FightKind::Volley(_) => Err(RuleFault::new("this fight has no dice")),
        }
    }

    /// Returns the odds of a fight of class 0 between `attackers` and `defenders`. `attackers` does
    /// not include armies that must stay.
    ///
    /// # Errors
    /// Returns an error if a number is negative or above [`MOST_ARMIES`], or if a table does not
    /// cover it.
    pub fn odds(&mut self, attackers: i32, defenders: i32) -> RuleResult<Odds> {
        self.odds_of(0, attackers, defenders)
    }

    /// Returns the odds of a fight of a [class](super::fight_class), see [`Fight::odds`].
    ///
    /// # Errors
    /// Returns an error as [`Fight::odds`] does, or if the tables have no such class.
    pub fn odds_of(&mut self, class: u32, attackers: i32, defenders: i32) -> RuleResult<Odds> {
        if attackers < 0 || defenders < 0 || attackers.max(defenders) > MOST_ARMIES {
            return Err(RuleFault::new(format!(
                "expected 0 to {MOST_ARMIES} armies on each side, found {attackers} and {defenders}"
            )));
        }
        let (mut odds, work) = match self.kind(class)? {
            FightKind::Dice(dice) => (dice.odds(attackers, defenders, self.filler)?, 0),
            FightKind::Volley(volley) => {
                let work = (attackers as u64 + 1) * (defenders as u64 + 1);
                (volley.odds(attackers, defenders, self.filler), work)
            }
        };
        self.work += work;
        // Rounding may make the chance of a certain capture slightly larger than 1.
        odds.capture = odds.capture.min(1.0);
        odds.attackers_left_given_capture = if odds.capture > 0.0 {
            odds.attackers_left_given_capture / odds.capture
        } else {
            0.0
        };
        Ok(odds)
    }

    /// Returns the chance of a capture in a fight of a [class](super::fight_class) for any numbers
    /// of armies. Above [`MOST_ARMIES`], both sides are scaled down to this limit, because the
    /// chance hardly changes with such large numbers.
    ///
    /// # Errors
    /// Returns an error if a number is negative, a table does not cover it, or the tables have no
    /// such class.
    pub fn chance_of(&mut self, class: u32, attackers: i32, defenders: i32) -> RuleResult<f64> {
        let most = i64::from(attackers.max(defenders));
        let scale = |armies: i32| {
            if most <= i64::from(MOST_ARMIES) {
                armies
            } else {
                (i64::from(armies) * i64::from(MOST_ARMIES) / most) as i32
            }
        };
        // A side with armies keeps at least one army.
        let least = |armies: i32| scale(armies).max(armies.clamp(0, 1));
        Ok(self
            .odds_of(class, least(attackers), least(defenders))?
            .capture)
    }
}
