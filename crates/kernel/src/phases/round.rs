//! A round of dice between two territories, for phases that resolve an attack one round at a time.
//!
//! The tables `attack_dice(armies that may leave)` and `defend_dice(armies)` contain the maximum
//! number of dice. Their last entries also apply to larger numbers. `pair_won(attacker, defender)`
//! compares the dice, highest with highest, and `most_pairs` or `compares` decides which pairs
//! count: see [`DiceRule`].

use super::dice::{DiceRule, Losses, Pairs};
use super::table::{NumberTable, in_class};
use super::{BindError, PhaseBinder};
use crate::event::{Dice, FightRound};
use crate::fault::RuleResult;
use crate::id::{Counter, Player, Territory, Unit};
use crate::state::GameState;

/// Reports a round of a fight and removes its losses. Returns whether no defender is left. The dead
/// defenders of a captured territory are removed by the capture.
pub(super) fn settle(
    game: &mut GameState,
    from: Territory,
    to: Territory,
    attackers: i32,
    Losses { lost, killed }: Losses,
) -> RuleResult<bool> {
    let defenders = game.armies(to);
    game.fought(|game| FightRound {
        from,
        to,
        attackers,
        standing: game.armies(from),
        defenders,
        attacker_lost: lost,
        defender_lost: killed,
    });
    game.add_units(from, Unit::FIRST, -lost)?;
    let is_taken = killed >= defenders;
    if !is_taken {
        game.add_units(to, Unit::FIRST, -killed)?;
    } else if game
        .board()
        .border(from, to)
        .is_some_and(|it| it.is_bombard)
    {
        game.bombard(from, to);
        return Ok(false);
    }
    Ok(is_taken)
}

/// Returns how many of `most` armies can move in after a conquest, at least one if there is space:
/// one stays behind.
#[inline]
pub(super) fn movable(game: &GameState, from: Territory, to: Territory, most: i32) -> i32 {
    let space = game.space(to, Unit::FIRST).saturating_add(game.armies(to));
    most.min(game.armies(from) - 1).min(space)
}

/// Marks a player's conquest in this turn, if the ruleset counts conquests.
pub(super) fn mark_conquest(
    conquered: Option<Counter>,
    game: &mut GameState,
    player: Player,
) -> RuleResult {
    let mark = |counter| game.set_counter(counter, Some(player), 1);
    conquered.map_or(Ok(()), mark)
}

/// The rules of rounds, for each class of fights.
pub(super) struct RoundRules {
    classes: Vec<ClassRules>,
    /// Whether the number of attack dice depends on the class.
    pub(super) is_dice_by_class: bool,
}

struct ClassRules {
    attack_dice: NumberTable,
    defend_dice: NumberTable,
    rule: DiceRule,
    sides: u32,
    /// The kills of each throw, by the attacker's and the defender's numbers of dice. The list is
    /// empty if kills are computed for each throw separately.
    outcomes: Vec<Vec<u8>>,
}

impl RoundRules {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        let classes = bind.of_classes(|class| ClassRules::bind(bind, class))?;
        let mut near = classes.windows(2);
        Ok(Self {
            is_dice_by_class: near.any(|two| two[0].attack_dice != two[1].attack_dice),
            classes,
        })
    }

    pub(super) fn most_dice(&self) -> i32 {
        let most = self.classes.iter().map(|class| class.attack_dice.most());
        most.max().unwrap_or(0).max(0)
    }

    /// Returns the maximum number of dice of an attack that doesn't depend on the class, if
    /// `armies` armies may leave.
    pub(super) fn dice_of_all(&self, armies: i32) -> RuleResult<i32> {
        self.classes[0].attack_dice.get_or_last(armies)
    }

    #[inline]
    fn class(&self, game: &GameState, from: Territory, to: Territory) -> RuleResult<&ClassRules> {
        in_class(&self.classes, || game.fight_class(from, to))
    }

    /// Returns the maximum number of dice of an attack if all armies but one may leave.
    #[inline]
    pub(super) fn attack_dice(
        &self,
        game: &GameState,
        from: Territory,
        to: Territory,
    ) -> RuleResult<i32> {
        let class = self.class(game, from, to)?;
        class.attack_dice.get_or_last(game.armies(from) - 1)
    }

    /// Returns the maximum number of dice of the defender.
    #[inline]
    pub(super) fn defend_dice(
        &self,
        game: &GameState,
        from: Territory,
        to: Territory,
    ) -> RuleResult<i32> {
        let class = self.class(game, from, to)?;
        class.defend_dice.get_or_last(game.armies(to))
    }

    /// Rolls `dice` dice for the attacker and `defend` or the maximum number for the defender, and
    /// returns the losses. If the defender has no dice, all defenders die without a roll.
    #[inline]
    pub(super) fn roll(
        &self,
        game: &mut GameState,
        from: Territory,
        to: Territory,
        dice: i32,
        defend: Option<i32>,
    ) -> RuleResult<Losses> {
        let class = self.class(game, from, to)?;
        class.roll(game, from, to, [dice, defend.unwrap_or(i32::MAX)])
    }
}

impl ClassRules {
    fn bind(bind: &PhaseBinder<'_>, class: u32) -> Result<Self, BindError> {
        let pair_won = bind.fight_table("pair_won", "[1..=6, 1..=6]", 2, class)?;
        let sides = pair_won.ranges()[0].1;
        if pair_won.ranges() != [(1, sides), (1, sides)] || !(2..=100).contains(&sides) {
            return Err(BindError::Needs {
                section: "tables",
                what: "pair_won: [1..=6, 1..=6]".to_owned(),
            });
        }
        let sides = sides as u32;
        let rule = bind.dice_rule(class).expect("there is a table `pair_won`");
        let attack_dice = bind.fight_table("attack_dice", "[0..=3]", 1, class)?;
        let defend_dice = bind.fight_table("defend_dice", "[0..=2]", 1, class)?;
        let most = [attack_dice.most(), defend_dice.most()];
        Ok(Self {
            outcomes: outcomes(&rule, sides, most),
            attack_dice,
            defend_dice,
            rule,
            sides,
        })
    }

    fn roll(
        &self,
        game: &mut GameState,
        from: Territory,
        to: Territory,
        [dice, defend]: [i32; 2],
    ) -> RuleResult<Losses> {
        let defenders = game.armies(to);
        let defend = self.defend_dice.get_or_last(defenders)?.min(defend);
        if defend <= 0 {
            return Ok(Losses {
                lost: 0,
                killed: defenders,
            });
        }
        let attack = dice.max(0) as usize;
        let defend = defend as usize;
        let throw = Throw {
            attack,
            defend,
            number: game.throw(self.sides, attack, defend)?,
        };
        self.losses(throw, game.armies(from) - 1, defenders)
    }

    fn losses(&self, throw: Throw, attackers: i32, defenders: i32) -> RuleResult<Losses> {
        let Throw {
            attack,
            defend,
            number,
        } = throw;
        let known =
            (attack.max(defend) < MOST_DICE).then(|| &self.outcomes[attack * MOST_DICE + defend]);
        match known {
            Some(outcomes) if !outcomes.is_empty() => {
                let killed = i32::from(outcomes[number as usize]);
                Ok(Losses {
                    lost: attack.min(defend) as i32 - killed,
                    killed,
                })
            }
            _ => {
                let pairs = self.rule.pairs(attackers, defenders)?;
                compare(&self.rule, self.sides, throw, pairs)
            }
        }
    }
}

/// A throw, with the number of dice of each side and all dice as one number.
#[derive(Clone, Copy)]
struct Throw {
    attack: usize,
    defend: usize,
    number: u64,
}

/// The exclusive upper limit on each side's dice for which all throws are compared in advance.
const MOST_DICE: usize = 4;
const MOST_THROWS: u64 = 10_000;

/// Compares all throws with at most `most` dice of the attacker and of the defender. The result is
/// empty if there are too many throws, or if the pairs depend on the number of armies.
fn outcomes(rule: &DiceRule, sides: u32, most: [i32; 2]) -> Vec<Vec<u8>> {
    let all = (0..MOST_DICE * MOST_DICE).map(|dice| {
        let attack = dice / MOST_DICE;
        let defend = dice % MOST_DICE;
        let throws = u64::from(sides).pow((attack + defend) as u32);
        let is_rolled = [attack, defend]
            .iter()
            .zip(most)
            .all(|(&dice, most)| dice > 0 && dice as i32 <= most);
        if !is_rolled || throws > MOST_THROWS || rule.asks_armies() {
            return Vec::new();
        }
        let killed = |number| {
            let throw = Throw {
                attack,
                defend,
                number,
            };
            compare(rule, sides, throw, Pairs::ALL).map(|losses| losses.killed as u8)
        };
        (0..throws)
            .map(killed)
            .collect::<Result<_, _>>()
            .unwrap_or_default()
    });
    all.collect()
}

fn compare(rule: &DiceRule, sides: u32, throw: Throw, pairs: Pairs) -> RuleResult<Losses> {
    let (attack, defend) = Dice::of_throw(throw.number, sides, throw.attack, throw.defend);
    let values = |dice: Dice| {
        let mut values = [0; Dice::MOST];
        for (slot, &value) in values.iter_mut().zip(dice.highest_first().values()) {
            *slot = i32::from(value);
        }
        values
    };
    rule.losses(
        &values(attack)[..throw.attack],
        &values(defend)[..throw.defend],
        pairs,
    )
}
