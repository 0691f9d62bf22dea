//! The attacks that a person can choose from.

use risk_engine::script::chances::FightChances;
use risk_kernel::action::Options;
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Territory, Unit};
use risk_kernel::view::View;

/// The maximum number of pairs of territories in one offer. Larger offers are skipped.
const MOST_PAIRS: u64 = 100_000;

pub(super) struct AttackOption {
    pub(super) from: Territory,
    pub(super) to: Territory,
    /// The number of armies, or of units of all kinds if the ruleset does not fight by tables. The
    /// same applies to `defenders`.
    pub(super) armies: i32,
    pub(super) defenders: i32,
    pub(super) chance: Option<f64>,
}

/// Returns the possible attacks, each with its chance if the ruleset provides it.
pub(super) fn attacks(
    view: &View,
    options: &Options,
    chances: &mut FightChances,
) -> Vec<AttackOption> {
    let mut pairs = std::collections::BTreeSet::new();
    for offer in options.offers() {
        let slots = &view.decl().verbs[offer.verb.index()].slots;
        let lands = slots.iter().take(2);
        if lands.filter(|slot| slot.1 == SlotKind::Territory).count() < 2 {
            continue;
        }
        let &[from, to, ..] = offer.slots() else {
            continue;
        };
        if options.size(from).saturating_mul(options.size(to)) > MOST_PAIRS {
            continue;
        }
        for one in 0..options.size(from) {
            for other in 0..options.size(to) {
                pairs.insert((options.value(from, one), options.value(to, other)));
            }
        }
    }
    let land = |number: i32| usize::try_from(number).ok().map(Territory::from_index);
    let by_tables = FightChances::is_by_tables(view);
    let who_fight = |at| {
        if by_tables {
            view.armies(at)
        } else {
            units(view, at)
        }
    };
    let attack = |(from, to): (i32, i32)| {
        let from = land(from)?;
        let to = land(to)?;
        let armies = who_fight(from)?;
        let defenders = who_fight(to)?;
        let is_held = view.owner(to).is_some() || units(view, to)? > 0;
        if !view.mine(from) || view.mine(to) || !is_held {
            return None;
        }
        Some(AttackOption {
            from,
            to,
            armies,
            defenders,
            chance: chances.of_offer(view, from, to).ok(),
        })
    };
    pairs.into_iter().filter_map(attack).collect()
}

/// Returns the number of units of all kinds on a territory, if they are visible.
fn units(view: &View, at: Territory) -> Option<i32> {
    let kinds = (0..view.decl().units.len()).map(Unit::from_index);
    kinds.map(|kind| view.units(at, kind)).sum()
}
