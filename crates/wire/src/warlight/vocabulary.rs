//! The parts of a ruleset that the protocol uses, looked up by name.

use super::Challenge;
use crate::decl_lookup::DeclLookup;
use crate::error::ProtocolError;
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Counter, Phase, Pile, Player, Territory, Verb};

#[derive(Clone, Copy, Debug)]
pub(super) struct WarlightVocabulary {
    pub(super) claim: Verb,
    pub(super) place: Verb,
    pub(super) attack: Verb,
    pub(super) transfer: Verb,
    pub(super) done: Verb,
    pub(super) picking: Phase,
    pub(super) placing: Phase,
    pub(super) orders: Phase,
    pub(super) pickable: Pile,
    pub(super) wastelands: Pile,
    pub(super) picked: Pile,
    /// The number of picks left.
    pub(super) picks: Counter,
    pub(super) reserve: Counter,
}

impl WarlightVocabulary {
    pub(super) fn new(decl: &Declaration, challenge: Challenge) -> Result<Self, ProtocolError> {
        let find = DeclLookup(decl);
        let picking = match challenge {
            Challenge::First => "wishing",
            Challenge::Second => "picking",
        };
        Ok(Self {
            claim: find.verb("claim")?,
            place: find.verb("place")?,
            attack: find.verb("attack")?,
            transfer: find.verb("move")?,
            done: find.verb("done")?,
            picking: find.phase(picking)?,
            placing: find.phase("placing")?,
            orders: find.phase("orders")?,
            pickable: find.pile("pickable")?,
            wastelands: find.pile("wastelands")?,
            picked: find.pile("picked")?,
            picks: find.counter("picks")?,
            reserve: find.counter("reserve")?,
        })
    }
}

/// Returns a region's number in the protocol, counted from 1 in the order of the map.
pub(super) fn region(at: Territory) -> usize {
    at.index() + 1
}

pub(super) const fn name(player: Player) -> &'static str {
    if player.0 == 0 { "player1" } else { "player2" }
}
