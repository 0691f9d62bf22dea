//! Conversion of a game to a protocol's messages and back.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ProtocolError;
use risk_engine::TimeLeft;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::FaultKind;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Preferences, Strike};

/// One message to a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The subject in the protocol's terms, which is the end of the path over HTTP.
    pub path: &'static str,
    /// The text of the message.
    pub body: String,
    /// The body's media type.
    pub content_type: &'static str,
}

impl Message {
    /// Creates a JSON message.
    #[must_use]
    pub fn json(path: &'static str, value: &serde_json::Value) -> Self {
        Self {
            path,
            body: value.to_string(),
            content_type: "application/json",
        }
    }
}

/// The result of translating a decision into the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A message to send to the bot.
    Ask(Message),
    /// The action to take if the protocol leaves nothing to decide.
    Known(Action),
}

/// The end of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameOver<'a> {
    /// The outcome, or `None` if the game was stopped before its end.
    pub outcome: Option<&'a Outcome>,
    /// The players' scores under the ruleset, by seat.
    pub scores: &'a [i64],
    /// The duration of the game.
    pub elapsed: Duration,
}

/// A failure, as reported by a bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The kind of failure, in one word. If the bot failed to answer, this is the kind of fault:
    /// `script`, `budget`, `illegal` or `connection`.
    pub code: String,
    /// A more specific code, if the bot has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The description.
    pub text: String,
    /// A suggestion for fixing the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The location in the source code, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<FailurePlace>,
}

/// A location in a bot's source code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailurePlace {
    /// The name of the file.
    pub file: String,
    /// The line number, counted from 1.
    pub line: usize,
    /// The column number, counted from 1.
    pub column: usize,
}

impl std::error::Error for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(FailurePlace { file, line, column }) = &self.place {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// The reason that a reply contains no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The reply can't be parsed. The text gives the reason, as a fragment of a sentence.
    #[error("{0}")]
    Wrong(String),
    /// The bot reports that it failed to answer, with the kind of fault and a description.
    #[error("the bot failed: {1}")]
    Failed(FaultKind, Failure),
    /// The bot reports that it can't play, with the reasons.
    #[error("the bot can't play: {}", joined(.0))]
    Refused(Vec<Failure>),
}

fn joined(all: &[Failure]) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    all.join("; ")
}

impl From<String> for AnswerError {
    fn from(wrong: String) -> Self {
        Self::Wrong(wrong)
    }
}

impl From<ProtocolError> for AnswerError {
    fn from(error: ProtocolError) -> Self {
        Self::Wrong(error.to_string())
    }
}

impl From<&str> for AnswerError {
    fn from(wrong: &str) -> Self {
        Self::Wrong(wrong.to_owned())
    }
}

/// One side of a conversation with a bot. Writes the messages of a thread's consecutive games and
/// parses the bot's answers.
pub trait Codec {
    /// Checks the bot's answer to the protocol's greeting.
    ///
    /// # Errors
    /// Returns an error if the answer is wrong or if the bot reports that it can't play. The text
    /// is a sentence without a full stop.
    fn greeted(&mut self, text: &str) -> Result<(), AnswerError> {
        let _ = text;
        Ok(())
    }

    /// Begins a game. `names` are the players' names by seat, all different. `rng` is the player's
    /// own random stream.
    fn start(&mut self, names: &[String], rng: Stream);

    /// Records the time left for the next answer, if the bot has a clock.
    fn has_left(&mut self, clock: TimeLeft) {
        let _ = clock;
    }

    /// Returns the message that opens a game, which is sent again if the bot restarts during the
    /// game.
    fn game(&mut self, view: &View, resumed: bool) -> Option<Message> {
        let _ = (view, resumed);
        None
    }

    /// Returns the question for a decision.
    ///
    /// # Errors
    /// Returns an error if the protocol can't express the decision.
    fn question(&mut self, view: &View, ask: &Options) -> Result<Question, ProtocolError>;

    /// Reports whether a line answers the last question, for bots that communicate in lines. An
    /// `early` line arrived before the question. Lines that are not answers are dropped.
    fn is_answer(&mut self, text: &str, early: bool) -> bool {
        let _ = text;
        !early
    }

    /// Parses an answer to a question.
    ///
    /// # Errors
    /// Returns an error if the answer is invalid or if the bot reports a failure.
    fn answer(&mut self, view: &View, ask: &Options, text: &str) -> Result<Answer, AnswerError>;

    /// Returns the decisions and events that the bot wants to receive.
    fn preferences(&self) -> Preferences<'_> {
        Preferences::default()
    }

    /// Returns the message for an event. No message is needed if `is_heard` is `false`, because the
    /// bot is not receiving messages.
    fn saw(&mut self, view: &View, event: &Event, is_heard: bool) -> Option<Message> {
        let _ = (view, event, is_heard);
        None
    }

    /// Returns the message about a fault of the bot, which is sent before the question is repeated.
    fn faulted(&mut self, view: &View, strike: &Strike<'_>) -> Option<Message> {
        let _ = (view, strike);
        None
    }

    /// Returns the message that must be sent before the next question or the end of the game.
    fn unsaid(&mut self, view: &View) -> Option<Message> {
        let _ = view;
        None
    }

    /// Returns the message for the end of the game. See [`Codec::saw`] for `is_heard`.
    fn finish(&mut self, view: &View, ending: GameOver<'_>, is_heard: bool) -> Option<Message>;

    /// Returns the message that ends the conversation when no more games follow.
    fn bye(&self) -> Option<Message> {
        None
    }
}
