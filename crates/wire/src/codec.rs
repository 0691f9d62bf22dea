//! Messages of a protocol in the course of a game.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ProtocolError;
use risk_engine::matches::TimeLeft;
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
    /// The subject in the protocol's terms: over HTTP the end of the path.
    pub path: &'static str,
    /// The text.
    pub body: String,
    /// The body's media type.
    pub content_type: &'static str,
}

impl Message {
    /// Makes a JSON message.
    #[must_use]
    pub fn json(path: &'static str, value: &serde_json::Value) -> Self {
        Self {
            path,
            body: value.to_string(),
            content_type: "application/json",
        }
    }
}

/// A decision in a protocol's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A message to send to the bot.
    Ask(Message),
    /// The action to take, since the protocol leaves nothing to decide.
    Known(Action),
}

/// The end of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameOver<'a> {
    /// The outcome; `None` if the game was stopped before its end.
    pub outcome: Option<&'a Outcome>,
    /// The ruleset's score of each player, by seat.
    pub scores: &'a [i64],
    /// The duration of the game.
    pub elapsed: Duration,
}

/// A failure of a bot, as the bot reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The kind, in one word. For a bot without an answer the kind of its fault: `script`,
    /// `budget`, `illegal` or `connection`.
    pub code: String,
    /// A finer code, if the bot has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The description.
    pub text: String,
    /// The remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The place in the source, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<FailurePlace>,
}

/// A place in the source of a bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailurePlace {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
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

/// The reason that a reply is not an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The reply means nothing; the text says why, as a fragment.
    Wrong(String),
    /// The bot reports that it has no answer: the kind of its fault, and what happened.
    Failed(FaultKind, Failure),
    /// The bot reports that it can't play, and why.
    Refused(Vec<Failure>),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(wrong) => f.write_str(wrong),
            Self::Failed(_, failure) => write!(f, "the bot failed: {failure}"),
            Self::Refused(all) => {
                let all: Vec<String> = all.iter().map(ToString::to_string).collect();
                write!(f, "the bot can't play: {}", all.join("; "))
            }
        }
    }
}

impl From<String> for NoAnswer {
    fn from(wrong: String) -> Self {
        Self::Wrong(wrong)
    }
}

impl From<ProtocolError> for NoAnswer {
    fn from(error: ProtocolError) -> Self {
        Self::Wrong(error.to_string())
    }
}

impl From<&str> for NoAnswer {
    fn from(wrong: &str) -> Self {
        Self::Wrong(wrong.to_owned())
    }
}

/// One side of a conversation: the messages to a bot in consecutive games of one thread, and the
/// meaning of its answers.
pub trait Codec {
    /// Checks the bot's answer to the protocol's greeting.
    ///
    /// # Errors
    /// Returns what is wrong with the answer, as a sentence without its full stop, or why the bot
    /// can't play.
    fn greeted(&mut self, text: &str) -> Result<(), NoAnswer> {
        let _ = text;
        Ok(())
    }

    /// Begins a game. `names` are the players' names by seat, all different; `rng` is the player's
    /// own random stream.
    fn start(&mut self, names: &[String], rng: Stream);

    /// Notes the time left for the next answer on the bot's clock, if it has one.
    fn has_left(&mut self, clock: TimeLeft) {
        let _ = clock;
    }

    /// Returns the message that opens a game. It is sent again if the bot restarts during the game.
    fn game(&mut self, view: &View, resumed: bool) -> Option<Message> {
        let _ = (view, resumed);
        None
    }

    /// Returns the question for a decision.
    ///
    /// # Errors
    /// Returns an error if the protocol has no words for the decision.
    fn question(&mut self, view: &View, ask: &Options) -> Result<Question, ProtocolError>;

    /// Reports whether a line is the answer to the last question, for bots that speak in lines. An
    /// `early` line came before the question. Lines that are no answer are dropped.
    fn is_answer(&mut self, text: &str, early: bool) -> bool {
        let _ = text;
        !early
    }

    /// Parses an answer to a question.
    ///
    /// # Errors
    /// Returns what is wrong with the answer, or what the bot reports went wrong.
    fn answer(&mut self, view: &View, ask: &Options, text: &str) -> Result<Answer, NoAnswer>;

    /// Returns the decisions and the events that the bot wants to get.
    fn preferences(&self) -> Preferences<'_> {
        Preferences::default()
    }

    /// Returns the message about an event. If `is_heard` is `false`, the bot hears nothing now, so
    /// no message is needed.
    fn saw(&mut self, view: &View, event: &Event, is_heard: bool) -> Option<Message> {
        let _ = (view, event, is_heard);
        None
    }

    /// Returns the message about a fault of the bot, sent before it is asked again.
    fn faulted(&mut self, view: &View, strike: &Strike<'_>) -> Option<Message> {
        let _ = (view, strike);
        None
    }

    /// Returns the message still due before the next question or before the end.
    fn unsaid(&mut self, view: &View) -> Option<Message> {
        let _ = view;
        None
    }

    /// Returns the message about the end of the game. `is_heard` is as in [`Codec::saw`].
    fn finish(&mut self, view: &View, ending: GameOver<'_>, is_heard: bool) -> Option<Message>;

    /// Returns the last message, when no game follows.
    fn bye(&self) -> Option<Message> {
        None
    }
}
