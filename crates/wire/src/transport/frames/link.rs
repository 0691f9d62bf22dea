//! What two sides share of a bot that dials in: whoever has its connection, and whoever asks it.

use crate::error::ProtocolError;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The longest frame that a bot may say, in bytes.
pub(super) const LONGEST: usize = 1 << 20;
/// The most that may wait to be heard: frames, and bytes of them.
const MOST_WAITING: (usize, usize) = (1_000, 4 << 20);

/// Where frames go that are said on a connection. It does not wait.
pub trait Outbox: Send {
    /// Takes a frame; `false` when the other side reads too slowly, or is gone.
    fn say(&mut self, frame: &str) -> bool;
    /// Ends the connection, and says why.
    fn close(&mut self, why: &str);
}

/// What comes of listening.
#[derive(Debug)]
pub(super) enum Heard {
    /// A whole text frame.
    Frame(String),
    /// The connection is not there any more: why.
    Lost(String),
    /// Nothing in time.
    Nothing,
}

/// A bot that dials in, whether it is connected just now or not.
#[derive(Default)]
pub struct FrameLink {
    state: Mutex<LinkState>,
    news: Condvar,
}

#[derive(Default)]
struct LinkState {
    /// How many connections there were.
    count: u64,
    /// The one that there is.
    outbox: Option<Box<dyn Outbox>>,
    inbox: VecDeque<String>,
    /// How many bytes wait in it.
    waiting: usize,
    /// Why the last connection is gone.
    lost: String,
    /// Why nobody is wanted any more.
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

    /// A new connection, which takes the place of the one that there was. Its number, from 1.
    ///
    /// # Errors
    /// When nobody is wanted any more: why.
    pub fn connect(&self, mut outbox: Box<dyn Outbox>) -> Result<u64, ProtocolError> {
        let mut state = self.state();
        if let Some(why) = &state.closed {
            let why = why.clone();
            outbox.close(&why);
            return Err(ProtocolError::Refused(why));
        }
        state.turn_out("another connection has come with this token");
        state.outbox = Some(outbox);
        state.inbox.clear();
        state.waiting = 0;
        state.count += 1;
        let count = state.count;
        drop(state);
        self.news.notify_all();
        Ok(count)
    }

    /// A frame that came on a connection.
    ///
    /// # Errors
    /// When the connection is to end: why.
    pub fn receive(&self, connection: u64, text: String) -> Result<(), ProtocolError> {
        let mut state = self.state();
        if !state.has(connection) {
            return Err(ProtocolError::Refused(state.lost.clone()));
        }
        if state.inbox.len() >= MOST_WAITING.0 || state.waiting + text.len() > MOST_WAITING.1 {
            let why = "it sent too many unsolicited messages";
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

    /// A connection is gone.
    pub fn disconnect(&self, connection: u64, why: &str) {
        let mut state = self.state();
        if state.has(connection) {
            state.lose(why);
            drop(state);
            self.news.notify_all();
        }
    }

    /// Forgets what was said and not heard yet.
    pub fn forget(&self) {
        let mut state = self.state();
        state.inbox.clear();
        state.waiting = 0;
    }

    /// How many connections there were.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.state().count
    }

    /// Is there a connection?
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.state().outbox.is_some()
    }

    /// Ends the connection, and wants none any more.
    pub fn close(&self, why: &str) {
        let mut state = self.state();
        state.turn_out(why);
        state.closed.get_or_insert_with(|| why.to_owned());
        drop(state);
        self.news.notify_all();
    }

    /// Is this connection there?
    pub(super) fn is_connected(&self, connection: u64) -> bool {
        self.state().has(connection)
    }

    /// Waits for a connection; its number.
    pub(super) fn wait(&self, until: Instant) -> Option<u64> {
        let mut state = self.state();
        loop {
            if state.outbox.is_some() {
                return Some(state.count);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || state.closed.is_some() {
                return None;
            }
            let waited = self.news.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Says something on a connection, if it is there and takes it.
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
            state.turn_out("it reads too slowly");
        }
        said
    }

    /// Ends one connection; the bot may come back on another.
    pub(super) fn turn_out(&self, connection: u64, why: &str) {
        let mut state = self.state();
        if state.has(connection) {
            state.turn_out(why);
        }
    }

    /// What was said on a connection and not heard yet.
    pub(super) fn drain(&self, connection: u64) -> Vec<String> {
        let mut state = self.state();
        if !state.has(connection) {
            return Vec::new();
        }
        state.waiting = 0;
        state.inbox.drain(..).collect()
    }

    /// The next frame on a connection. What came before it broke is still heard.
    pub(super) fn hear(&self, connection: u64, until: Instant) -> Heard {
        let mut state = self.state();
        loop {
            if state.count == connection
                && let Some(text) = state.inbox.pop_front()
            {
                state.waiting -= text.len();
                return Heard::Frame(text);
            }
            if !state.has(connection) {
                return Heard::Lost(state.lost.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Heard::Nothing;
            }
            let waited = self.news.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
