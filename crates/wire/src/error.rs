//! Errors of messages, requests and connections.

/// The reason that a message, a request or a connection can't be used, as a sentence without its
/// full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// The ruleset lacks a part that the protocol uses.
    #[error("missing {kind} `{name}` in the ruleset")]
    Missing {
        /// The kind of part: `verb`, `phase`, `counter` or `pile`.
        kind: &'static str,
        /// The part's name.
        name: String,
    },
    /// The protocol has no words for a decision.
    #[error("the protocol can't express this decision")]
    NoQuestion,
    /// The protocol has no word for a legal action.
    #[error("the protocol can't express the bot's action")]
    NoWord,
    /// A message breaks the protocol or is not expected now; the text says why.
    #[error("{0}")]
    Message(String),
    /// The protocol has no such path or message.
    #[error("unknown path or message")]
    NoSuchRequest,
    /// A bot or an arena elsewhere can't be reached, or refuses; the text says why.
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

impl From<ProtocolError> for String {
    fn from(error: ProtocolError) -> Self {
        error.to_string()
    }
}
