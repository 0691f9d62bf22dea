//! Fights in rounds of dice: the outcomes of a round, and the odds of a fight to the end.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::RollOutcome;
use super::expected::Odds;
use super::levels::{Filler, Levels};
use crate::fault::{RuleFault, RuleResult};
use crate::phases::dice::{DiceRule, Losses, Pairs};
use crate::phases::table::{self, NumberTable};

/// The maximum number of rolls to enumerate. It is enough for 7 dice with 6 sides or 5 dice with 15
/// sides.
const MOST_ROLLS: u64 = 1_000_000;
/// The maximum number of pairs of dice to compare for all rounds with the same dice if `compares`
/// depends on the number of armies.
const MOST_COMPARED: u64 = 20_000_000;

/// Rounds of dice until one side has no armies left.
#[derive(Debug)]
pub(super) struct DiceFight {
    attack_dice: NumberTable,
    defend_dice: NumberTable,
    pub(super) rule: DiceRule,
    rounds: RefCell<BTreeMap<(i32, i32, Pairs), Rc<[RollOutcome]>>>,
    grids: Levels<OddsGrid>,
}

/// The odds by attackers and defenders, from 0 to a level's number of armies.
#[derive(Debug)]
struct OddsGrid {
    odds: Vec<Odds>,
    width: usize,
    /// The smallest number of armies on a side for which the rules give no odds, and the reason.
    fault: Option<(i32, String)>,
}

impl DiceFight {
    pub(super) fn from_tables(tables: &BTreeMap<String, NumberTable>, class: u32) -> Option<Self> {
        Some(Self {
            attack_dice: table::of_class(tables, "attack_dice", 1, class)?,
            defend_dice: table::of_class(tables, "defend_dice", 1, class)?,
            rule: DiceRule::from_tables(tables, class)?,
            rounds: RefCell::default(),
            grids: Levels::default(),
        })
    }

    pub(super) fn round(
        &self,
        attack: i32,
        defend: i32,
        pairs: i32,
    ) -> RuleResult<Rc<[RollOutcome]>> {
        self.counted(
            attack,
            defend,
            Pairs::Most(pairs.min(attack.min(defend)).max(0) as usize),
        )
    }

    pub(super) fn counted(
        &self,
        attack: i32,
        defend: i32,
        pairs: Pairs,
    ) -> RuleResult<Rc<[RollOutcome]>> {
        if let Some(known) = self.rounds.borrow().get(&(attack, defend, pairs)) {
            return Ok(Rc::clone(known));
        }
        let (Ok(attackers), Ok(defenders)) = (usize::try_from(attack), usize::try_from(defend))
        else {
            let text = format!("can't compute the odds of {} dice", attack.min(defend));
            return Err(RuleFault::new(text));
        };
        let round: Rc<[RollOutcome]> = self.count_round(attackers, defenders, pairs)?.into();
        let rounds = &mut *self.rounds.borrow_mut();
        rounds.insert((attack, defend, pairs), Rc::clone(&round));
        Ok(round)
    }

    fn count_round(
        &self,
        attack: usize,
        defend: usize,
        pairs: Pairs,
    ) -> RuleResult<Vec<RollOutcome>> {
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
    pub(super) fn odds(&self, attackers: i32, defenders: i32, filler: Filler) -> RuleResult<Odds> {
        let most = attackers.max(defenders);
        let grid = self.grids.reaching(most, filler, |reach| self.fill(reach));
        match &grid.fault {
            Some((armies, text)) if most >= *armies => Err(RuleFault::new(text.clone())),
            _ => Ok(grid.odds[attackers as usize * grid.width + defenders as usize]),
        }
    }

    /// Fills a grid from small fights to large ones, up to the first fight without odds.
    /// `attackers_left_given_capture` is summed over captures but not yet divided by the chance of
    /// a capture.
    fn fill(&self, reach: i32) -> OddsGrid {
        let width = (reach + 1) as usize;
        let mut odds = vec![Odds::default(); width * width];
        let mut fault = None;
        // All fights that a fight can become precede it in this order.
        'all: for most in 0..=reach {
            for other in 0..=most {
                for (attackers, defenders) in [(other, most), (most, other)] {
                    let here = attackers as usize * width + defenders as usize;
                    match self.cell(&odds, width, attackers, defenders) {
                        Ok(found) => odds[here] = found,
                        Err(found) => {
                            fault = Some((most, found.text().to_owned()));
                            break 'all;
                        }
                    }
                }
            }
        }
        OddsGrid { odds, width, fault }
    }

    fn cell(
        &self,
        grid: &[Odds],
        width: usize,
        attackers: i32,
        defenders: i32,
    ) -> RuleResult<Odds> {
        if attackers == 0 || defenders == 0 {
            return Ok(decided(attackers, defenders));
        }
        let round = self.round_of(attackers, defenders)?;
        after_round(grid, width, attackers, defenders, &round)
    }

    fn round_of(&self, attackers: i32, defenders: i32) -> RuleResult<Rc<[RollOutcome]>> {
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
) -> RuleResult<Odds> {
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
