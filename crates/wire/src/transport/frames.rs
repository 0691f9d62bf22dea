//! Bots that dial in. The bot opens the connection and may reconnect if the connection breaks. Each
//! frame is one message.

mod link;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use link::{FrameLink, Outbox};
use link::{LONGEST, LinkEvent};

use super::interface::{
    Address, ConnectError, Framing, Greeting, ProtocolTraits, Route, Transport, TransportInfo,
    WireError,
};
use crate::codec::Message;
use risk_engine::TimeLeft;
use risk_kernel::fault::{Exchange, FaultKind};

/// The transport of bots that dial in. The command line can't name these bots, because their
/// connections belong to an arena.
pub static FRAMES: TransportInfo = TransportInfo {
    scheme: "ws",
    label: "WebSocket",
    framing: Framing::Lines,
    places: None,
};

/// The route to a bot that dials in.
#[derive(Clone, Debug)]
pub struct FrameRoute {
    /// The link that holds the bot's connection.
    pub link: Arc<FrameLink>,
    /// Whether the bot acts without being asked, because it follows the events. Frames that arrive
    /// before a question are then accepted, and frames that are not answers are echoed to the bot.
    pub unasked: bool,
}

impl Route for FrameRoute {
    fn info(&self) -> &'static TransportInfo {
        &FRAMES
    }

    fn open(&self, address: &Address, _: ProtocolTraits) -> Box<dyn Transport> {
        Box::new(FrameTransport {
            link: Arc::clone(&self.link),
            patience: address.timeout,
            left: None,
            connection: 0,
            fresh: true,
            until: None,
            away: false,
            unasked: self.unasked,
            last: None,
        })
    }
}

/// The maximum length of a frame from a bot, in bytes.
pub const LONGEST_FRAME: usize = LONGEST;
/// The minimum time limit for the first answer on a connection. Some bots need time to load.
const STARTING: Duration = Duration::from_secs(10);
/// The maximum number of frames without an answer among them.
const MOST_FRAMES: usize = 10_000;

/// A conversation with a bot that dials in.
struct FrameTransport {
    link: Arc<FrameLink>,
    patience: Duration,
    /// The time left on the bot's clock, if it has a clock.
    left: Option<Duration>,
    /// The number of the bot's current connection, counted from 1, or 0 before the first
    /// connection.
    connection: u64,
    /// Whether the bot has not been greeted on this connection yet.
    fresh: bool,
    /// The deadline of the question during which a connection broke.
    until: Option<Instant>,
    /// Whether the bot was disconnected for a whole time limit. Questions no longer wait for such a
    /// bot.
    away: bool,
    /// See [`FrameRoute::unasked`].
    unasked: bool,
    last: Option<Exchange>,
}

impl FrameTransport {
    fn patience(&self) -> Duration {
        let starting = if self.fresh { STARTING } else { Duration::ZERO };
        self.left.unwrap_or(self.patience).max(starting)
    }

    /// Waits for a connection until the deadline. Reports whether the bot is connected.
    fn wait(&mut self, until: Instant) -> bool {
        let until = if self.away { Instant::now() } else { until };
        let Some(connection) = self.link.wait(until) else {
            self.away = true;
            return false;
        };
        self.away = false;
        if connection != self.connection {
            self.connection = connection;
            self.fresh = true;
        }
        true
    }

    fn hear(
        &mut self,
        until: Instant,
        patience: Duration,
        is_answer: &mut dyn FnMut(&str, bool) -> bool,
    ) -> Result<String, WireError> {
        for _ in 0..MOST_FRAMES {
            match self.link.hear(self.connection, until) {
                LinkEvent::Frame(text) if is_answer(&text, false) => return Ok(text),
                LinkEvent::Frame(text) if self.unasked => {
                    self.link.say(self.connection, &text);
                }
                LinkEvent::Frame(_) => {}
                LinkEvent::Lost(why) => {
                    self.until = Some(until);
                    return Err(WireError::connection(format!("lost the bot: {why}")));
                }
                LinkEvent::Nothing => {
                    let kind = match self.left {
                        Some(_) => FaultKind::Timeout,
                        None => FaultKind::Hung,
                    };
                    let text = format!("no answer within {} ms", patience.as_millis());
                    return Err(WireError { kind, text });
                }
            }
        }
        let text = format!("no answer in {MOST_FRAMES} frames");
        self.link.turn_out(self.connection, &text);
        Err(WireError::connection(text))
    }
}

impl Transport for FrameTransport {
    fn greet(&mut self, _: Greeting) -> Result<(), ConnectError> {
        Ok(())
    }

    fn begin(&mut self) {
        self.last = None;
        self.until = None;
        self.away = false;
    }

    fn has_left(&mut self, clock: TimeLeft) {
        self.left = Some(clock.left);
    }

    fn is_fresh(&mut self) -> bool {
        let until = Instant::now() + self.patience();
        self.wait(self.until.unwrap_or(until)) && self.fresh
    }

    fn greeted(&mut self) {
        self.fresh = false;
    }

    fn ask(
        &mut self,
        message: Message,
        is_answer: &mut dyn FnMut(&str, bool) -> bool,
    ) -> Result<String, WireError> {
        let patience = self.patience();
        let until = self.until.unwrap_or_else(|| Instant::now() + patience);
        if !self.unasked {
            for text in self.link.drain(self.connection) {
                is_answer(&text, true);
            }
        }
        let is_asked = self.unasked || self.link.say(self.connection, &message.body);
        let heard = if is_asked {
            self.hear(until, patience, is_answer)
        } else {
            self.until = Some(until);
            Err(WireError::connection("the bot is not connected"))
        };
        if !self.fresh && heard.is_ok() {
            self.until = None;
        }
        self.last = Some(Exchange {
            request: message.body,
            answer: heard.clone().unwrap_or_default(),
        });
        heard
    }

    fn comes_back(&mut self) -> bool {
        let Some(until) = self.until else {
            return false;
        };
        let back = !self.link.is_connected(self.connection) && self.wait(until);
        if !back {
            self.until = None;
        }
        back
    }

    fn notify(&mut self, message: &Message) {
        // A disconnected bot catches up at its next question.
        self.link.say(self.connection, &message.body);
    }

    fn is_heard(&self) -> bool {
        self.link.is_connected(self.connection)
    }

    fn hang_up(&mut self) {
        self.link.close("the match is over");
    }

    fn exchange(&self) -> Option<Exchange> {
        self.last.clone()
    }
}

impl Drop for FrameTransport {
    fn drop(&mut self) {
        self.hang_up();
    }
}
