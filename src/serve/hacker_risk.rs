//! The Hacker Risk arena: players register with name and address, and a match is asked for.

use super::arena_protocol::{ArenaDefaults, ArenaProtocol};
use super::joining;
use crate::matches::Seats;
use crate::protocol::hacker_risk::{PROTOCOL, read_join};

/// The arena of Hacker Risk, which draws the order of play.
pub(super) static ARENA: ArenaProtocol = ArenaProtocol {
    protocol: &PROTOCOL,
    about: "That of the Hacker Risk arena, for hasbro",
    defaults: ArenaDefaults {
        table: 4,
        seats: Seats::Shuffle,
        timeout: 30,
        at_once: 16,
    },
    starts_when_full: true,
    shows_scores: false,
    form: include_str!("page/join.html"),
    read_join,
    routes: joining::routes,
};
