//! Options of a standard phase without some targets, and with fewer armies where there is little
//! space.

use super::{Bounds, Domain, Offer, Options};
use crate::declare::{SlotKind, VerbInfo};
use crate::fault::RuleResult;
use crate::id::{Territory, Verb};

/// The answer to [`Options::narrowed`] for a target with space for any number of armies.
pub const ANY_NUMBER: i32 = i32::MAX;

/// The parameters of a verb that say where armies go.
#[derive(Clone, Copy)]
struct Ends {
    from: Option<usize>,
    to: usize,
    /// The parameter for the number of armies that arrive.
    armies: Option<usize>,
}

/// What an action does with a target.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The territory from which it acts, if the verb has one.
    pub from: Option<Territory>,
    /// The target.
    pub to: Territory,
    /// Whether armies may come to the target.
    pub brings_armies: bool,
}

impl Ends {
    fn arrival(&self, from: Option<i32>, to: i32) -> Arrival {
        Arrival {
            from: from.map(territory),
            to: territory(to),
            brings_armies: self.armies.is_some(),
        }
    }
}

/// Returns the parameters of a verb that say where armies go, if it has such parameters: the last
/// territory is the target.
fn ends(verb: &VerbInfo) -> Option<Ends> {
    let at = |kind| move |slot: &(String, SlotKind)| slot.1 == kind;
    let to = verb.slots.iter().rposition(at(SlotKind::Territory))?;
    let from = verb.slots[..to].iter().position(at(SlotKind::Territory));
    let is_armies = |slot: &(String, SlotKind)| slot.1 == SlotKind::Count && slot.0 == "armies";
    let armies = verb.slots.iter().position(is_armies);
    Some(Ends { from, to, armies })
}

impl Options {
    /// Fills `out` with the options without targets that have no space. `space` returns the number
    /// of armies for which there is space.
    ///
    /// # Errors
    /// Returns the errors of `space`.
    pub fn narrowed(
        &self,
        verbs: &[VerbInfo],
        out: &mut Self,
        mut space: impl FnMut(Arrival) -> RuleResult<i32>,
    ) -> RuleResult {
        out.clear();
        out.pool.clone_from(&self.pool);
        let mut known: Option<(Verb, Option<Ends>)> = None;
        for offer in &self.offers {
            let of_verb = match known {
                Some((verb, ends)) if verb == offer.verb => ends,
                _ => {
                    known
                        .insert((offer.verb, ends(&verbs[offer.verb.index()])))
                        .1
                }
            };
            let Some(ends) = of_verb else {
                out.offer(offer.verb, offer.slots());
                continue;
            };
            let from = ends.from.map(|slot| offer.slots[slot]);
            for index in 0..from.map_or(1, |from| self.size(from)) {
                let from = from.map(|from| self.value(from, index));
                out.offer_targets(self, *offer, ends, from, &mut space)?;
            }
        }
        Ok(())
    }

    /// Adds an offer of other options for one territory that armies leave, without targets that
    /// have no space.
    fn offer_targets(
        &mut self,
        options: &Self,
        mut offer: Offer,
        ends: Ends,
        from: Option<i32>,
        space: &mut impl FnMut(Arrival) -> RuleResult<i32>,
    ) -> RuleResult {
        let targets = offer.slots[ends.to];
        if let Some((slot, from)) = ends.from.zip(from) {
            offer.slots[slot] = Domain::Is(from);
        }
        let start = self.pool.len();
        for index in 0..options.size(targets) {
            let to = options.value(targets, index);
            let there = space(ends.arrival(from, to))?;
            match ends.armies.map(|slot| (slot, offer.slots[slot])) {
                _ if there < 1 => {}
                Some((slot, armies)) if there < ANY_NUMBER && there < options.largest(armies) => {
                    // An exact number of armies finds no space.
                    if let Domain::Span { low, .. } = armies {
                        let mut limited = offer;
                        limited.slots[ends.to] = Domain::Is(to);
                        limited.slots[slot] = Domain::Span { low, high: there };
                        self.offer(limited.verb, limited.slots());
                    }
                }
                _ => self.pool.push(to),
            }
        }
        offer.slots[ends.to] = Domain::Among {
            start: start as u32,
            len: (self.pool.len() - start) as u32,
        };
        self.offer(offer.verb, offer.slots());
        Ok(())
    }
}

/// Returns the bounds of a verb's last parameter, given the parameters before it, without targets
/// that have no space.
///
/// # Errors
/// Returns the errors of `space`, which is that of [`Options::narrowed`].
pub fn narrowed_bounds(
    bounds: Bounds,
    verb: &VerbInfo,
    given: &[i32],
    mut space: impl FnMut(Arrival) -> RuleResult<i32>,
) -> RuleResult<Bounds> {
    let (Bounds::Span { low, high }, Some(ends)) = (bounds, ends(verb)) else {
        return Ok(bounds);
    };
    let Some(&to) = given.get(ends.to) else {
        return Ok(Bounds::Unknown);
    };
    let there = space(ends.arrival(ends.from.map(|slot| given[slot]), to))?;
    Ok(match ends.armies {
        _ if there < 1 => Bounds::NONE,
        Some(slot) if slot == given.len() && low > there => Bounds::NONE,
        Some(slot) if slot == given.len() => Bounds::Span {
            low,
            high: high.min(there),
        },
        _ => bounds,
    })
}

fn territory(number: i32) -> Territory {
    Territory::from_index(number as usize)
}
