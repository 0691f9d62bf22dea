//! The functions that compare dice by the ruleset's own tables.

use std::rc::Rc;

use rhai::{Array, INT};

use super::{GameHandle, NativeResult, array, fail, number, rule, whole};
use crate::script::meter;
use rhai_guard::Natives;
use risk_kernel::phases::dice::{DiceRule, Pairs};
use risk_kernel::phases::table::in_class;

/// Registers the functions. `dice` has the rule for each class of fights. It is empty if the
/// ruleset in use has no rule for comparing dice.
pub(super) fn register(engine: &mut Natives, dice: Vec<DiceRule>) {
    let by_dice = Rc::new(dice);
    let by_class = Rc::clone(&by_dice);
    let by_armies = Rc::clone(&by_dice);
    let by_all = Rc::clone(&by_dice);
    // Returns the losses of the attacker and the defender after comparing all pairs of dice.
    engine.register_fn(
        "compare",
        move |_: &mut GameHandle, attack: Array, defend: Array| {
            losses(known(&by_dice, 0)?, &attack, &defend, Pairs::ALL)
        },
    );
    engine.register_fn(
        "compare",
        move |_: &mut GameHandle, attack: Array, defend: Array, class: INT| {
            losses(known(&by_class, class)?, &attack, &defend, Pairs::ALL)
        },
    );
    // Compares only the pairs that the tables allow for these numbers of armies.
    engine.register_fn(
        "compare",
        move |_: &mut GameHandle, attack: Array, defend: Array, armies: INT, defenders: INT| {
            let dice = known(&by_armies, 0)?;
            let pairs = rule(dice.pairs(number(armies)?, number(defenders)?))?;
            losses(dice, &attack, &defend, pairs)
        },
    );
    engine.register_fn(
        "compare",
        move |_: &mut GameHandle,
              attack: Array,
              defend: Array,
              armies: INT,
              defenders: INT,
              class: INT| {
            let dice = known(&by_all, class)?;
            let pairs = rule(dice.pairs(number(armies)?, number(defenders)?))?;
            losses(dice, &attack, &defend, pairs)
        },
    );
}

/// Returns the rule for fights of a class.
fn known(dice: &[DiceRule], class: INT) -> NativeResult<&DiceRule> {
    if dice.is_empty() {
        return fail("comparing dice needs the table `pair_won`");
    }
    rule(in_class(dice, || class.try_into().unwrap_or(u32::MAX)))
}

fn losses(dice: &DiceRule, attack: &Array, defend: &Array, pairs: Pairs) -> NativeResult<Array> {
    if attack.is_empty() && defend.is_empty() {
        return fail("no dice to compare");
    }
    meter::afford(8 * (attack.len() + defend.len()) as u64)?;
    let attack = highest_first(attack)?;
    let defend = highest_first(defend)?;
    let losses = rule(dice.losses(&attack, &defend, pairs))?;
    Ok(array([losses.lost, losses.killed]))
}

fn highest_first(dice: &Array) -> NativeResult<Vec<i32>> {
    let values = dice.iter().map(|die| number(whole(die, "dice")?));
    let mut values = values.collect::<NativeResult<Vec<i32>>>()?;
    values.sort_unstable_by(|a, b| b.cmp(a));
    Ok(values)
}
