//! Options of a standard phase without some targets, and with fewer armies where there is little
//! room.

use crate::action::{Bounds, Domain, Options};
use crate::declare::{SlotKind, VerbInfo};
use crate::fault::RuleResult;
use crate::id::Territory;

/// The answer of [`narrowed`] for a target with room for any number of armies.
pub const ANY_NUMBER: i32 = i32::MAX;

/// The parameters of a verb that say where armies go.
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
    /// Returns the parameters for one target with room for some of the armies; `None` if their
    /// number is exact, because they find no room.
    fn limited(&self, slots: &[Domain], armies: usize, to: i32, room: i32) -> Option<Vec<Domain>> {
        let Domain::Span { low, .. } = slots[armies] else {
            return None;
        };
        let mut slots = slots.to_vec();
        slots[self.to] = Domain::Is(to);
        slots[armies] = Domain::Span { low, high: room };
        Some(slots)
    }

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

/// Returns the options without targets that have no room. `room` returns the number of armies for
/// which there is room.
///
/// # Errors
/// Returns the errors of `room`.
pub fn narrowed(
    options: &Options,
    verbs: &[VerbInfo],
    mut room: impl FnMut(Arrival) -> RuleResult<i32>,
) -> RuleResult<Options> {
    let mut out = Options::new();
    for offer in options.offers() {
        let mut slots: Vec<Domain> = Vec::new();
        for domain in offer.slots() {
            slots.push(match options.list(domain) {
                Some([one]) => Domain::Is(*one),
                Some(list) => out.among(list.iter().copied()),
                None => *domain,
            });
        }
        let Some(ends) = ends(&verbs[offer.verb.index()]) else {
            out.offer(offer.verb, &slots);
            continue;
        };
        let values = |slot: usize| {
            let domain = offer.slots()[slot];
            (0..options.size(domain)).map(move |at| options.value(domain, at))
        };
        let sources: Vec<Option<i32>> = match ends.from {
            Some(from) => values(from).map(Some).collect(),
            None => vec![None],
        };
        for from in sources {
            if let (Some(slot), Some(from)) = (ends.from, from) {
                slots[slot] = Domain::Is(from);
            }
            let mut open = Vec::new();
            for to in values(ends.to) {
                let there = room(ends.arrival(from, to))?;
                match ends.armies {
                    _ if there < 1 => {}
                    Some(slot) if there < options.largest(offer.slots()[slot]) => {
                        if let Some(slots) = ends.limited(&slots, slot, to, there) {
                            out.offer(offer.verb, &slots);
                        }
                    }
                    _ => open.push(to),
                }
            }
            slots[ends.to] = out.among(open);
            out.offer(offer.verb, &slots);
        }
    }
    Ok(out)
}

/// Returns the bounds of a verb's last parameter, given the parameters before it, without targets
/// that have no room.
///
/// # Errors
/// Returns the errors of `room`, which is that of [`narrowed`].
pub fn narrowed_bounds(
    bounds: Bounds,
    verb: &VerbInfo,
    given: &[i32],
    mut room: impl FnMut(Arrival) -> RuleResult<i32>,
) -> RuleResult<Bounds> {
    let (Bounds::Span { low, high }, Some(ends)) = (bounds, ends(verb)) else {
        return Ok(bounds);
    };
    let Some(&to) = given.get(ends.to) else {
        return Ok(Bounds::Unknown);
    };
    let there = room(ends.arrival(ends.from.map(|slot| given[slot]), to))?;
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
