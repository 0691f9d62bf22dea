//! What a protocol says in the course of a game.

use std::time::Duration;

use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::FaultKind;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, TimeLeft};

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

/// One side of a conversation: what is said to a bot in the games of one thread, one after the
/// other, and what its answers mean.
pub trait Codec {
    /// The bot's answer to the protocol's greeting.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence without its full stop.
    fn greeted(&mut self, text: &str) -> Result<(), String> {
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
    fn question(&mut self, view: &View, ask: &Options) -> Result<Question, String>;

    /// Where bots speak in lines: is this one the answer to the last question? An `early` one was
    /// there before the question. What is none is thrown away.
    fn is_answer(&mut self, text: &str, early: bool) -> bool {
        let _ = text;
        !early
    }

    /// The action that an answer means.
    ///
    /// # Errors
    /// What is wrong with it, as a fragment.
    fn answer(&mut self, view: &View, ask: &Options, text: &str) -> Result<Answer, String>;

    /// Does the bot want to know what others do?
    fn listens(&self) -> bool {
        false
    }

    /// Something happened: what the bot is told of it. Where `is_heard` is `false`, nothing that is
    /// told now is heard, so no message need be made.
    fn saw(&mut self, view: &View, event: &Event, is_heard: bool) -> Option<Message> {
        let _ = (view, event, is_heard);
        None
    }

    /// What the bot is told of a fault of its own, before it is asked again; `strikes` are its
    /// faults in this game.
    fn faulted(
        &mut self,
        view: &View,
        kind: FaultKind,
        text: &str,
        strikes: u32,
    ) -> Option<Message> {
        let _ = (view, kind, text, strikes);
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
