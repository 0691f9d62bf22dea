//! The description of an arena, for any protocol.

use std::fmt;
use std::sync::Arc;

use maud::Markup;

use super::hosted::{Listener, PublishedMatch};
use risk_engine::Seats;
use risk_wire::{JoinRequest, ProtocolError, ProtocolInfo};

/// A kind of arena.
pub struct ArenaProtocol {
    /// The protocol for communication with the bots.
    pub protocol: &'static ProtocolInfo,
    /// The one-line description in the help text.
    pub about: &'static str,
    /// The default settings.
    pub defaults: ArenaDefaults,
    /// Whether a match begins as soon as its table is full. If not, a client with the secret starts
    /// it.
    pub starts_when_full: bool,
    /// `true` if pages show scores during a match.
    pub shows_scores: bool,
    /// Creates an additional listener for the events of a match.
    pub(super) listener: Option<fn(&Arc<PublishedMatch>) -> Listener>,
    /// The part of the page for people who register a bot.
    pub form: fn() -> Markup,
    /// Parses a join request from its content type and its body. The content type is empty if the
    /// header is missing.
    pub read_join: fn(&str, &[u8]) -> Result<JoinRequest, ProtocolError>,
}

/// The default settings of an arena.
#[derive(Clone, Copy, Debug)]
pub struct ArenaDefaults {
    /// The number of players at a full table.
    pub table: u16,
    /// The order in which players get seats.
    pub seats: Seats,
    /// The time limit for an answer, in seconds.
    pub timeout: u64,
    /// The maximum number of concurrent matches.
    pub at_once: u16,
}

impl fmt::Debug for ArenaProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.protocol.name)
    }
}
