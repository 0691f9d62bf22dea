//! The settings of an arena, and the program's hooks for it.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use super::arena_protocol::ArenaProtocol;
use super::metrics::Metrics;
use super::request_guard::RequestGuard;
use super::secret::Secret;
use risk_engine::Setup;
use risk_wire::transport::Networks;

/// The settings of a server of matches: an arena or a ladder.
#[derive(Debug)]
pub struct ServerConfig {
    /// The operator's secret, which starts a match of an arena, and registers people on a ladder.
    pub secret: Option<Secret>,
    /// The maximum number of concurrent matches.
    pub at_once: usize,
    /// The time limit of a match, after which it stops without a result.
    pub match_time: Duration,
    /// The time that running matches get after a shutdown signal.
    pub grace: Duration,
    /// The maximum number of requests per second from one address.
    pub rate: u32,
    /// Whether the server accepts connections from this machine only.
    pub local_only: bool,
    /// Additional host names, for access through a reverse proxy.
    pub hosts: Vec<String>,
}

impl ServerConfig {
    pub(super) fn guard(&self, metrics: &Arc<Metrics>) -> Arc<RequestGuard> {
        let hosts = self.hosts.clone();
        RequestGuard::new(Some(self.rate), self.local_only, hosts, Arc::clone(metrics))
    }
}

/// The settings of an arena.
#[derive(Debug)]
pub struct ArenaConfig {
    /// The game to play. Its bots are the house bots, which sit at every table.
    pub setup: Setup,
    /// The number of players at a full table.
    pub table: usize,
    /// The minimum number of players for a match to start.
    pub least: usize,
    /// The protocol of the arena, with the start condition of its matches.
    pub arena: &'static ArenaProtocol,
    /// The time limit for an answer.
    pub timeout: Duration,
    /// The networks where bots may run.
    pub within: Arc<Networks>,
    /// The settings of the server.
    pub server: ServerConfig,
    /// The number of the first match, from 1.
    pub first: u64,
    /// Whether players receive an `Error` event for invalid requests that the protocol does not
    /// cover.
    pub tells_errors: bool,
    /// Whether the operator chose the seed, so anyone who guesses it can predict the dice. Lists
    /// and pages mark such matches.
    pub practice: bool,
}

/// A function that finds the first unused match number, starting with the given number. It opens
/// the match's record if records are written.
type OpenRecord = dyn Fn(u64) -> io::Result<(u64, Option<Box<dyn Write + Send>>)> + Send + Sync;

/// The program's callbacks for an arena.
pub struct ArenaHooks {
    /// Opens the record of the next match. Another arena may write to the same folder.
    pub record: Box<OpenRecord>,
    /// Reports events to the operator.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
}
