//! The exact chances of a fight to the end, computed from a ruleset's own tables.
//!
//! This module may use floating point because odds only inform bots and users and never affect a
//! rule. It uses only the four basic operations, so the results are the same on every machine.

#![allow(
    clippy::disallowed_types,
    reason = "chances are floats, and no rule reads them"
)]

mod expected;
mod rounds;
mod volley;

use std::collections::BTreeMap;

use crate::declare::{Declaration, FightMethod};
use crate::fault::RuleFault;
use crate::phases::dice::{DiceRule, Losses, Pairs};
use crate::phases::table::{self, NumberTable};
pub use expected::Odds;
pub use rounds::{ExpectedLosses, Rounds};
use volley::Volley;

/// The maximum number of armies on either side.
pub const MOST_ARMIES: i32 = 1_000;

/// The maximum number of rolls to enumerate. It is enough for 7 dice with 6 sides or 5 dice with 15
/// sides.
const MOST_ROLLS: u64 = 1_000_000;
/// The maximum number of pairs of dice to compare for all rounds with the same dice if `compares`
/// depends on the number of armies.
const MOST_COMPARED: u64 = 20_000_000;

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
#[derive(Clone, Debug)]
pub struct Fight {
    kind: FightKind,
    /// The number of cases computed since [`Fight::take_work`], excluding cached cases.
    work: u64,
}

#[derive(Clone, Debug)]
enum FightKind {
    Dice(Box<DiceFight>),
    Volley(Box<Volley>),
}

impl Fight {
    /// The tables that a fight may use, with their numbers of parameters.
    pub const TABLES: [(&str, usize); 8] = [
        ("attack_dice", 1),
        ("defend_dice", 1),
        ("pair_won", 2),
        ("most_pairs", 1),
        ("compares", 3),
        ("kill_percent", 1),
        ("kill_luck", 1),
        ("kill_weighted", 1),
    ];

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
        let kind = match way {
            FightMethod::Dice => FightKind::Dice(Box::new(DiceFight::from_tables(tables)?)),
            FightMethod::Percent => FightKind::Volley(Box::new(Volley::from_tables(tables)?)),
        };
        Some(Self { kind, work: 0 })
    }

    /// Reports whether a fight has rounds of dice until one side has no armies left. Otherwise it
    /// is one battle.
    #[must_use]
    pub const fn has_rounds(&self) -> bool {
        matches!(self.kind, FightKind::Dice(_))
    }

    /// Returns the number of cases computed since the last call.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Returns every outcome of a round with `attack` dice against `defend` dice that compares at
    /// most `pairs` pairs. Each outcome has the number of rolls that lead to it.
    ///
    /// # Errors
    /// Returns an error if a table does not cover the dice or the fight has no dice.
    pub fn round(
        &mut self,
        attack: i32,
        defend: i32,
        pairs: i32,
    ) -> Result<&[RollOutcome], RuleFault> {
        match &mut self.kind {
            FightKind::Dice(dice) => dice.round(attack, defend, pairs),
            FightKind::Volley(_) => Err(RuleFault::new("this fight has no dice")),
        }
    }

    /// Returns the odds of a fight between `attackers` and `defenders`. `attackers` does not
    /// include armies that must stay.
    ///
    /// # Errors
    /// Returns an error if a number is negative or above [`MOST_ARMIES`], or if a table does not
    /// cover it.
    pub fn odds(&mut self, attackers: i32, defenders: i32) -> Result<Odds, RuleFault> {
        if attackers < 0 || defenders < 0 || attackers.max(defenders) > MOST_ARMIES {
            return Err(RuleFault::new(format!(
                "expected 0 to {MOST_ARMIES} armies on each side, found {attackers} and {defenders}"
            )));
        }
        let mut odds = match &mut self.kind {
            FightKind::Dice(dice) => dice.odds(attackers, defenders)?,
            FightKind::Volley(volley) => {
                self.work += (attackers as u64 + 1) * (defenders as u64 + 1);
                volley.odds(attackers, defenders)?
            }
        };
        // Rounding may make the chance of a certain capture slightly larger than 1.
        odds.capture = odds.capture.min(1.0);
        odds.attackers_left_given_capture = if odds.capture > 0.0 {
            odds.attackers_left_given_capture / odds.capture
        } else {
            0.0
        };
        Ok(odds)
    }

    /// Returns the chance of a capture for any numbers of armies. Above [`MOST_ARMIES`], both sides
    /// are scaled down to this limit, because the chance hardly changes with such large numbers.
    ///
    /// # Errors
    /// Returns an error if a number is negative or a table does not cover it.
    pub fn chance(&mut self, attackers: i32, defenders: i32) -> Result<f64, RuleFault> {
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
        Ok(self.odds(least(attackers), least(defenders))?.capture)
    }
}

#[derive(Clone, Debug)]
struct DiceFight {
    attack_dice: NumberTable,
    defend_dice: NumberTable,
    rule: DiceRule,
    rounds: BTreeMap<(i32, i32, Pairs), Vec<RollOutcome>>,
    /// The odds by attackers and defenders, as a square grid up to `reach`.
    grid: Vec<Odds>,
    reach: i32,
}

impl DiceFight {
    fn from_tables(tables: &BTreeMap<String, NumberTable>) -> Option<Self> {
        Some(Self {
            attack_dice: table::find(tables, "attack_dice", 1)?.clone(),
            defend_dice: table::find(tables, "defend_dice", 1)?.clone(),
            rule: DiceRule::from_tables(tables)?,
            rounds: BTreeMap::new(),
            grid: Vec::new(),
            reach: -1,
        })
    }

    fn round(&mut self, attack: i32, defend: i32, pairs: i32) -> Result<&[RollOutcome], RuleFault> {
        self.counted(
            attack,
            defend,
            Pairs::Most(pairs.min(attack.min(defend)).max(0) as usize),
        )
    }

    fn counted(
        &mut self,
        attack: i32,
        defend: i32,
        pairs: Pairs,
    ) -> Result<&[RollOutcome], RuleFault> {
        if !self.rounds.contains_key(&(attack, defend, pairs)) {
            let (Ok(attackers), Ok(defenders)) = (usize::try_from(attack), usize::try_from(defend))
            else {
                let text = format!("can't compute the odds of {} dice", attack.min(defend));
                return Err(RuleFault::new(text));
            };
            let round = self.count_round(attackers, defenders, pairs)?;
            self.rounds.insert((attack, defend, pairs), round);
        }
        Ok(&self.rounds[&(attack, defend, pairs)])
    }

    fn count_round(
        &self,
        attack: usize,
        defend: usize,
        pairs: Pairs,
    ) -> Result<Vec<RollOutcome>, RuleFault> {
        let sides = self.rule.sides();
        let dice = attack + defend;
        let rolls = u64::try_from(sides).unwrap_or(0).checked_pow(dice as u32);
        if dice > 7 || !(2..=20).contains(&sides) || rolls.is_none_or(|rolls| rolls > MOST_ROLLS) {
            return Err(RuleFault::new(format!(
                "can't compute the odds of {dice} dice with {sides} sides"
            )));
        }
        let compared = self.rule.cases(pairs).saturating_mul(rolls.unwrap_or(0));
        if compared > MOST_COMPARED {
            return Err(RuleFault::new(format!(
                "can't compute the odds: {compared} uses of the table `compares` exceed the limit \
                 of {MOST_COMPARED}"
            )));
        }
        let mut found: BTreeMap<Losses, u64> = BTreeMap::new();
        let mut roll = vec![1; dice];
        'rolls: loop {
            let highest_first = |dice: &[i32]| {
                let mut dice = dice.to_vec();
                dice.sort_unstable_by(|a, b| b.cmp(a));
                dice
            };
            let losses = self.rule.losses(
                &highest_first(&roll[..attack]),
                &highest_first(&roll[attack..]),
                pairs,
            )?;
            *found.entry(losses).or_default() += 1;
            for die in &mut roll {
                if *die < sides {
                    *die += 1;
                    continue 'rolls;
                }
                *die = 1;
            }
            break;
        }
        Ok(found
            .into_iter()
            .map(|(Losses { lost, killed }, ways)| RollOutcome { lost, killed, ways })
            .collect())
    }

    /// Returns the odds, with `attackers_left_given_capture` not yet divided by the chance of a
    /// capture.
    fn odds(&mut self, attackers: i32, defenders: i32) -> Result<Odds, RuleFault> {
        let most = attackers.max(defenders);
        if most > self.reach {
            self.fill(most.max(32).max(self.reach * 2).min(MOST_ARMIES))?;
        }
        Ok(self.grid[(attackers * (self.reach + 1) + defenders) as usize])
    }

    /// Fills the grid from small fights to large ones. `attackers_left_given_capture` is summed
    /// over captures but not yet divided by the chance of a capture.
    fn fill(&mut self, reach: i32) -> Result<(), RuleFault> {
        let width = (reach + 1) as usize;
        let mut grid = vec![Odds::default(); width * width];
        for attackers in 0..=reach {
            for defenders in 0..=reach {
                let here = attackers as usize * width + defenders as usize;
                grid[here] = if attackers == 0 || defenders == 0 {
                    decided(attackers, defenders)
                } else {
                    let round = self.round_of(attackers, defenders)?;
                    after_round(&grid, width, attackers, defenders, round)?
                };
            }
        }
        self.grid = grid;
        self.reach = reach;
        Ok(())
    }

    fn round_of(&mut self, attackers: i32, defenders: i32) -> Result<&[RollOutcome], RuleFault> {
        let attack = self.attack_dice.get_or_last(attackers)?;
        let defend = self.defend_dice.get_or_last(defenders)?;
        let pairs = match self.rule.pairs(attackers, defenders)? {
            Pairs::Most(most) => Pairs::Most(most.min(attack.min(defend).max(0) as usize)),
            left => left,
        };
        self.counted(attack, defend, pairs)
    }
}

fn decided(attackers: i32, defenders: i32) -> Odds {
    let left = f64::from(attackers);
    Odds {
        capture: if attackers > 0 && defenders == 0 {
            1.0
        } else {
            0.0
        },
        attackers_left: left,
        attackers_left_given_capture: left,
        defenders_left: f64::from(defenders),
    }
}

fn after_round(
    grid: &[Odds],
    width: usize,
    attackers: i32,
    defenders: i32,
    round: &[RollOutcome],
) -> Result<Odds, RuleFault> {
    let all: u64 = round.iter().map(|outcome| outcome.ways).sum();
    let mut sum = Odds::default();
    for outcome in round {
        if outcome.lost == 0 && outcome.killed == 0 {
            return Err(RuleFault::new(
                "endless fight: a round can end without losses",
            ));
        }
        let attackers = attackers - outcome.lost;
        let defenders = (defenders - outcome.killed).max(0);
        let part = outcome.ways as f64 / all as f64;
        let mut next = grid[attackers.max(0) as usize * width + defenders as usize];
        // If the rules allow the army that must stay to die too, the number of attackers left is
        // negative.
        next.attackers_left += f64::from(attackers.min(0));
        sum.capture += part * next.capture;
        sum.attackers_left += part * next.attackers_left;
        sum.attackers_left_given_capture += part * next.attackers_left_given_capture;
        sum.defenders_left += part * next.defenders_left;
    }
    Ok(sum)
}
