//! Errors of messages, requests and connections.

/// The reason that a message, a request or a connection can't be used, as a sentence without a full
/// stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolError {
    /// The ruleset lacks a part that the protocol requires.
    #[error("missing {kind} `{name}` in the ruleset")]
    Missing {
        /// The kind of the missing part: `verb`, `phase`, `counter` or `pile`.
        kind: &'static str,
        /// The name of the missing part.
        name: String,
    },
    /// The protocol can't express a decision.
    #[error("the protocol can't express this decision")]
    NoQuestion,
    /// The protocol can't express a legal action.
    #[error("the protocol can't express the bot's action")]
    NoWord,
    /// A message violates the protocol or is unexpected. The text gives the reason.
    #[error("{0}")]
    Message(String),
    /// The protocol does not define the path or the message.
    #[error("unknown path or message")]
    NoSuchRequest,
    /// A remote bot or arena can't be reached or refuses the request. The text gives the reason.
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
