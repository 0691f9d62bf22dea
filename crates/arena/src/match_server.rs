//! The interface between the pages that show matches and their server.

use std::sync::{Arc, OnceLock};

use maud::Markup;
use serde_json::Value;
use tokio::sync::watch;

use super::hosted::PublishedMatch;
use super::share::AddressQuota;
use risk_engine::Setup;

/// The maximum number of viewers, in total and per address.
const VIEWERS: (usize, usize) = (256, 64);

/// Describes the game of a setup in one line.
pub(super) fn title(setup: &Setup, practice: bool) -> String {
    let practice = if practice { ", for practice" } else { "" };
    format!("{}{practice}", setup.rules.title())
}

/// A server whose matches can be watched.
pub(super) trait MatchServer: Send + Sync + 'static {
    fn title(&self) -> String;

    /// Returns the part of the page for people who want to join.
    fn form(&self) -> Markup;

    /// Returns the match with this number if it is in memory.
    fn find(&self, number: u64) -> Option<Arc<PublishedMatch>>;

    /// Loads the match with this number if possible. This may take some time.
    fn bring(&self, _number: u64) -> Option<Arc<PublishedMatch>> {
        None
    }

    /// Returns the most recent match.
    fn newest(&self) -> Option<Arc<PublishedMatch>>;

    /// Returns an overview for people and programs.
    fn overview(&self) -> Value;

    fn audience(&self) -> &Audience;

    fn is_closing(&self) -> bool;
}

/// The updates of a server, and its viewers.
pub(super) struct Audience {
    /// A counter that changes with every update.
    pub(super) news: watch::Sender<u64>,
    /// The drawing of the board, created once. The page's script draws the changes.
    pub(super) map: OnceLock<String>,
    pub(super) viewers: Arc<AddressQuota>,
}

impl Audience {
    pub(super) fn new() -> Self {
        Self {
            news: watch::Sender::new(0),
            map: OnceLock::new(),
            viewers: AddressQuota::new(VIEWERS.0, VIEWERS.1),
        }
    }

    pub(super) fn notify(&self) {
        self.news.send_modify(|count| *count += 1);
    }
}
