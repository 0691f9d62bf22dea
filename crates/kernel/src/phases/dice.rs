//! The losses in a round of dice. Phases, scripts and odds all compare dice with this module.

use std::collections::BTreeMap;

use super::table::{self, NumberTable};
use crate::fault::RuleResult;

/// A ruleset's rule for comparing dice, defined by its tables.
///
/// The attacker's highest die is compared with the defender's highest, the second highest with the
/// second highest, and so on. `pair_won(attacker, defender)` decides each pair. A ruleset can limit
/// the pairs with one of two tables: `most_pairs(armies)` depends on the armies that may leave, and
/// `compares(pair, armies, defenders)` decides for each pair by the armies left on both sides.
#[derive(Clone, Debug)]
pub struct DiceRule {
    pair_won: NumberTable,
    most_pairs: Option<NumberTable>,
    compares: Option<NumberTable>,
}

/// The losses of a round, in armies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Losses {
    /// The attacker's loss.
    pub lost: i32,
    /// The defender's loss.
    pub killed: i32,
}

/// The pairs of dice that a round compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pairs {
    /// All pairs for which both sides have dice, up to this number.
    Most(usize),
    /// The pairs that `compares` selects for this number of armies that may leave and this number
    /// of defenders. A die that was not rolled loses.
    Left(i32, i32),
}

impl Pairs {
    /// All pairs for which both sides have dice.
    pub const ALL: Self = Self::Most(usize::MAX);
}

impl DiceRule {
    /// Returns the rule that these tables describe for fights of a class; `None` if there is no
    /// table `pair_won`.
    #[must_use]
    pub fn from_tables(tables: &BTreeMap<String, NumberTable>, class: u32) -> Option<Self> {
        let table = |name, parameters| table::of_class(tables, name, parameters, class);
        Some(Self {
            pair_won: table("pair_won", 2)?,
            most_pairs: table("most_pairs", 1),
            compares: table("compares", 3),
        })
    }

    /// Reports whether the pairs depend on the number of armies.
    #[must_use]
    pub const fn asks_armies(&self) -> bool {
        self.most_pairs.is_some() || self.compares.is_some()
    }

    /// Returns the number of sides of the attacker's dice.
    #[must_use]
    pub fn sides(&self) -> i32 {
        self.pair_won.ranges()[0].1
    }

    /// Returns the pairs that count for these numbers of attackers that may leave and of defenders.
    ///
    /// # Errors
    /// Returns an error if a table does not cover the armies.
    pub fn pairs(&self, attackers: i32, defenders: i32) -> RuleResult<Pairs> {
        if let Some(table) = &self.compares {
            // Numbers that the table can't distinguish, even after the maximum losses, are one
            // case.
            let most = |slot: usize| table.ranges()[slot].1.saturating_add(table.ranges()[0].1);
            return Ok(Pairs::Left(attackers.min(most(1)), defenders.min(most(2))));
        }
        match &self.most_pairs {
            Some(table) => Ok(Pairs::Most(table.get_or_last(attackers)?.max(0) as usize)),
            None => Ok(Pairs::ALL),
        }
    }

    /// Returns the maximum number of lookups in `compares` for one roll with each number of armies
    /// that the table distinguishes. Returns 1 if the pairs don't depend on the number of armies.
    /// The result is the same for all fights, so a limit on it does not depend on earlier
    /// computations.
    #[must_use]
    pub fn cases(&self, pairs: Pairs) -> u64 {
        match (pairs, &self.compares) {
            (Pairs::Left(..), Some(table)) => {
                let last = |slot: usize| u64::try_from(table.ranges()[slot].1).unwrap_or(0);
                let pairs = last(0) + 1;
                pairs
                    .saturating_mul(last(1) + pairs)
                    .saturating_mul(last(2) + pairs)
            }
            _ => 1,
        }
    }

    /// Returns the losses of a roll. The dice of each side must be sorted, highest first.
    ///
    /// # Errors
    /// Returns an error if a table does not cover the dice.
    pub fn losses(&self, attack: &[i32], defend: &[i32], pairs: Pairs) -> RuleResult<Losses> {
        let mut losses = Losses::default();
        let mut pair = 0;
        while self.counts(pair, attack.len().min(defend.len()), pairs, losses)? {
            let won = match (attack.get(pair), defend.get(pair)) {
                (Some(&attack), Some(&defend)) => self.pair_won.get(&[attack, defend])? > 0,
                (Some(_), None) => true,
                (None, _) => false,
            };
            if won {
                losses.killed += 1;
            } else {
                losses.lost += 1;
            }
            pair += 1;
        }
        Ok(losses)
    }

    /// Reports whether this pair, counted from 0, is compared after these losses. `both` is the
    /// smaller number of dice.
    fn counts(&self, pair: usize, both: usize, pairs: Pairs, losses: Losses) -> RuleResult<bool> {
        match (pairs, &self.compares) {
            (Pairs::Most(most), _) => Ok(pair < most.min(both)),
            (Pairs::Left(..), None) => Ok(false),
            (Pairs::Left(attackers, defenders), Some(table)) => {
                let most = |slot: usize| table.ranges()[slot].1;
                let left = [
                    pair as i32,
                    attackers.saturating_sub(losses.lost).min(most(1)),
                    defenders.saturating_sub(losses.killed).min(most(2)),
                ];
                Ok(left[0] <= most(0) && table.get(&left)? > 0)
            }
        }
    }
}
