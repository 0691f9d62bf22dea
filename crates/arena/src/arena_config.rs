//! How an arena is set up, and what the program does for it.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use super::arena_protocol::ArenaProtocol;
use super::secret::Secret;
use risk_engine::matches::Setup;
use risk_wire::transport::Networks;

/// What an arena is.
#[derive(Debug)]
pub struct ArenaConfig {
    /// What is played. Its players are the house's own bots, who sit at every table.
    pub setup: Setup,
    /// How many players make a table full.
    pub table: usize,
    /// How few can begin.
    pub least: usize,
    /// What it serves: what is spoken with the bots, and how matches begin.
    pub arena: &'static ArenaProtocol,
    /// How long an answer may take.
    pub timeout: Duration,
    /// Where bots may be.
    pub within: Arc<Networks>,
    /// The word that lets somebody start a match.
    pub secret: Option<Secret>,
    /// Matches at once.
    pub at_once: usize,
    /// How long a match may take; then it stops without a result.
    pub match_time: Duration,
    /// How long matches may go on once the program is told to end.
    pub grace: Duration,
    /// The number of the first match, from 1.
    pub first: u64,
    /// Requests a second from one address.
    pub rate: u32,
    /// Is the arena for this machine alone?
    pub local_only: bool,
    /// Send players an `Error` event for impossible requests, if their protocol would be silent?
    pub tells_errors: bool,
    /// Names by which it is reached all the same, through a reverse proxy.
    pub hosts: Vec<String>,
    /// Was the seed given, so that who guesses it knows the dice? Lists and pages say so.
    pub practice: bool,
}

/// Finds the first number from this one on that no match has, and opens its record, if there are
/// to be records.
type OpenRecord = dyn Fn(u64) -> io::Result<(u64, Option<Box<dyn Write + Send>>)> + Send + Sync;

/// What the program does for an arena.
pub struct ArenaHooks {
    /// Opens the record of the next match. Another arena may write into the same folder.
    pub record: Box<OpenRecord>,
    /// Tells whoever runs the program what happens.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
}
