//! Changes of the board that no fight, placement or move explains, and how the story words them:
//! `Alaska 5 → 3 armies`.

use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;

use super::nouns::{kind_noun, place};

/// The maximum number of territories that are named one by one.
const MOST_NAMED: usize = 3;

/// A change of the units of one kind on a territory.
#[derive(Clone, Copy, Debug)]
struct UnitChange {
    at: Territory,
    unit: Unit,
    before: i32,
    now: i32,
    /// The owner of the territory at that moment.
    owner: Option<Player>,
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

    /// Adds a change of units, with the numbers before and after it.
    pub(super) fn add_units(
        &mut self,
        at: Territory,
        unit: Unit,
        [before, now]: [i32; 2],
        owner: Option<Player>,
    ) {
        let known = self
            .units
            .iter_mut()
            .rfind(|change| (change.at, change.unit, change.now) == (at, unit, before));
        match known {
            Some(known) if known.owner == owner => known.now = now,
            _ => self.units.push(UnitChange {
                at,
                unit,
                before,
                now,
                owner,
            }),
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

    /// Removes and returns the change of this territory's owner.
    pub(super) fn take_owner(&mut self, at: Territory) -> Option<OwnerChange> {
        let index = self.owners.iter().position(|change| change.at == at)?;
        Some(self.owners.remove(index))
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

    /// Takes up to `most` losses of units on a territory out of the changes, because a fight
    /// explains them. Returns them by kind.
    pub(super) fn take_losses(&mut self, at: Territory, most: i32) -> Vec<(Unit, i32)> {
        let mut left = most;
        let mut taken = Vec::new();
        for change in self.units.iter_mut().filter(|change| change.at == at) {
            let lost = (change.before - change.now).min(left);
            if lost > 0 {
                change.before -= lost;
                left -= lost;
                taken.push((change.unit, lost));
            }
        }
        self.units.retain(|change| change.before != change.now);
        taken
    }

    /// Adds later changes to these.
    pub(super) fn append(&mut self, later: Self) {
        for change in later.units {
            let numbers = [change.before, change.now];
            self.add_units(change.at, change.unit, numbers, change.owner);
        }
        for change in later.owners {
            self.add_owner(change.at, change.from, change.to);
        }
    }

    /// Words the changes as parts of a line about `teller`; `None` for a line about the game.
    pub(super) fn parts(
        &self,
        game: &GameState,
        names: &[String],
        teller: Option<Player>,
    ) -> Vec<String> {
        let text = |change: &OwnerChange| owner_text(game, names, *change, teller);
        let (owned, left): (Vec<_>, Vec<_>) = self.owners.iter().partition(|it| it.to.is_some());
        let mut parts: Vec<String> = owned.into_iter().map(text).collect();
        if self.units.len() <= MOST_NAMED {
            parts.extend(self.units.iter().map(|change| {
                let at = place(game, change.at);
                let noun = |count: i32| kind_noun(game, change.unit, count.into());
                match [change.before, change.now] {
                    [1, 0] => format!("{at} 1 {} → 0", noun(1)),
                    [before, now] => format!("{at} {before} → {now} {}", noun(now)),
                }
            }));
        } else {
            parts.extend(self.sums(game, teller));
        }
        // A territory loses its owner with its last units.
        parts.extend(left.into_iter().map(text));
        parts
    }

    /// Words many changes as sums by kind: `loses 12 armies in 7 territories`.
    fn sums(&self, game: &GameState, teller: Option<Player>) -> Vec<String> {
        let mut parts = Vec::new();
        for unit in (0..game.decl().units.len()).map(Unit::from_index) {
            for gains in [false, true] {
                for own in [true, false] {
                    let fits = |change: &&UnitChange| {
                        change.unit == unit
                            && (change.now > change.before) == gains
                            && (change.owner == teller && teller.is_some()) == own
                    };
                    let found: Vec<&UnitChange> = self.units.iter().filter(fits).collect();
                    if !found.is_empty() {
                        parts.push(sum_text(game, &found, unit, own));
                    }
                }
            }
        }
        parts
    }
}

/// Words changes of one kind of unit, all in the same direction, as a sum.
fn sum_text(game: &GameState, changes: &[&UnitChange], unit: Unit, own: bool) -> String {
    let by = changes
        .iter()
        .map(|change| i64::from(change.now) - i64::from(change.before))
        .sum::<i64>();
    let mut places: Vec<Territory> = changes.iter().map(|change| change.at).collect();
    places.sort_unstable();
    places.dedup();
    let places = risk_text::plural::counted(places.len(), "territory");
    let count = by.abs();
    let noun = kind_noun(game, unit, count);
    match (own, by > 0) {
        (true, true) => format!("gains {count} {noun} in {places}"),
        (true, false) => format!("loses {count} {noun} in {places}"),
        (false, true) => format!("{count} {noun} more in {places}"),
        (false, false) => format!("{count} {noun} fewer in {places}"),
    }
}

/// Words a change of owner in a line about `teller`.
pub(super) fn owner_text(
    game: &GameState,
    names: &[String],
    change: OwnerChange,
    teller: Option<Player>,
) -> String {
    let at = place(game, change.at);
    match (change.from, change.to) {
        (None, Some(to)) if Some(to) == teller => format!("takes {at}"),
        (Some(from), Some(to)) if Some(to) == teller => {
            format!("takes {at} from {}", names[from.index()])
        }
        (_, Some(to)) => format!("{at} goes to {}", names[to.index()]),
        (_, None) => format!("{at} has no owner now"),
    }
}
