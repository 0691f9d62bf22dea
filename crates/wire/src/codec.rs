//! What a protocol says in the course of a game.

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
    /// What it is about, as the protocol names it: the end of the path over HTTP.
    pub path: &'static str,
    /// The text itself.
    pub body: String,
    /// The body's media type.
    pub content_type: &'static str,
}

impl Message {
    /// A message in JSON.
    #[must_use]
    pub fn json(path: &'static str, value: &serde_json::Value) -> Self {
        Self {
            path,
            body: value.to_string(),
            content_type: "application/json",
        }
    }
}

/// What a decision comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The bot is to be asked this.
    Ask(Message),
    /// The protocol leaves nothing to decide: this is done.
    Known(Action),
}

/// How a game ended.
#[derive(Clone, Copy, Debug)]
pub struct GameOver<'a> {
    /// Who won, and why; `None` where the game was stopped before its end.
    pub outcome: Option<&'a Outcome>,
    /// The ruleset's score of each player, by seat.
    pub scores: &'a [i64],
    /// How long the game took.
    pub elapsed: Duration,
}

/// What went wrong with a bot, as it says itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The kind in a word. Of a bot that has no answer it is that of a fault: `script`, `budget`,
    /// `illegal` or `connection`.
    pub code: String,
    /// A finer code, if the bot has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// What went wrong, in words.
    pub text: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Where, if there is a place for it.
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

/// Why an answer is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// It means nothing: what is wrong with it, as a fragment.
    Wrong(String),
    /// The bot says itself that it has none: the kind of its fault, and what happened.
    Failed(FaultKind, Failure),
    /// The bot says that it can't play, and why.
    Refused(Vec<Failure>),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(wrong) => f.write_str(wrong),
            Self::Failed(_, failure) => write!(f, "the bot has failed: {failure}"),
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

/// One side of a conversation: what is said to a bot in the games of one thread, one after the
/// other, and what its answers mean.
pub trait Codec {
    /// The bot's answer to the protocol's greeting.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence without its full stop, or why the bot can't play.
    fn greeted(&mut self, text: &str) -> Result<(), NoAnswer> {
        let _ = text;
        Ok(())
    }

    /// A game begins. `names` are the players' by seat, each one different; `rng` is the player's
    /// own random stream.
    fn start(&mut self, names: &[String], rng: Stream);

    /// The bot's clock, where it has one: what is left on it for the next answer.
    fn has_left(&mut self, clock: TimeLeft) {
        let _ = clock;
    }

    /// What the bot is told when a game begins, and again when it was started anew in its course.
    fn game(&mut self, view: &View, resumed: bool) -> Option<Message> {
        let _ = (view, resumed);
        None
    }

    /// What the bot is asked at a decision.
    ///
    /// # Errors
    /// When the protocol has no words for it.
    fn question(&mut self, view: &View, ask: &Options) -> Result<Question, ProtocolError>;

    /// Where bots speak in lines: is this one the answer to the last question? An `early` one was
    /// there before the question. What is none is thrown away.
    fn is_answer(&mut self, text: &str, early: bool) -> bool {
        let _ = text;
        !early
    }

    /// The action that an answer means.
    ///
    /// # Errors
    /// What is wrong with it, or what the bot says went wrong.
    fn answer(&mut self, view: &View, ask: &Options, text: &str) -> Result<Answer, NoAnswer>;

    /// What the bot wants to decide and to hear.
    fn preferences(&self) -> Preferences<'_> {
        Preferences::default()
    }

    /// Something happened: what the bot is told of it. Where `is_heard` is `false`, nothing that is
    /// told now is heard, so no message need be made.
    fn saw(&mut self, view: &View, event: &Event, is_heard: bool) -> Option<Message> {
        let _ = (view, event, is_heard);
        None
    }

    /// What the bot is told of a fault of its own, before it is asked again.
    fn faulted(&mut self, view: &View, strike: &Strike<'_>) -> Option<Message> {
        let _ = (view, strike);
        None
    }

    /// What is still to be told before the next question, or before the end.
    fn unsaid(&mut self, view: &View) -> Option<Message> {
        let _ = view;
        None
    }

    /// The game is over: what the bot is told of it. `is_heard` is as in [`Codec::saw`].
    fn finish(&mut self, view: &View, ending: GameOver<'_>, is_heard: bool) -> Option<Message>;

    /// What is said last, when no game follows.
    fn bye(&self) -> Option<Message> {
        None
    }
}
