//! The settings of an arena, and the program's hooks for it.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use super::arena_protocol::ArenaProtocol;
use super::secret::Secret;
use risk_engine::matches::Setup;
use risk_wire::transport::Networks;

/// The settings of an arena.
#[derive(Debug)]
pub struct ArenaConfig {
    /// The game to play. Its bots are the house bots, which sit at every table.
    pub setup: Setup,
    /// Players at a full table.
    pub table: usize,
    /// The fewest players with which a match can start.
    pub least: usize,
    /// The protocol of the arena, and how its matches start.
    pub arena: &'static ArenaProtocol,
    /// The time limit for an answer.
    pub timeout: Duration,
    /// The networks in which bots may be.
    pub within: Arc<Networks>,
    /// The secret that allows a client to start a match.
    pub secret: Option<Secret>,
    /// The most matches at one time.
    pub at_once: usize,
    /// The time limit of a match, after which it stops without a result.
    pub match_time: Duration,
    /// The time that running matches get after a shutdown signal.
    pub grace: Duration,
    /// The number of the first match, from 1.
    pub first: u64,
    /// Requests a second from one address.
    pub rate: u32,
    /// `true` for an arena that only this machine can reach.
    pub local_only: bool,
    /// Whether players get an `Error` event for impossible requests where the protocol is silent.
    pub tells_errors: bool,
    /// Additional host names, for access through a reverse proxy.
    pub hosts: Vec<String>,
    /// Whether the seed was given, so that anyone who guesses it knows the dice. Lists and pages
    /// say so.
    pub practice: bool,
}

/// A function that finds the first unused match number from the given one on, and opens its record
/// if records are written.
type OpenRecord = dyn Fn(u64) -> io::Result<(u64, Option<Box<dyn Write + Send>>)> + Send + Sync;

/// The program's callbacks for an arena.
pub struct ArenaHooks {
    /// Opens the record of the next match. Another arena may write into the same folder.
    pub record: Box<OpenRecord>,
    /// Reports events to the operator.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
}
