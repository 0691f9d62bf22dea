//! What players claim and place before the first round.

use super::items::Placing;
use super::wording::{Wording, listed};
use risk_kernel::id::{Territory, Unit};
use risk_text::plural::counted;

/// The maximum number of territories that are named one by one.
const MOST_NAMED: usize = 6;

/// What a player has claimed and placed since the last line about it.
#[derive(Debug, Default)]
pub(super) struct SetUp {
    claimed: Vec<Territory>,
    /// The units placed, by kind.
    placed: Vec<Placing>,
}

impl SetUp {
    /// Notes that the player claims a territory.
    pub(super) fn claim(&mut self, at: Territory) {
        self.claimed.push(at);
    }

    /// Notes that the player places units.
    pub(super) fn place(&mut self, placing: Placing) {
        match self.placed.iter_mut().find(|it| it.unit == placing.unit) {
            Some(known) => known.append(placing),
            None => self.placed.push(placing),
        }
    }

    /// Words the number of territories and of units.
    pub(super) fn counts(&self, wording: &Wording) -> String {
        let claimed = self.claimed.len();
        let placed: i64 = self.placed.iter().map(Placing::sum).sum();
        let mut parts = Vec::new();
        if claimed > 0 {
            parts.push(format!("claims {}", counted(claimed, "territory")));
        }
        if placed > 0 {
            let units = match wording.decl.units.as_slice() {
                [_] => format!("{placed} {}", wording.kind_noun(Unit(0), placed)),
                _ => counted(placed, "unit"),
            };
            parts.push(format!("places {units}"));
        }
        parts.join(" and ")
    }

    /// Returns the units that each claimed territory has, if the kind and the number are the same
    /// for all of them.
    fn with_claims(&self) -> Option<(Unit, i64)> {
        let of = |placing: &Placing, at: &Territory| {
            let mut placed = placing.placed.iter();
            placed.find(|placed| placed.0 == *at).map(|placed| placed.1)
        };
        let some = |placing: &&Placing| self.claimed.iter().any(|at| of(placing, at).is_some());
        let mut with = self.placed.iter().filter(some);
        let (only, None) = (with.next()?, with.next()) else {
            return None;
        };
        let count = of(only, self.claimed.first()?)?;
        let same = self.claimed.iter().all(|at| of(only, at) == Some(count));
        same.then_some((only.unit, count))
    }

    /// Returns the units that the line about the claims does not mention.
    fn placed_elsewhere(&self) -> Vec<Placing> {
        let mut all = self.placed.clone();
        if self.with_claims().is_some() {
            for placing in &mut all {
                placing
                    .placed
                    .retain(|placed| !self.claimed.contains(&placed.0));
            }
            all.retain(|placing| !placing.placed.is_empty());
        }
        all
    }

    /// Words the territories and the units.
    pub(super) fn text(&self, wording: &Wording) -> String {
        let mut parts = Vec::new();
        if !self.claimed.is_empty() {
            let claimed = self.claimed.iter().map(|&at| wording.place(at));
            let mut names: Vec<String> = claimed.collect();
            let more = names.len().saturating_sub(MOST_NAMED);
            if more > 1 {
                names.truncate(MOST_NAMED);
                names.push(counted(more, "other territory"));
            }
            let each = if self.claimed.len() > 1 { " each" } else { "" };
            let with = match self.with_claims() {
                Some((unit, count)) => {
                    format!(" with {count} {}{each}", wording.kind_noun(unit, count))
                }
                None => String::new(),
            };
            parts.push(format!("claims {}{with}", listed(&names)));
        }
        for placing in self.placed_elsewhere() {
            if placing.placed.len() <= MOST_NAMED {
                parts.push(placing.text(wording));
                continue;
            }
            let sum = placing.sum();
            let noun = wording.kind_noun(placing.unit, sum);
            let places = counted(placing.placed.len(), "territory");
            parts.push(format!("places {sum} {noun} in {places}"));
        }
        parts.join("; ")
    }
}
