//! The interface of transports.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::codec::Message;
use risk_engine::{Aside, TimeLeft};
use risk_kernel::fault::{Exchange, FaultKind};

/// The static description of a transport.
pub struct TransportInfo {
    /// The scheme of the transport's addresses without the colon, for example `http`.
    pub scheme: &'static str,
    /// The transport's name in sentences, for example HTTP.
    pub label: &'static str,
    /// The framing of the transport's messages.
    pub framing: Framing,
    /// The syntax of the transport's addresses. `None` if bots dial in and have no address.
    pub places: Option<Places>,
}

/// The syntax of a transport's addresses.
pub struct Places {
    /// Parses an address. Returns its normalized form and a short name, or `None` if it is invalid.
    pub parse: fn(&str) -> Option<(String, String)>,
    /// Help on the syntax of an address.
    pub help: &'static str,
}

/// A transport's settings for one bot, except its address.
pub trait Route: fmt::Debug + Send + Sync {
    /// Returns the transport's description.
    fn info(&self) -> &'static TransportInfo;

    /// Opens a transport to a bot at an address.
    fn open(&self, address: &Address, speech: ProtocolTraits) -> Box<dyn Transport>;

    /// Reports whether the bot should run in a sandbox, see [`SandboxMode::On`].
    fn wants_sandbox(&self) -> bool {
        false
    }
}

/// The properties of a protocol that its transport needs.
#[derive(Clone, Debug, Default)]
pub struct ProtocolTraits {
    /// A hint added to the errors of a bot that seems not to understand its questions.
    pub hint: String,
    /// Whether answers contain the number of their question. If so, late answers can be identified,
    /// and a late program need not be restarted.
    pub counts_lines: bool,
    /// Whether the program opens pipes in its folder, see `ProtocolInfo::folder_pipes`.
    pub folder_pipes: bool,
}

/// The form of messages and their required content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Messages are requests, each with a path and its own answer.
    Requests,
    /// Messages are lines in a stream, and each line must state its subject.
    Lines,
}

impl TransportInfo {
    /// Reports whether each connection reaches a separate instance of the bot, which no other game
    /// uses.
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

risk_text::named! {
    /// The degree of confinement of a local program.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum SandboxMode {
        /// A sandbox and limits. The program can read its own files and the system's public files,
        /// and can write to its own temporary folder. It can't access the network or other
        /// processes.
        #[default]
        On = "on",
        /// Limits on processor time, files and processes, but no sandbox.
        Open = "open",
        /// Neither a sandbox nor limits.
        Off = "off",
    }
}

/// The permissions of a local program.
#[derive(Clone, Debug, Default)]
pub struct Confinement {
    /// The program's sandbox and limits.
    pub sandbox: SandboxMode,
    /// Folders that the program may read inside its sandbox, in addition to its own files.
    pub readable: Vec<PathBuf>,
    /// Environment variables that the program receives in addition to `PATH`, `HOME`, `LANG` and
    /// `TMPDIR`.
    pub variables: Vec<String>,
}

/// A bot's address with its time limits.
#[derive(Clone, Debug)]
pub struct Address {
    /// The address in the normalized form that [`Places::parse`] returns, such as
    /// `http://host:port/path`.
    pub place: String,
    /// The time limit for an answer.
    pub timeout: Duration,
    /// The time that a bot has to exit on its own while it is watched, see [`Transport::part`]. If
    /// `None`, the bot has only a moment to exit.
    pub farewell: Option<Duration>,
}

/// A check for whether a bot is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The path of the request.
    pub path: &'static str,
    /// The reply expected from the bot.
    pub reply: GreetingReply,
    /// Whether the check is repeated at the beginning of each game.
    pub each_game: bool,
}

impl Greeting {
    /// The check of protocols that do not define a greeting.
    pub const UNDEFINED: Self = Self {
        path: "",
        reply: GreetingReply::Any,
        each_game: false,
    };
}

/// The reply to a greeting that shows that the bot is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreetingReply {
    /// Any reply, because the protocol does not define a greeting.
    Any,
    /// Any reply except a refusal.
    Success,
    /// The word `yes`.
    Yes,
}

/// The reason that no readable answer arrived.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
#[non_exhaustive]
pub struct WireError {
    /// The kind of the bot's fault.
    pub kind: FaultKind,
    /// A description of the error, as a fragment of a sentence.
    pub text: String,
}

impl WireError {
    /// Creates the error for a bot that can't be reached or closed the connection.
    #[must_use]
    pub fn connection(text: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Connection,
            text: text.into(),
        }
    }

    /// Creates the error for a bot that did not answer in time.
    #[must_use]
    pub fn timeout(text: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Timeout,
            text: text.into(),
        }
    }
}

/// The reason that a line could not be received or sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The time limit has expired.
    #[error("the time limit has expired")]
    Timeout,
    /// The process has ended or closed its output.
    #[error("the process has ended or closed its output")]
    Ended,
    /// The line is longer than the limit.
    #[error("the line is longer than the limit")]
    TooLong,
    /// A message does not begin with its length.
    #[error("a message does not begin with its length")]
    NoLength,
}

/// A program's behaviour after its last message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitReport {
    /// Whether the program exited on its own.
    pub ended: bool,
    /// The names of the child processes that the program left running.
    pub left: Vec<String>,
}

/// The reason that a bot is not there, with separate texts for strangers and for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{public}")]
pub struct ConnectError {
    /// The reason without any content of the reply, because a registered address may be another
    /// person's server.
    pub public: String,
    /// The full reason with the content of the reply.
    pub full: String,
}

/// A connection to one bot. Supports both requests with separate answers and streams of lines.
/// [`Transport::ask`] waits for an answer, but [`Transport::notify`] does not.
pub trait Transport {
    /// Checks that the bot is there.
    ///
    /// # Errors
    /// Returns an error if the bot is not there or sends an unexpected reply.
    fn greet(&mut self, greeting: Greeting) -> Result<(), ConnectError>;

    /// Begins a game and discards the state of earlier games.
    fn begin(&mut self);

    /// Limits the next answer to the time left on the bot's clock, which replaces the time limit in
    /// the address. A bot that exceeds the limit is late, but is not treated as hung.
    fn has_left(&mut self, clock: TimeLeft);

    /// Reports whether the connection is new and has not carried a question yet. Reconnects first
    /// if necessary.
    fn is_fresh(&mut self) -> bool {
        false
    }

    /// Records that the bot answered the greeting message. The greeting is only repeated on a new
    /// connection.
    fn greeted(&mut self) {}

    /// Reports whether the bot reconnected after a connection broke during a question. Waits until
    /// the time limit of the answer. After a reconnection, the bot needs the game and the question
    /// again.
    fn comes_back(&mut self) -> bool {
        false
    }

    /// Sends a message and waits for its answer. If messages are lines, `is_answer` decides whether
    /// a line is the answer. Its second argument is `true` for lines that arrived before the
    /// message was sent.
    ///
    /// # Errors
    /// Returns an error if no readable answer arrives in time.
    fn ask(
        &mut self,
        message: Message,
        is_answer: &mut dyn FnMut(&str, bool) -> bool,
    ) -> Result<String, WireError>;

    /// Sends a message without a guarantee of delivery.
    fn notify(&mut self, message: &Message);

    /// Reports whether the bot appears to receive messages.
    fn is_heard(&self) -> bool;

    /// Closes the connection. The next game begins with a new connection.
    fn hang_up(&mut self) {}

    /// Ends the conversation and closes the connection. First, watches the bot for the time that
    /// its address allows for exiting. Returns `None` if the bot's end can't be observed.
    fn part(&mut self) -> Option<ExitReport> {
        None
    }

    /// Returns the last question of this game and its reply.
    fn exchange(&self) -> Option<Exchange>;

    /// Returns the bot's output since the last call, except its answers.
    fn take_aside(&mut self) -> Option<Aside> {
        None
    }

    /// Returns the reason if the transport has given up on the bot.
    fn given_up(&self) -> Option<String> {
        None
    }
}
