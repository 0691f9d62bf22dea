//! The Hacker Risk arena: players register with name and address, and a match is asked for.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use super::arena_protocol::{ArenaDefaults, ArenaProtocol};
use super::lobby::Lobby;
use super::{broadcasts, joining};
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
    listener: Some(broadcasts::keeper),
    shows_scores: false,
    form: include_str!("page/join.html"),
    read_join,
    routes,
};

fn routes() -> Router<Arc<Lobby>> {
    joining::routes().route("/game/{match}/{count}", get(broadcasts::get_one))
}
