//! The state of a bot that dials in, shared by the owner of its connection and the code that asks
//! the bot.

use crate::error::ProtocolError;
use risk_engine::interrupt;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The maximum length of a frame from a bot, in bytes.
pub(super) const LONGEST: usize = 1 << 20;
/// The maximum number of unread frames, and their maximum total size in bytes.
const MOST_WAITING: (usize, usize) = (1_000, 4 << 20);

/// The outgoing side of a connection. Its methods never block.
pub trait Outbox: Send {
    /// Accepts a frame. Returns `false` if the other side is disconnected or reads too slowly.
    fn say(&mut self, frame: &str) -> bool;
    /// Closes the connection with a reason.
    fn close(&mut self, why: &str);
}

#[derive(Debug)]
pub(super) enum LinkEvent {
    Frame(String),
    /// The connection is lost, for this reason.
    Lost(String),
    Nothing,
}

/// A bot that dials in, connected or not.
#[derive(Default)]
pub struct FrameLink {
    state: Mutex<LinkState>,
    news: Condvar,
}

#[derive(Default)]
struct LinkState {
    /// The number of connections so far.
    count: u64,
    /// The current connection.
    outbox: Option<Box<dyn Outbox>>,
    inbox: VecDeque<String>,
    /// The number of bytes in `inbox`.
    waiting: usize,
    /// The reason for the loss of the last connection.
    lost: String,
    /// The reason that no more connections are accepted.
    closed: Option<String>,
}

impl LinkState {
    fn has(&self, connection: u64) -> bool {
        self.outbox.is_some() && self.count == connection
    }

    fn lose(&mut self, why: &str) {
        self.outbox = None;
        self.lost = why.to_owned();
    }

    fn turn_out(&mut self, why: &str) {
        if let Some(mut outbox) = self.outbox.take() {
            outbox.close(why);
        }
        self.lost = why.to_owned();
    }
}

impl fmt::Debug for FrameLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FrameLink({})", self.state().count)
    }
}

impl FrameLink {
    fn state(&self) -> MutexGuard<'_, LinkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the current connection with a new one. Returns its number, counted from 1.
    ///
    /// # Errors
    /// Returns the reason as an error if no more connections are accepted.
    pub fn connect(&self, mut outbox: Box<dyn Outbox>) -> Result<u64, ProtocolError> {
        let mut state = self.state();
        if let Some(why) = &state.closed {
            let why = why.clone();
            outbox.close(&why);
            return Err(ProtocolError::Refused(why));
        }
        state.turn_out("replaced by another connection with the same token");
        state.outbox = Some(outbox);
        state.inbox.clear();
        state.waiting = 0;
        state.count += 1;
        let count = state.count;
        drop(state);
        self.news.notify_all();
        Ok(count)
    }

    /// Accepts a frame that arrived on a connection.
    ///
    /// # Errors
    /// Returns the reason as an error if the connection must be closed.
    pub fn receive(&self, connection: u64, text: String) -> Result<(), ProtocolError> {
        let mut state = self.state();
        if !state.has(connection) {
            return Err(ProtocolError::Refused(state.lost.clone()));
        }
        if state.inbox.len() >= MOST_WAITING.0 || state.waiting + text.len() > MOST_WAITING.1 {
            let why = "too many unsolicited messages";
            state.lose(why);
            drop(state);
            self.news.notify_all();
            return Err(why.into());
        }
        state.waiting += text.len();
        state.inbox.push_back(text);
        drop(state);
        self.news.notify_all();
        Ok(())
    }

    /// Removes a lost connection.
    pub fn disconnect(&self, connection: u64, why: &str) {
        let mut state = self.state();
        if state.has(connection) {
            state.lose(why);
            drop(state);
            self.news.notify_all();
        }
    }

    /// Discards the unread frames.
    pub fn forget(&self) {
        let mut state = self.state();
        state.inbox.clear();
        state.waiting = 0;
    }

    /// Returns the number of connections so far.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.state().count
    }

    /// Reports whether the bot is connected.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.state().outbox.is_some()
    }

    /// Closes the connection and refuses new connections.
    pub fn close(&self, why: &str) {
        let mut state = self.state();
        state.turn_out(why);
        state.closed.get_or_insert_with(|| why.to_owned());
        drop(state);
        self.news.notify_all();
    }

    pub(super) fn is_connected(&self, connection: u64) -> bool {
        self.state().has(connection)
    }

    /// Waits for a connection until the deadline. Returns its number.
    pub(super) fn wait(&self, until: Instant) -> Option<u64> {
        let mut state = self.state();
        loop {
            if state.outbox.is_some() {
                return Some(state.count);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || state.closed.is_some() || interrupt::is_raised() {
                return None;
            }
            let waited = self
                .news
                .wait_timeout(state, left.min(interrupt::LONGEST_WAIT));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Sends a frame on a connection. Returns `false` if the connection is lost or does not accept
    /// the frame.
    pub(super) fn say(&self, connection: u64, frame: &str) -> bool {
        let mut state = self.state();
        if !state.has(connection) {
            return false;
        }
        let said = state
            .outbox
            .as_mut()
            .is_some_and(|outbox| outbox.say(frame));
        if !said {
            state.turn_out("the bot reads too slowly");
        }
        said
    }

    /// Closes one connection. The bot may reconnect.
    pub(super) fn turn_out(&self, connection: u64, why: &str) {
        let mut state = self.state();
        if state.has(connection) {
            state.turn_out(why);
        }
    }

    /// Removes and returns the unread frames of a connection.
    pub(super) fn drain(&self, connection: u64) -> Vec<String> {
        let mut state = self.state();
        if !state.has(connection) {
            return Vec::new();
        }
        state.waiting = 0;
        state.inbox.drain(..).collect()
    }

    /// Returns the next frame on a connection. Frames that arrived before a disconnection are
    /// returned first.
    pub(super) fn hear(&self, connection: u64, until: Instant) -> LinkEvent {
        let mut state = self.state();
        loop {
            if state.count == connection
                && let Some(text) = state.inbox.pop_front()
            {
                state.waiting -= text.len();
                return LinkEvent::Frame(text);
            }
            if !state.has(connection) {
                return LinkEvent::Lost(state.lost.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || interrupt::is_raised() {
                return LinkEvent::Nothing;
            }
            let waited = self
                .news
                .wait_timeout(state, left.min(interrupt::LONGEST_WAIT));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
