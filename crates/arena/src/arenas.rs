//! The table of arenas. One that serves another protocol is a file with its [`ArenaProtocol`] and
//! its routes, and two rows here.

use std::sync::Arc;

use axum::Router;

use super::arena_protocol::ArenaProtocol;
use super::lobby::Lobby;
use super::{callback, codelab, hacker_risk, json};

/// All arenas; the first is the one that a bot of ours is served to when nothing is said.
pub static ARENAS: [&ArenaProtocol; 4] = [
    &hacker_risk::ARENA,
    &callback::ARENA,
    &json::ARENA,
    &codelab::ARENA,
];

/// What each of them answers besides what its page needs.
const ROUTES: [fn() -> Router<Arc<Lobby>>; ARENAS.len()] = [
    hacker_risk::routes,
    callback::routes,
    json::routes,
    codelab::routes,
];

/// The arena that serves the protocol with this name.
#[must_use]
pub fn arena_named(name: &str) -> Option<&'static ArenaProtocol> {
    ARENAS.into_iter().find(|arena| arena.protocol.name == name)
}

/// What an arena answers besides what its page needs.
pub(super) fn routes(arena: &'static ArenaProtocol) -> Router<Arc<Lobby>> {
    let row = ARENAS.iter().zip(ROUTES);
    let mut row = row.filter(|(known, _)| std::ptr::eq(**known, arena));
    row.next().map_or_else(Router::new, |(_, routes)| routes())
}
