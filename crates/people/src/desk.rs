//! What a game needs of the pages of its people.

use serde_json::{Map, Value};

/// The fixed properties of a table. They are the same for all viewers.
#[derive(Clone, Debug)]
pub struct TableDetails {
    /// The ruleset and the map.
    pub title: String,
    /// The board as a picture.
    pub map: String,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// The seats of people, from 0.
    pub people: Vec<usize>,
    /// The view of spectators.
    pub onlookers: Onlookers,
    /// The description of the game for each viewer: people in the order of `people`, followed by
    /// spectators.
    pub games: Vec<Value>,
}

/// The view of spectators during a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Onlookers {
    /// Only information that neither fog nor secrecy hides.
    #[default]
    Public,
    /// All territories, units, cards and counters, and orders after they are executed.
    All,
    /// No spectators.
    None,
    /// The view of the player on this seat, from 0.
    Seat(usize),
}

/// A person's request while a question is open.
#[derive(Clone, Debug, PartialEq)]
pub enum PageCommand {
    /// An action as a list of words and numbers, as in line-JSON. If the flag is `true`, the action
    /// is repeated while possible.
    Do(Value, bool),
    /// An action as typed in the terminal.
    Say(String),
    /// A request to take back the last answer.
    Undo,
    /// A request to take back the order with this number, from 0.
    Retract(usize),
    /// The person gives up.
    Resign,
    /// A request for a bot's suggestion.
    Hint,
    /// A request to leave the phase to the bot that gives hints.
    Auto,
    /// A request for the exact chances of a fight to the end, with these numbers of attackers and
    /// defenders.
    Odds(i32, i32),
}

/// The reply to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum PageReply {
    /// The request was fulfilled.
    Done,
    /// A hint for the person.
    Hint {
        /// The action that a bot would play.
        text: String,
        /// What the bot is after, if it says so.
        aim: Option<String>,
        /// The action in the words of an answer, if there is one.
        suggested: Option<String>,
        /// The ids of the territories that the hint is about.
        marks: Vec<String>,
    },
    /// The chance to take the territory, and the mean numbers of units left on both sides.
    Odds {
        /// The chance to take the territory, from 0 to 1.
        capture: f64,
        /// The mean number of attackers left.
        attackers_left: f64,
        /// The mean number of defenders left.
        defenders_left: f64,
    },
    /// The question is no longer open.
    Stale,
    /// The request is not possible, for this reason.
    Refused(String),
}

/// A request of a person.
pub struct PersonRequest {
    /// The seat of the sender.
    pub seat: usize,
    /// The number of the question.
    pub question: u64,
    /// What the person requests.
    pub command: PageCommand,
    /// Sends the reply. The sender may have disconnected.
    pub reply: Box<dyn FnOnce(PageReply)>,
}

/// The pages of a table, as its game sees them. A seat of `None` means the spectators.
pub trait PageDesk {
    /// Starts the frames over, before the game is replayed to another position.
    fn begin_again(&self);

    /// Reports whether the frames of a viewer must start over.
    fn is_full(&self, seat: Option<usize>) -> bool;

    /// Adds frames, with further parts of the sheet. They are shown with the next
    /// [`publish`](Self::publish).
    fn add(&self, seat: Option<usize>, frames: Vec<String>, parts: Map<String, Value>);

    /// Shows what was added to all viewers.
    fn publish(&self);

    /// Asks the person on this seat. Others see which seat is asked, unless the answer is secret.
    /// Returns the number of the question.
    fn ask(&self, seat: usize, secret: bool, parts: Map<String, Value>, question: Value) -> u64;

    /// Closes the open question of a seat.
    fn answered(&self, seat: usize);

    /// Shows that the game is over or can't continue. `replay` is a page of the whole game.
    fn end(&self, end: Value, replay: Option<String>);

    /// Waits for the next request. Returns `None` if the pages are closed.
    fn next_request(&self) -> Option<PersonRequest>;

    /// Reports whether the pages are closed.
    fn is_closed(&self) -> bool;
}
