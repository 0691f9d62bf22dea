//! The line-JSON arena, for any ruleset. Bots dial in over a WebSocket or answer requests over
//! HTTP.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use super::arena_protocol::{ArenaDefaults, ArenaProtocol};
use super::lobby::Lobby;
use super::{dialled, forms, joining};
use risk_engine::Seats;
use risk_wire::line_json::{PROTOCOL, read_join};

pub(super) static ARENA: ArenaProtocol = ArenaProtocol {
    protocol: &PROTOCOL,
    about: "Line-JSON over WebSockets and over HTTP, with any ruleset",
    defaults: ArenaDefaults {
        table: 4,
        seats: Seats::Shuffle,
        timeout: 10,
        at_once: 16,
    },
    starts_when_full: true,
    listener: None,
    shows_scores: false,
    form: forms::join_over_http,
    read_join,
};

pub(super) fn routes() -> Router<Arc<Lobby>> {
    joining::routes().route("/bot", get(dialled::dial))
}
