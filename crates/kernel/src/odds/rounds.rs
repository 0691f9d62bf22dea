//! The average losses of one round of a fight.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::MOST_ARMIES;
use super::dice_fight::DiceFight;
use super::levels::fill_directly;
use super::volley::Volley;
use crate::fault::{RuleFault, RuleResult};
use crate::phases::dice::Pairs;
use crate::phases::table::{NumberTable, classes, in_class};

/// The average losses of one round, in armies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExpectedLosses {
    /// The attacker's loss.
    pub attacker: f64,
    /// The defender's loss.
    pub defender: f64,
}

/// Single rounds of fights with a ruleset's tables, as in the standard phases.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// The fights by dice and in percent, by class; empty if the ruleset has no such tables.
    dice: Rc<[DiceFight]>,
    volleys: Rc<[Volley]>,
    /// The results by class, attackers and defenders, cached because battles in percent are slow to
    /// compute.
    battles: BTreeMap<(u32, i32, i32), ExpectedLosses>,
}

impl Rounds {
    /// Creates the rounds that these tables describe.
    #[must_use]
    pub fn from_tables(tables: &BTreeMap<String, NumberTable>) -> Self {
        Self {
            dice: classes(tables)
                .map_while(|it| DiceFight::from_tables(tables, it))
                .collect(),
            volleys: classes(tables)
                .map_while(|it| Volley::from_tables(tables, it))
                .collect(),
            battles: BTreeMap::new(),
        }
    }

    /// Returns the average losses of a round of a [class](crate::fight_class) with `attack` and
    /// `defend` dice, in which `attackers` armies may leave and `defenders` armies defend. The
    /// defender loses at most `defenders` armies.
    ///
    /// # Errors
    /// Returns an error if the ruleset has no dice, if a table does not cover the dice, or if there
    /// are too many rolls to enumerate.
    pub fn dice(
        &self,
        class: u32,
        [attack, defend]: [i32; 2],
        attackers: i32,
        defenders: i32,
    ) -> RuleResult<ExpectedLosses> {
        if self.dice.is_empty() {
            return Err(RuleFault::new("the ruleset has no dice tables"));
        }
        let dice = in_class(&self.dice, || class)?;
        let pairs = match dice.rule.pairs(attackers, defenders)? {
            Pairs::Most(most) => Pairs::Most(most.min(attack.min(defend).max(0) as usize)),
            left @ Pairs::Left(..) => left,
        };
        let ways = dice.counted(attack, defend, pairs)?;
        let all: u64 = ways.iter().map(|outcome| outcome.ways).sum();
        let mean = |loss: fn(&super::RollOutcome) -> i32, most: i32| {
            let armies = |outcome| i64::from(loss(outcome).min(most)) * outcome.ways as i64;
            ways.iter().map(armies).sum::<i64>() as f64 / all as f64
        };
        Ok(ExpectedLosses {
            attacker: mean(|outcome| outcome.lost, i32::MAX),
            defender: mean(|outcome| outcome.killed, defenders),
        })
    }

    /// Returns the average losses of a battle of a [class](crate::fight_class) in percent.
    ///
    /// # Errors
    /// Returns an error if the ruleset has no battles in percent, or if a side does not have 0 to
    /// [`MOST_ARMIES`] armies.
    pub fn percent(
        &mut self,
        class: u32,
        attackers: i32,
        defenders: i32,
    ) -> RuleResult<ExpectedLosses> {
        if self.volleys.is_empty() {
            return Err(RuleFault::new(
                "the ruleset has no tables for battles by percentage",
            ));
        }
        let volley = in_class(&self.volleys, || class)?;
        if !(0..=MOST_ARMIES).contains(&attackers) || !(0..=MOST_ARMIES).contains(&defenders) {
            return Err(RuleFault::new(format!(
                "expected 0 to {MOST_ARMIES} armies on each side, found {attackers} and {defenders}"
            )));
        }
        if let Some(&known) = self.battles.get(&(class, attackers, defenders)) {
            return Ok(known);
        }
        let odds = volley.odds(attackers, defenders, fill_directly);
        let losses = ExpectedLosses {
            attacker: f64::from(attackers) - odds.attackers_left,
            defender: f64::from(defenders) - odds.defenders_left,
        };
        self.battles.insert((class, attackers, defenders), losses);
        Ok(losses)
    }
}
