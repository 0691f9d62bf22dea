//! The arena of line-JSON, for any ruleset: bots dial in over a WebSocket, or are asked over HTTP.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use super::arena_protocol::{ArenaDefaults, ArenaProtocol};
use super::lobby::Lobby;
use super::{dialled, joining};
use risk_engine::matches::Seats;
use risk_wire::line_json::{PROTOCOL, read_join};

/// The arena for bots of any language and games of any rules.
pub(super) static ARENA: ArenaProtocol = ArenaProtocol {
    protocol: &PROTOCOL,
    about: "Line-JSON over WebSockets that bots open, and over HTTP, for any ruleset",
    defaults: ArenaDefaults {
        table: 4,
        seats: Seats::Shuffle,
        timeout: 10,
        at_once: 16,
    },
    starts_when_full: true,
    listener: None,
    shows_scores: false,
    form: include_str!("page/join_json.html"),
    read_join,
};

/// What it answers besides what its page needs.
pub(super) fn routes() -> Router<Arc<Lobby>> {
    joining::routes().route("/bot", get(dialled::dial))
}
