//! What a round of dice costs: the one place where dice are compared, for phases, scripts and odds.

use std::collections::BTreeMap;

use super::table::{self, NumberTable};
use crate::fault::RuleFault;

/// How a ruleset compares dice, by its tables.
///
/// The highest die of the attacker meets the highest of the defender, the second the second, and
/// `pair_won(attacker, defender)` says who wins a pair. How many pairs count is said by one of two
/// tables, if the ruleset has it: `most_pairs(armies)` for so many armies that may leave, or
/// `compares(pair, armies, defenders)` pair by pair, for the armies that are left on both sides.
#[derive(Clone, Debug)]
pub struct DiceRule {
    pair_won: NumberTable,
    most_pairs: Option<NumberTable>,
    compares: Option<NumberTable>,
}

/// What a round costs, in armies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Losses {
    /// The attacker's loss.
    pub lost: i32,
    /// The defender's loss.
    pub killed: i32,
}

/// Which pairs of dice a round compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pairs {
    /// As many as both sides have dice for, but at most so many.
    Most(usize),
    /// As `compares` says, for so many armies that may leave and so many that defend. A die that
    /// was not rolled loses.
    Left(i32, i32),
}

impl Pairs {
    /// As many as both sides have dice for.
    pub const ALL: Self = Self::Most(usize::MAX);
}

impl DiceRule {
    /// The rule that these tables describe; `None` when there is no `pair_won`.
    #[must_use]
    pub fn from_tables(tables: &BTreeMap<String, NumberTable>) -> Option<Self> {
        let table = |name: &str, parameters: usize| table::find(tables, name, parameters).cloned();
        Some(Self {
            pair_won: table("pair_won", 2)?,
            most_pairs: table("most_pairs", 1),
            compares: table("compares", 3),
        })
    }

    /// The rule with these tables.
    #[must_use]
    pub const fn new(
        pair_won: NumberTable,
        most_pairs: Option<NumberTable>,
        compares: Option<NumberTable>,
    ) -> Self {
        Self {
            pair_won,
            most_pairs,
            compares,
        }
    }

    /// Do the armies have a say in which pairs count?
    #[must_use]
    pub const fn asks_armies(&self) -> bool {
        self.most_pairs.is_some() || self.compares.is_some()
    }

    /// How many sides the attacker's dice have.
    #[must_use]
    pub fn sides(&self) -> i32 {
        self.pair_won.ranges()[0].1
    }

    /// Which pairs count when so many armies may leave and so many defend.
    ///
    /// # Errors
    /// When a table does not cover the armies.
    pub fn pairs(&self, attackers: i32, defenders: i32) -> Result<Pairs, RuleFault> {
        if let Some(table) = &self.compares {
            // More than the table can tell apart, after the most losses, are one case.
            let most = |slot: usize| table.ranges()[slot].1.saturating_add(table.ranges()[0].1);
            return Ok(Pairs::Left(attackers.min(most(1)), defenders.min(most(2))));
        }
        match &self.most_pairs {
            Some(table) => Ok(Pairs::Most(table.get_or_last(attackers)?.max(0) as usize)),
            None => Ok(Pairs::ALL),
        }
    }

    /// How many pairs of dice `compares` is asked for at the most, for all numbers of armies that
    /// it tells apart and one roll for each: 1 where the armies have no say. It is the same for all
    /// fights, so that a limit on it never depends on which fights were looked at before.
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

    /// The losses of a roll. The dice of each side come highest first.
    ///
    /// # Errors
    /// When a table does not cover the dice.
    pub fn losses(
        &self,
        attack: &[i32],
        defend: &[i32],
        pairs: Pairs,
    ) -> Result<Losses, RuleFault> {
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

    /// Is this pair, counted from 0, compared after these losses? `both` sides have so many dice.
    fn counts(
        &self,
        pair: usize,
        both: usize,
        pairs: Pairs,
        losses: Losses,
    ) -> Result<bool, RuleFault> {
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
