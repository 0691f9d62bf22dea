//! Changes of the board that no fight, placement or move explains, and how the story words them:
//! `−2 in Alaska (now 3)`.

use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;

use super::nouns::{has_word, kind_noun, kind_word, listed, place};

/// The maximum number of territories that are named one by one.
const MOST_NAMED: usize = 3;

/// A change of the units of one kind on a territory.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnitChange {
    at: Territory,
    unit: Unit,
    before: i32,
    now: i32,
    /// The owner of the territory at that moment.
    owner: Option<Player>,
}

impl UnitChange {
    /// Words the change: `+2 forts in Alaska (now 5)`.
    fn text(&self, game: &GameState) -> String {
        let by = self.now - self.before;
        let count = by.abs();
        let sign = if by > 0 { '+' } else { '−' };
        let kind = kind_word(game, self.unit, count.into());
        let at = place(game, self.at);
        let result = match self.result(by) {
            Some(result) => format!(" ({result})"),
            None => String::new(),
        };
        format!("{sign}{count}{kind} in {at}{result}")
    }

    /// Words the number after the change, unless it equals the number of new units.
    fn result(&self, by: i32) -> Option<String> {
        (self.now != by).then(|| self.now_text())
    }

    /// Words the number after the change, which a text about the change may lack.
    pub(super) fn rest(&self) -> Option<String> {
        self.result(self.now - self.before)
    }

    /// Words the number after the change.
    pub(super) fn now_text(&self) -> String {
        match self.now {
            0 => "none left".to_owned(),
            now => format!("now {now}"),
        }
    }

    /// Reports whether a text, such as a ruleset's message, already covers the change: it has the
    /// territory, the noun of the kind, and the number unless that is 1.
    fn is_told_by(&self, game: &GameState, text: &str) -> bool {
        let count = (self.now - self.before).abs();
        let noun = kind_noun(game, self.unit, count.into());
        has_word(text, &place(game, self.at))
            && has_word(text, &noun)
            && (count == 1 || has_word(text, &count.to_string()))
    }
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
        let (owned, left): (Vec<_>, Vec<_>) = self.owners.iter().partition(|it| it.to.is_some());
        let mut parts = owner_texts(game, names, &owned, teller);
        if self.units.len() <= MOST_NAMED {
            parts.extend(self.units.iter().map(|change| change.text(game)));
        } else {
            parts.extend(self.sums(game, teller));
        }
        // A territory loses its owner with its last units.
        parts.extend(owner_texts(game, names, &left, teller));
        parts
    }

    /// Removes the change that a text already covers, if there is exactly one, and returns it.
    pub(super) fn take_told(&mut self, game: &GameState, text: &str) -> Option<UnitChange> {
        let mut told = self.units.iter().enumerate();
        let mut told = told.by_ref().filter(|(_, it)| it.is_told_by(game, text));
        let (index, _) = told.next()?;
        if told.next().is_some() {
            return None;
        }
        Some(self.units.remove(index))
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

/// Words changes of owners in a line about `teller`. Those between the same players are one part.
fn owner_texts(
    game: &GameState,
    names: &[String],
    changes: &[&OwnerChange],
    teller: Option<Player>,
) -> Vec<String> {
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
    let texts = groups.map(|(change, all)| owners_text(game, names, change, &all, teller));
    texts.collect()
}

/// Words a change of owner in a line about `teller`.
pub(super) fn owner_text(
    game: &GameState,
    names: &[String],
    change: OwnerChange,
    teller: Option<Player>,
) -> String {
    owners_text(game, names, change, &[change.at], teller)
}

/// Words the same change of owner of some territories.
fn owners_text(
    game: &GameState,
    names: &[String],
    change: OwnerChange,
    all: &[Territory],
    teller: Option<Player>,
) -> String {
    let [goes, have] = match all {
        [_] => ["goes", "has"],
        _ => ["go", "have"],
    };
    let all: Vec<String> = all.iter().map(|&at| place(game, at)).collect();
    let all = listed(&all);
    match (change.from, change.to) {
        (None, Some(to)) if Some(to) == teller => format!("takes {all}"),
        (Some(from), Some(to)) if Some(to) == teller => {
            format!("takes {all} from {}", names[from.index()])
        }
        (_, Some(to)) => format!("{all} {goes} to {}", names[to.index()]),
        (_, None) => format!("{all} {have} no owner now"),
    }
}
