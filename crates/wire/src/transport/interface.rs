//! What a transport is, whichever it is.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::codec::Message;
use risk_engine::matches::{Aside, TimeLeft};
use risk_kernel::fault::{Exchange, FaultKind};

/// What there is to know of a transport before it is used.
pub struct TransportInfo {
    /// What a place begins with that it reaches, up to the colon: `http`.
    pub scheme: &'static str,
    /// What it is called in sentences: HTTP.
    pub label: &'static str,
    /// How messages go.
    pub framing: Framing,
    /// How places are written that it reaches; `None` where bots dial in, and have none.
    pub places: Option<Places>,
}

/// How places are written that a transport reaches.
pub struct Places {
    /// The place in its usual form, and a short word for it. `None` where it can be no place.
    pub parse: fn(&str) -> Option<(String, String)>,
    /// How a place is written, for people whose own is none.
    pub help: &'static str,
}

/// What one transport knows of one bot besides its address.
pub trait Route: fmt::Debug + Send + Sync {
    /// The transport.
    fn info(&self) -> &'static TransportInfo;

    /// Makes what carries messages to an address.
    fn open(&self, address: &Address, speech: Speech) -> Box<dyn Transport>;

    /// Is the bot to have walls, see [`Sandbox::On`]?
    fn wants_walls(&self) -> bool {
        false
    }
}

/// What a transport must know of what it carries.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    /// What is said behind the words of a bot that seems not to understand how it is asked.
    pub hint: String,
    /// Are late answers told from others by their number, so that a program that is late need not
    /// be started again?
    pub counts_lines: bool,
}

/// How messages go, and what they must say themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Each message has a path, and an answer of its own.
    Requests,
    /// Messages follow each other, a line each: what they are about must stand in them.
    Lines,
}

impl TransportInfo {
    /// Does each connection reach a bot of its own, that no other game asks?
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

/// How much a program on this machine is kept from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// It has walls: it reads what it is made of and what the system has for everybody, writes into
    /// a folder of its own, and reaches no network and no other process. It has limits as well.
    #[default]
    On,
    /// It has limits on processor time, files and processes, and no walls.
    Open,
    /// It has neither.
    Off,
}

impl Sandbox {
    /// All, with the names that they have in settings.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::On, "on"), (Self::Open, "open"), (Self::Off, "off")];

    /// The one with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, its)| *its == name);
        found.map(|(sandbox, _)| *sandbox)
    }

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let found = Self::ALL.iter().find(|(sandbox, _)| *sandbox == self);
        found.map_or("on", |(_, name)| name)
    }
}

/// What a program on this machine may do.
#[derive(Clone, Debug, Default)]
pub struct Confinement {
    /// Has it walls and limits?
    pub sandbox: Sandbox,
    /// Folders that it may read behind its walls, beside what it is made of.
    pub readable: Vec<PathBuf>,
    /// Variables of our environment that it gets beside `PATH`, `HOME`, `LANG` and `TMPDIR`.
    pub variables: Vec<String>,
}

/// Where a bot is, and how long it may take.
#[derive(Clone, Debug)]
pub struct Address {
    /// The place, in the form that [`Places::parse`] gives it: `http://host:port/path`.
    pub place: String,
    /// How long an answer may take.
    pub timeout: Duration,
    /// How long it may take to end by itself, where somebody looks whether it does, see
    /// [`Transport::part`]. Usually it has a moment.
    pub farewell: Option<Duration>,
}

/// How one sees that a bot is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// What it is asked.
    pub path: &'static str,
    /// Which answer shows that it is there.
    pub reply: GreetingReply,
    /// Is it asked again when a game begins?
    pub each_game: bool,
}

/// Which answer to a greeting shows that a bot is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreetingReply {
    /// Any answer at all: the protocol has no words to ask.
    Any,
    /// One that is no refusal.
    Success,
    /// The word `yes`.
    Yes,
}

/// Why no answer came that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    /// What kind of fault of the bot it is.
    pub kind: FaultKind,
    /// What happened, as a fragment.
    pub text: String,
}

impl WireError {
    /// The bot could not be reached, or broke off.
    #[must_use]
    pub fn connection(text: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Connection,
            text: text.into(),
        }
    }

    /// The bot did not answer in time.
    #[must_use]
    pub fn timeout(text: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Timeout,
            text: text.into(),
        }
    }
}

/// What becomes of a program when nothing more is said to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// Did it end by itself?
    pub ended: bool,
    /// Names of the processes that it has started and left running.
    pub left: Vec<String>,
}

/// A bot that is not there: what a stranger may hear of that, and what whoever runs
/// the program may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThere {
    /// Without a word of what was answered: whoever registers a bot may have named
    /// somebody else's server.
    pub public: String,
    /// The whole reason.
    pub full: String,
}

/// A way to one bot. It suits requests that are each answered as well as a stream of lines: a
/// message is either asked, and one answer awaited, or told, and nothing awaited.
pub trait Transport {
    /// Looks whether the bot is there.
    ///
    /// # Errors
    /// What it answers instead.
    fn greet(&mut self, greeting: Greeting) -> Result<(), NotThere>;

    /// A game begins: what was before does not count any more.
    fn begin(&mut self);

    /// The bot has a clock: the next answer may take what is left on it, instead of the address's
    /// time. A bot that takes longer is late, and not thought to hang.
    fn has_left(&mut self, clock: TimeLeft);

    /// Is this a new connection, on which nothing was asked yet? One that has to be made anew is
    /// made now.
    fn is_fresh(&mut self) -> bool {
        false
    }

    /// The bot has answered the greeting in words as it should: it is greeted again on a new
    /// connection alone.
    fn greeted(&mut self) {}

    /// Behind a question that was not answered since its connection broke: has the bot come back,
    /// in the time that the answer may take? It is to be told and asked anew then.
    fn comes_back(&mut self) -> bool {
        false
    }

    /// Sends a message, and waits for its answer. Where messages go in lines, `is_answer` says of
    /// each whether it is the answer; it is told too whether the line was there before.
    ///
    /// # Errors
    /// When none comes in time, or it can't be read.
    fn ask(
        &mut self,
        message: Message,
        is_answer: &mut dyn FnMut(&str, bool) -> bool,
    ) -> Result<String, WireError>;

    /// Sends a message. Whether it arrives does not matter.
    fn tell(&mut self, message: &Message);

    /// Is the bot thought to hear what it is told?
    fn is_heard(&self) -> bool;

    /// Ends the connection: the next game begins with a new one.
    fn hang_up(&mut self) {}

    /// Says that nothing more will be said, and looks what becomes of the bot, for as long as its
    /// address gives it to end by itself; then the connection is ended. `None` where that can't be
    /// seen.
    fn part(&mut self) -> Option<Parting> {
        None
    }

    /// What was asked last in this game, and what came back.
    fn exchange(&self) -> Option<Exchange>;

    /// What the bot wrote beside its answers since this was asked last.
    fn take_aside(&mut self) -> Option<Aside> {
        None
    }

    /// Why nothing more is tried with this bot, in a sentence without its subject.
    fn given_up(&self) -> Option<String> {
        None
    }
}
