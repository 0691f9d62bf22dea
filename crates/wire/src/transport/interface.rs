//! The interface of transports.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::codec::Message;
use risk_engine::matches::{Aside, TimeLeft};
use risk_kernel::fault::{Exchange, FaultKind};

/// The static description of a transport.
pub struct TransportInfo {
    /// The scheme of its places, without the colon: `http`.
    pub scheme: &'static str,
    /// The name in sentences: HTTP.
    pub label: &'static str,
    /// The framing of messages.
    pub framing: Framing,
    /// The syntax of its places; `None` if bots dial in and have no place.
    pub places: Option<Places>,
}

/// The syntax of a transport's places.
pub struct Places {
    /// Parses a place into its usual form and a short name. `None` if it is not a place.
    pub parse: fn(&str) -> Option<(String, String)>,
    /// Help on how to write a place.
    pub help: &'static str,
}

/// A transport's settings for one bot, besides its address.
pub trait Route: fmt::Debug + Send + Sync {
    /// Returns the transport's description.
    fn info(&self) -> &'static TransportInfo;

    /// Opens a transport to an address.
    fn open(&self, address: &Address, speech: Speech) -> Box<dyn Transport>;

    /// Reports whether the bot should have walls, see [`Sandbox::On`].
    fn wants_walls(&self) -> bool {
        false
    }
}

/// Properties of a protocol that its transport needs.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    /// Added to the errors of a bot that seems not to understand its questions.
    pub hint: String,
    /// Whether late answers can be identified by their number, so that a late program need not be
    /// restarted.
    pub counts_lines: bool,
}

/// The form of messages, and what they must contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Each message has a path, and an answer of its own.
    Requests,
    /// Messages are lines in a stream, and must contain their subject.
    Lines,
}

impl TransportInfo {
    /// Reports whether each connection reaches a bot of its own, which no other game asks.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.framing == Framing::Lines
    }
}

impl fmt::Debug for TransportInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label)
    }
}

/// The degree of confinement of a program on this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// Walls and limits: the program reads what it is made of and what the system offers everyone,
    /// writes into a folder of its own, and reaches no network and no other process.
    #[default]
    On,
    /// Limits on processor time, files and processes, but no walls.
    Open,
    /// Neither walls nor limits.
    Off,
}

impl Sandbox {
    /// All values, with their names in settings.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::On, "on"), (Self::Open, "open"), (Self::Off, "off")];

    /// Returns the value with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, its)| *its == name);
        found.map(|(sandbox, _)| *sandbox)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let found = Self::ALL.iter().find(|(sandbox, _)| *sandbox == self);
        found.map_or("on", |(_, name)| name)
    }
}

/// The permissions of a program on this machine.
#[derive(Clone, Debug, Default)]
pub struct Confinement {
    /// Its walls and limits.
    pub sandbox: Sandbox,
    /// Folders that it may read within its walls, besides what it is made of.
    pub readable: Vec<PathBuf>,
    /// Environment variables that it gets besides `PATH`, `HOME`, `LANG` and `TMPDIR`.
    pub variables: Vec<String>,
}

/// A bot's place and its time limits.
#[derive(Clone, Debug)]
pub struct Address {
    /// The place, in the form that [`Places::parse`] gives it: `http://host:port/path`.
    pub place: String,
    /// The time limit for an answer.
    pub timeout: Duration,
    /// The time that a bot has to end by itself while it is watched, see [`Transport::part`].
    /// Without it, the bot has only a moment.
    pub farewell: Option<Duration>,
}

/// A check that a bot is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The path of the request.
    pub path: &'static str,
    /// The reply that shows that the bot is there.
    pub reply: GreetingReply,
    /// Whether the check is repeated when a game begins.
    pub each_game: bool,
}

/// A reply to a greeting that shows that a bot is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreetingReply {
    /// Any reply: the protocol has no words to ask.
    Any,
    /// Any reply that is not a refusal.
    Success,
    /// The word `yes`.
    Yes,
}

/// The reason that no readable answer came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    /// The kind of the bot's fault.
    pub kind: FaultKind,
    /// What happened, as a fragment.
    pub text: String,
}

impl WireError {
    /// Makes the error of a bot that could not be reached, or broke off.
    #[must_use]
    pub fn connection(text: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Connection,
            text: text.into(),
        }
    }

    /// Makes the error of a bot that did not answer in time.
    #[must_use]
    pub fn timeout(text: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Timeout,
            text: text.into(),
        }
    }
}

/// The behaviour of a program after its last message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// Whether it ended by itself.
    pub ended: bool,
    /// Names of the processes that it started and left running.
    pub left: Vec<String>,
}

/// The reason that a bot is not there, in one version for strangers and one for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThere {
    /// The reason without a word of the reply: a registered address may be another person's server.
    pub public: String,
    /// The full reason.
    pub full: String,
}

/// A connection to one bot. It suits requests with an answer each as well as a stream of lines:
/// [`Transport::ask`] waits for one answer, and [`Transport::tell`] for none.
pub trait Transport {
    /// Checks that the bot is there.
    ///
    /// # Errors
    /// When the bot is not there, or gives another reply.
    fn greet(&mut self, greeting: Greeting) -> Result<(), NotThere>;

    /// Begins a game. Earlier games no longer count.
    fn begin(&mut self);

    /// Limits the next answer to the time left on the bot's clock, instead of the address's time
    /// limit. A bot that takes longer is late, but does not count as hung.
    fn has_left(&mut self, clock: TimeLeft);

    /// Reports whether the connection is new and carried no question yet. Reconnects first if
    /// necessary.
    fn is_fresh(&mut self) -> bool {
        false
    }

    /// Notes that the bot answered the greeting in words. It is greeted again only on a new
    /// connection.
    fn greeted(&mut self) {}

    /// Reports, after the connection broke during a question, whether the bot came back within the
    /// time limit of the answer. It must then be informed and asked anew.
    fn comes_back(&mut self) -> bool {
        false
    }

    /// Sends a message and waits for its answer. If messages are lines, `is_answer` decides whether
    /// a line is the answer; its second argument is whether the line was there before.
    ///
    /// # Errors
    /// When no answer comes in time, or it can't be read.
    fn ask(
        &mut self,
        message: Message,
        is_answer: &mut dyn FnMut(&str, bool) -> bool,
    ) -> Result<String, WireError>;

    /// Sends a message. It need not arrive.
    fn tell(&mut self, message: &Message);

    /// Reports whether the bot is thought to receive messages.
    fn is_heard(&self) -> bool;

    /// Ends the connection: the next game begins with a new one.
    fn hang_up(&mut self) {}

    /// Ends the conversation and watches the bot for the time that its address gives it to end by
    /// itself; then ends the connection. `None` if that can't be seen.
    fn part(&mut self) -> Option<Parting> {
        None
    }

    /// Returns the last question of this game, and the reply.
    fn exchange(&self) -> Option<Exchange>;

    /// Takes what the bot wrote besides its answers since the last call.
    fn take_aside(&mut self) -> Option<Aside> {
        None
    }

    /// Returns why the bot is given up.
    fn given_up(&self) -> Option<String> {
        None
    }
}
