//! What it takes to serve a protocol, whichever it is.

use std::fmt;
use std::sync::Arc;

use super::hosted::{Hosted, Listener};
use risk_engine::matches::Seats;
use risk_wire::{JoinRequest, ProtocolError, ProtocolInfo};

/// What an arena serves.
pub struct ArenaProtocol {
    /// What is spoken with the bots.
    pub protocol: &'static ProtocolInfo,
    /// What it is, in a line of help.
    pub about: &'static str,
    /// How an arena is when nobody says otherwise.
    pub defaults: ArenaDefaults,
    /// Does a match begin when its table is full? Otherwise somebody starts it, with a secret.
    pub starts_when_full: bool,
    /// Does it tell scores while a match is played?
    pub shows_scores: bool,
    /// What else hears of what happens in a match.
    pub(super) listener: Option<fn(&Arc<Hosted>) -> Listener>,
    /// What its page has for people who register a bot by hand.
    pub form: &'static str,
    /// Reads who joins: from the content type, empty where none is said, and the body.
    pub read_join: fn(&str, &[u8]) -> Result<JoinRequest, ProtocolError>,
}

/// How an arena is when nobody says otherwise.
#[derive(Clone, Copy, Debug)]
pub struct ArenaDefaults {
    /// How many players make a table full.
    pub table: u16,
    /// Who sits where.
    pub seats: Seats,
    /// Seconds for each answer.
    pub timeout: u64,
    /// Matches at once.
    pub at_once: u16,
}

impl fmt::Debug for ArenaProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.protocol.name)
    }
}
