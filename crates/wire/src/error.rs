//! Why what was sent can't be used: a message, a request, a connection.

/// Why what was sent can't be used, as a sentence without its full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// The ruleset lacks a part that the protocol speaks of.
    #[error("it has no {kind} `{name}`")]
    Missing {
        /// What kind of part: `verb`, `phase`, `counter` or `pile`.
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// The protocol has no words for a decision.
    #[error("the protocol has no words for what is to be decided here")]
    NoQuestion,
    /// The protocol has no word for an action that is legal.
    #[error("the protocol has no word for what the bot says")]
    NoWord,
    /// A message is not as the protocol has it, or is not expected now: what is wrong.
    #[error("{0}")]
    Message(String),
    /// A request asks for something that the protocol does not have.
    #[error("there is nothing here")]
    NoSuchRequest,
    /// A bot or an arena elsewhere can't be reached, or refuses: why.
    #[error("{0}")]
    Refused(String),
}

impl From<String> for ProtocolError {
    fn from(text: String) -> Self {
        Self::Message(text)
    }
}

impl From<&str> for ProtocolError {
    fn from(text: &str) -> Self {
        Self::Message(text.to_owned())
    }
}

/// The words, for messages that go on.
impl From<ProtocolError> for String {
    fn from(error: ProtocolError) -> Self {
        error.to_string()
    }
}
