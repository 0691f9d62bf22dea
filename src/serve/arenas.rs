//! The table of arenas. One that serves another protocol is a file with its [`ArenaProtocol`], and
//! a row here.

use super::arena_protocol::ArenaProtocol;
use super::{callback, codelab, hacker_risk, json};

/// All arenas; the first is the one that a bot of ours is served to when nothing is said.
pub static ARENAS: [&ArenaProtocol; 4] = [
    &hacker_risk::ARENA,
    &callback::ARENA,
    &json::ARENA,
    &codelab::ARENA,
];

/// The arena that serves the protocol with this name.
#[must_use]
pub fn arena_named(name: &str) -> Option<&'static ArenaProtocol> {
    ARENAS.into_iter().find(|arena| arena.protocol.name == name)
}
