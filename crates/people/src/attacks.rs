//! The attacks that a person can choose from.

use std::collections::BTreeMap;

use risk_bots::fight_odds::{FightOdds, class_of, ends_of};
use risk_kernel::action::{Offer, Options};
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Territory, Unit, Verb};
use risk_kernel::view::View;

pub(super) struct AttackOption {
    /// The verb of the action, because not every action between two territories is an attack.
    /// `None` for attacks that are not offered yet.
    pub(super) verb: Option<Verb>,
    pub(super) from: Territory,
    pub(super) to: Territory,
    /// The number of armies that may go, or of the units there if the action doesn't say how many
    /// go: armies if the ruleset fights by tables, else units of all kinds, as for `defenders`.
    pub(super) armies: i32,
    pub(super) defenders: i32,
    /// Both numbers for display. Units of different kinds are not summed up: `4+8`.
    pub(super) shown: [String; 2],
    pub(super) chance: Option<f64>,
}

/// Returns the possible attacks, each with its chance if the ruleset provides it. An attack is an
/// action whose first parameters are the territories `from` and `to`: from a territory of the
/// player to another one with units or an owner.
pub(super) fn attacks(
    view: &View,
    options: &Options,
    chances: &mut FightOdds,
) -> Vec<AttackOption> {
    let land = |number: i32| usize::try_from(number).ok().map(Territory::from_index);
    let by_tables = FightOdds::is_by_tables(view);
    let attack = |(((from, to), verb), going): (((i32, i32), usize), Option<i32>)| {
        let option = option(view, land(from)?, land(to)?, by_tables, going)?;
        Some(AttackOption {
            verb: Some(Verb::from_index(verb)),
            chance: chance(view, chances, option.from, option.to, going),
            ..option
        })
    };
    pairs(view, options)
        .into_iter()
        .filter_map(attack)
        .collect()
}

/// Returns the attacks that the phases for fights would offer if they came now, each with its
/// chance if the ruleset provides it.
pub(super) fn coming(view: &View, chances: &mut FightOdds) -> Vec<AttackOption> {
    let by_tables = !view.decl().own_chances && chances.by_numbers().is_some();
    let pairs = chances.attacks(view).unwrap_or_default();
    let attack = |(from, to): (Territory, Territory)| {
        let option = option(view, from, to, by_tables, None)?;
        Some(AttackOption {
            chance: chances.of_attack(view, from, to).ok(),
            ..option
        })
    };
    pairs.into_iter().filter_map(attack).collect()
}

/// Returns the attack from a territory of the player on another one with units or an owner, without
/// verb and chance. `going` is the number of armies that go, if the action says it.
fn option(
    view: &View,
    from: Territory,
    to: Territory,
    by_tables: bool,
    going: Option<i32>,
) -> Option<AttackOption> {
    let who_fight = |at| {
        if by_tables {
            view.armies(at)
        } else {
            units(view, at)
        }
    };
    let there = who_fight(from)?;
    let defenders = who_fight(to)?;
    let is_held = view.owner(to).is_some() || units(view, to)? > 0;
    if !view.mine(from) || view.mine(to) || !is_held {
        return None;
    }
    let shown = |at, number: i32| {
        if by_tables {
            number.to_string()
        } else {
            by_kind(kinds(view).filter_map(|kind| view.units(at, kind)))
        }
    };
    Some(AttackOption {
        shown: [
            going.map_or_else(|| shown(from, there), |going| going.to_string()),
            shown(to, defenders),
        ],
        verb: None,
        from,
        to,
        armies: going.unwrap_or(there),
        defenders,
        chance: None,
    })
}

/// The territories and the verb of an action between them.
type Pair = ((i32, i32), usize);

/// Returns the offered actions from a territory to another one, each with the maximum number of
/// armies that go, if the action has such a parameter.
fn pairs(view: &View, options: &Options) -> BTreeMap<Pair, Option<i32>> {
    let mut pairs = BTreeMap::new();
    for offer in options.offers() {
        let Some([from, to]) = ends_of(view.decl(), options, offer) else {
            continue;
        };
        let going = going(view, options, offer);
        for one in 0..options.size(from) {
            for other in 0..options.size(to) {
                let pair = (options.value(from, one), options.value(to, other));
                let most = pairs.entry((pair, offer.verb.index())).or_insert(going);
                *most = (*most).max(going);
            }
        }
    }
    pairs
}

/// Returns the maximum number of armies that go with an action, if it has such a parameter.
fn going(view: &View, options: &Options, offer: &Offer) -> Option<i32> {
    let slots = &view.decl().verbs[offer.verb.index()].slots;
    let &domain = offer.slots().get(2)?;
    let says = slots
        .get(2)
        .is_some_and(|(name, kind)| *kind == SlotKind::Count && name == "armies");
    let last = options.size(domain).checked_sub(1)?;
    says.then(|| options.value(domain, last))
}

/// Returns the chance of an attack. If the action says how many armies go, as orders do, all that
/// may go fight; otherwise all but one on the territory.
fn chance(
    view: &View,
    chances: &mut FightOdds,
    from: Territory,
    to: Territory,
    going: Option<i32>,
) -> Option<f64> {
    let now = chances.of_offer(view, from, to).ok()?;
    let Some(going) = going.filter(|_| !view.decl().own_chances) else {
        return Some(now);
    };
    let defenders = view.armies(to)?;
    let fight = chances.by_numbers()?;
    let class = class_of(fight, view, from, to)?;
    fight.chance_of(class, going, defenders).ok()
}

/// Returns the number of units of all kinds on a territory, if they are visible.
fn units(view: &View, at: Territory) -> Option<i32> {
    kinds(view).map(|kind| view.units(at, kind)).sum()
}

/// Joins the numbers of units of each kind, without those of 0.
fn by_kind(numbers: impl Iterator<Item = i32>) -> String {
    let there = numbers.filter(|&number| number > 0);
    let there: Vec<String> = there.map(|number| number.to_string()).collect();
    if there.is_empty() {
        "0".to_owned()
    } else {
        there.join("+")
    }
}

fn kinds(view: &View) -> impl Iterator<Item = Unit> + use<> {
    (0..view.decl().units.len()).map(Unit::from_index)
}
