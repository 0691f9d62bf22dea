//! Faults of rulesets, which stop the game, and faults of bots, which are part of the game.

use std::error::Error;
use std::fmt;

/// The fault of a ruleset that requested something impossible or whose script failed. The game
/// stops.
///
/// The type is one pointer wide because most functions that change a game may return it but rarely
/// do.
#[derive(Debug)]
pub struct RuleFault(Box<Reason>);

#[derive(Debug)]
struct Reason {
    text: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// The result of rules, which may fail.
pub type RuleResult<T = ()> = Result<T, RuleFault>;

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

    /// Returns the description, a sentence fragment without a full stop.
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

risk_text::named! {
    /// The kind of a player's fault.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FaultKind {
        /// The answer was not among the options.
        Illegal = "illegal",
        /// The bot's script failed.
        Script = "script",
        /// The bot used up its budget of operations.
        Budget = "budget",
        /// The bot did not answer in time.
        Timeout = "timeout",
        /// The bot did not answer before the time limit for hanging bots.
        Hung = "hung",
        /// The bot could not be reached or violated the protocol.
        Connection = "connection",
        /// The ruleset failed in a game that the bot imagined. This is no strike: the answer is the
        /// first option.
        Rules = "rules",
        /// The player gave up. The player forfeits at once, under any policy.
        Resigned = "resigned",
    }
}

/// The exact messages to and from a remote bot.
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
        /// The kind of fault.
        kind: FaultKind,
        /// The description for reports of the game and for the record.
        text: String,
        /// The cause, if there are more details to report, such as a script's own report.
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// A request of the caller to stop the game. It is not a fault of the player.
    Halt,
}

impl BotFault {
    /// Creates a fault of this kind.
    #[must_use]
    pub fn strike(kind: FaultKind, text: impl Into<String>) -> Self {
        Self::Strike {
            kind,
            text: text.into(),
            source: None,
        }
    }

    /// Creates a fault of this kind, with its cause.
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
