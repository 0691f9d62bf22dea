//! The table of arenas. To add an arena for another protocol, add a file with its [`ArenaProtocol`]
//! and its routes, and two rows here.

use std::sync::Arc;

use axum::Router;

use super::arena_protocol::ArenaProtocol;
use super::lobby::Lobby;
use super::{callback, codelab, hacker_risk, json};

/// All arenas. The first arena is the default.
pub static ARENAS: [&ArenaProtocol; 4] = [
    &hacker_risk::ARENA,
    &callback::ARENA,
    &json::ARENA,
    &codelab::ARENA,
];

/// The routes of each arena except those of its page, in the order of [`ARENAS`].
const ROUTES: [fn() -> Router<Arc<Lobby>>; ARENAS.len()] = [
    hacker_risk::routes,
    callback::routes,
    json::routes,
    codelab::routes,
];

/// Returns the arena for a protocol name.
#[must_use]
pub fn arena_named(name: &str) -> Option<&'static ArenaProtocol> {
    ARENAS.into_iter().find(|arena| arena.protocol.name == name)
}

/// Returns the routes of an arena except those of its page.
pub(super) fn routes(arena: &'static ArenaProtocol) -> Router<Arc<Lobby>> {
    let row = ARENAS.iter().zip(ROUTES);
    let mut row = row.filter(|(known, _)| std::ptr::eq(**known, arena));
    row.next().map_or_else(Router::new, |(_, routes)| routes())
}
