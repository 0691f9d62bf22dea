//! What a page that shows matches must be told, whoever has them.

use std::sync::{Arc, OnceLock};

use serde_json::Value;
use tokio::sync::watch;

use super::hosted::Hosted;
use super::share::Shares;
use risk_engine::matches::Setup;

/// What is played, in a line.
pub(super) fn title(setup: &Setup, practice: bool) -> String {
    let practice = if practice { ", for practice" } else { "" };
    format!("{} on {}{practice}", setup.ruleset_spec, setup.map_spec)
}

/// What has matches that can be watched.
pub(super) trait Watched: Send + Sync + 'static {
    /// What is played, in a line.
    fn title(&self) -> String;

    /// What the page has for people who want to join.
    fn form(&self) -> &'static str;

    /// The match with this number, if it is at hand.
    fn find(&self, number: u64) -> Option<Arc<Hosted>>;

    /// The match with this number, if it can be brought to hand: that may take some time.
    fn bring(&self, _number: u64) -> Option<Arc<Hosted>> {
        None
    }

    /// The last match that began.
    fn newest(&self) -> Option<Arc<Hosted>>;

    /// What there is, for people and programs.
    fn overview(&self) -> Value;

    /// Changes whenever there is something else.
    fn news(&self) -> watch::Receiver<u64>;

    /// Room for those who watch.
    fn viewers(&self) -> &Arc<Shares>;

    /// Does it end?
    fn is_closing(&self) -> bool;

    /// The board as the page has it, drawn once.
    fn map(&self) -> &OnceLock<String>;
}
