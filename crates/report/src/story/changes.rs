//! Changes of the board that no fight, placement or move explains, and how the story words them:
//! `−2 in Alaska (now 3)`.

use super::wording::{Wording, has_word, listed};
use risk_engine::acts::UnitChange;
use risk_kernel::id::{Player, Territory, Unit};

/// The maximum number of territories that are named one by one.
const MOST_NAMED: usize = 3;

/// Words a change of units: `+2 forts in Alaska (now 5)`.
fn unit_text(wording: &Wording, change: &UnitChange) -> String {
    let by = change.now - change.before;
    let count = by.abs();
    let sign = if by > 0 { '+' } else { '−' };
    let kind = wording.kind_word(change.unit, count.into());
    let at = wording.place(change.at);
    let result = match result(change) {
        Some(result) => format!(" ({result})"),
        None => String::new(),
    };
    format!("{sign}{count}{kind} in {at}{result}")
}

/// Words the number after a change, unless it equals the number of new units.
pub(super) fn result(change: &UnitChange) -> Option<String> {
    (change.before != 0).then(|| now_text(change))
}

/// Words the number after a change.
pub(super) fn now_text(change: &UnitChange) -> String {
    match change.now {
        0 => "none left".to_owned(),
        now => format!("now {now}"),
    }
}

/// Reports whether a text, such as a ruleset's message, already covers a change: it has the
/// territory, the noun of the kind, and the number unless that is 1.
fn is_covered(wording: &Wording, change: &UnitChange, text: &str) -> bool {
    let count = (change.now - change.before).abs();
    has_word(text, &wording.place(change.at))
        && has_word(text, &wording.kind_noun(change.unit, count.into()))
        && (count == 1 || has_word(text, &count.to_string()))
}

/// A change of a territory's owner.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnerChange {
    pub(super) at: Territory,
    pub(super) from: Option<Player>,
    pub(super) to: Option<Player>,
}

/// Changes in the order in which they happened. Changes that cancel each other are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    units: Vec<UnitChange>,
    owners: Vec<OwnerChange>,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.units.is_empty() && self.owners.is_empty()
    }

    /// Adds a change of units.
    pub(super) fn add_units(&mut self, change: UnitChange) {
        let known = self.units.iter_mut().rfind(|known| {
            (known.at, known.unit, known.now) == (change.at, change.unit, change.before)
        });
        match known {
            Some(known) if known.owner == change.owner => known.now = change.now,
            _ => self.units.push(change),
        }
        self.units.retain(|change| change.before != change.now);
    }

    /// Adds a change of owner.
    pub(super) fn add_owner(&mut self, at: Territory, from: Option<Player>, to: Option<Player>) {
        match self.owners.iter_mut().find(|change| change.at == at) {
            Some(known) => known.to = to,
            None => self.owners.push(OwnerChange { at, from, to }),
        }
        self.owners.retain(|change| change.from != change.to);
    }

    /// Removes the changes that leave a territory of this player without an owner, because units
    /// left it. Reports whether there were any.
    pub(super) fn take_left(&mut self, player: Player, from: &[Territory]) -> bool {
        self.take_own(|change| {
            (change.from, change.to) == (Some(player), None) && from.contains(&change.at)
        })
    }

    /// Removes the changes that give a free territory to this player, because units came there.
    /// Reports whether there were any.
    pub(super) fn take_entered(&mut self, player: Player, to: &[Territory]) -> bool {
        self.take_own(|change| {
            (change.from, change.to) == (None, Some(player)) && to.contains(&change.at)
        })
    }

    fn take_own(&mut self, is_own: impl Fn(&OwnerChange) -> bool) -> bool {
        let before = self.owners.len();
        self.owners.retain(|change| !is_own(change));
        self.owners.len() < before
    }

    /// Removes and returns all changes of owners.
    pub(super) fn take_owners(&mut self) -> Vec<OwnerChange> {
        std::mem::take(&mut self.owners)
    }

    /// Adds later changes to these.
    pub(super) fn append(&mut self, later: Self) {
        for change in later.units {
            self.add_units(change);
        }
        for change in later.owners {
            self.add_owner(change.at, change.from, change.to);
        }
    }

    /// Words the changes as parts of a line about `teller`; `None` for a line about the game.
    pub(super) fn parts(&self, wording: &Wording, teller: Option<Player>) -> Vec<String> {
        let (owned, left): (Vec<_>, Vec<_>) = self.owners.iter().partition(|it| it.to.is_some());
        let mut parts = owner_texts(wording, &owned, teller);
        if self.units.len() <= MOST_NAMED {
            parts.extend(self.units.iter().map(|it| unit_text(wording, it)));
        } else {
            parts.extend(self.sums(wording, teller));
        }
        // A territory loses its owner with its last units.
        parts.extend(owner_texts(wording, &left, teller));
        parts
    }

    /// Removes the change that a text already covers, if there is exactly one, and returns it.
    pub(super) fn take_covered(&mut self, wording: &Wording, text: &str) -> Option<UnitChange> {
        let mut covered = self.units.iter().enumerate();
        let mut covered = covered
            .by_ref()
            .filter(|(_, it)| is_covered(wording, it, text));
        let (index, _) = covered.next()?;
        if covered.next().is_some() {
            return None;
        }
        Some(self.units.remove(index))
    }

    /// Words many changes as sums by kind: `loses 12 armies in 7 territories`.
    fn sums(&self, wording: &Wording, teller: Option<Player>) -> Vec<String> {
        let mut parts = Vec::new();
        for unit in (0..wording.decl.units.len()).map(Unit::from_index) {
            for gains in [false, true] {
                for own in [true, false] {
                    let fits = |change: &&UnitChange| {
                        change.unit == unit
                            && (change.now > change.before) == gains
                            && (change.owner == teller && teller.is_some()) == own
                    };
                    let found: Vec<&UnitChange> = self.units.iter().filter(fits).collect();
                    if !found.is_empty() {
                        parts.push(sum_text(wording, &found, unit, own));
                    }
                }
            }
        }
        parts
    }
}

/// Words changes of one kind of unit, all in the same direction, as a sum.
fn sum_text(wording: &Wording, changes: &[&UnitChange], unit: Unit, own: bool) -> String {
    let by = changes
        .iter()
        .map(|change| i64::from(change.now) - i64::from(change.before))
        .sum::<i64>();
    let mut places: Vec<Territory> = changes.iter().map(|change| change.at).collect();
    places.sort_unstable();
    places.dedup();
    let places = risk_text::plural::counted(places.len(), "territory");
    let count = by.abs();
    let noun = wording.kind_noun(unit, count);
    match (own, by > 0) {
        (true, true) => format!("gains {count} {noun} in {places}"),
        (true, false) => format!("loses {count} {noun} in {places}"),
        (false, true) => format!("{count} {noun} more in {places}"),
        (false, false) => format!("{count} {noun} fewer in {places}"),
    }
}

/// Words changes of owners in a line about `teller`. Those between the same players are one part.
fn owner_texts(wording: &Wording, changes: &[&OwnerChange], teller: Option<Player>) -> Vec<String> {
    let mut groups: Vec<(OwnerChange, Vec<Territory>)> = Vec::new();
    for change in changes {
        let same = |group: &&mut (OwnerChange, Vec<Territory>)| {
            (group.0.from, group.0.to) == (change.from, change.to)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.1.push(change.at),
            None => groups.push((**change, vec![change.at])),
        }
    }
    let groups = groups.into_iter();
    let texts = groups.map(|(change, all)| owners_text(wording, change, &all, teller));
    texts.collect()
}

/// Words a change of owner in a line about `teller`.
pub(super) fn owner_text(wording: &Wording, change: OwnerChange, teller: Option<Player>) -> String {
    owners_text(wording, change, &[change.at], teller)
}

/// Words the same change of owner of some territories.
fn owners_text(
    wording: &Wording,
    change: OwnerChange,
    all: &[Territory],
    teller: Option<Player>,
) -> String {
    let [goes, have] = match all {
        [_] => ["goes", "has"],
        _ => ["go", "have"],
    };
    let all: Vec<String> = all.iter().map(|&at| wording.place(at)).collect();
    let all = listed(&all);
    match (change.from, change.to) {
        (None, Some(to)) if Some(to) == teller => format!("takes {all}"),
        (Some(from), Some(to)) if Some(to) == teller => {
            format!("takes {all} from {}", wording.names[from.index()])
        }
        (_, Some(to)) => format!("{all} {goes} to {}", wording.names[to.index()]),
        (_, None) => format!("{all} {have} no owner now"),
    }
}
