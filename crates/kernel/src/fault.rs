//! Faults: a ruleset's fault stops the game, a bot's fault is part of it.

use std::error::Error;
use std::fmt;

/// A ruleset asked for something impossible, or its script failed. The game stops.
///
/// One pointer wide: most functions that change a game may return it, but they rarely do.
#[derive(Debug)]
pub struct RuleFault(Box<Reason>);

#[derive(Debug)]
struct Reason {
    text: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl RuleFault {
    /// Creates a fault from a description.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(Box::new(Reason {
            text: text.into(),
            source: None,
        }))
    }

    /// Creates a fault from the error that caused it, such as a script's own report.
    #[must_use]
    pub fn from_error(source: impl Error + Send + Sync + 'static) -> Self {
        Self(Box::new(Reason {
            text: source.to_string(),
            source: Some(Box::new(source)),
        }))
    }

    /// Returns the description, as a fragment without a full stop.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }
}

impl fmt::Display for RuleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Error for RuleFault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// Returns a number with its noun, which is given in the singular and takes an `s` in the plural.
pub(crate) fn counted<N: PartialEq + From<u8> + fmt::Display>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// The kind of a player's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The answer was not among the options.
    Illegal,
    /// The bot's script failed.
    Script,
    /// The bot used up its budget of operations.
    Budget,
    /// The bot did not answer in time.
    Timeout,
    /// The bot did not answer before the guard against bots that hang.
    Hung,
    /// The bot could not be reached, or did not speak the protocol.
    Connection,
}

impl FaultKind {
    /// All kinds, in the order of the records' documentation.
    pub const ALL: [Self; 6] = [
        Self::Illegal,
        Self::Script,
        Self::Budget,
        Self::Timeout,
        Self::Hung,
        Self::Connection,
    ];

    /// Returns the name of the kind, as in records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Illegal => "illegal",
            Self::Script => "script",
            Self::Budget => "budget",
            Self::Timeout => "timeout",
            Self::Hung => "hung",
            Self::Connection => "connection",
        }
    }

    /// Returns the kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// The messages to and from a bot that runs elsewhere, word for word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// The body of the request.
    pub request: String,
    /// The reply; empty if there was none.
    pub answer: String,
}

/// The reason why a player gave no answer.
#[derive(Debug)]
pub enum BotFault {
    /// A fault that counts as a strike.
    Strike {
        /// The kind, as in records.
        kind: FaultKind,
        /// The description, for the story and the record.
        text: String,
        /// The cause, where there is more to report, such as a script's own report.
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// Not a fault of the player: the caller wants the game to stop here.
    Halt,
}

impl BotFault {
    /// Creates a fault of a kind.
    #[must_use]
    pub fn strike(kind: FaultKind, text: impl Into<String>) -> Self {
        Self::Strike {
            kind,
            text: text.into(),
            source: None,
        }
    }

    /// Creates a fault of a kind, with its cause.
    #[must_use]
    pub fn from_error(
        kind: FaultKind,
        text: impl Into<String>,
        source: impl Error + Send + Sync + 'static,
    ) -> Self {
        Self::Strike {
            kind,
            text: text.into(),
            source: Some(Box::new(source)),
        }
    }
}

impl fmt::Display for BotFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Strike { text, .. } => f.write_str(text),
            Self::Halt => f.write_str("the game was stopped"),
        }
    }
}

impl Error for BotFault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Strike { source, .. } => source.as_deref().map(|source| source as _),
            Self::Halt => None,
        }
    }
}
