//! What is said between the program and a process of its own that answers for a script: lines of
//! JSON. Both ends are of the same build.

use serde::{Deserialize, Serialize};

use risk_engine::script::event_value::EventValue;

/// What the process is told, a line each; each is answered with a [`HostReply`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum HostRequest {
    /// A game begins: the view, and the player's own stream.
    Start(Vec<i64>, rand_xoshiro::Xoshiro256PlusPlus),
    /// The player is asked: the view, and the options.
    Ask(Vec<i64>, Vec<i64>),
    /// Something happened: the event's keys and their values; and the view, for a script that
    /// wants it.
    Saw(Vec<(String, Value)>, Option<Vec<i64>>),
    /// The game is over: the last view.
    Finish(Vec<i64>),
}

/// A value of an event as it travels: what scripts see of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Value {
    /// A number: a territory, a player, an amount.
    Number(i64),
    /// What people read.
    Words(String),
    /// Several numbers, those of an action say.
    Numbers(Vec<i64>),
}

/// What the process says, a line each.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum HostReply {
    /// The script is loaded: does it look at plans, which optional phases does it want,
    /// does it listen, and does it want to see how things stand then?
    Ready(bool, Vec<u8>, bool, bool),
    /// The script can't be loaded: what is wrong with it.
    Broken(Vec<String>),
    /// Actions: verb, then parameters. Whether it was a list of steps.
    Steps(Vec<Vec<i32>>, bool),
    /// A fault: its kind, and what happened.
    Fault(String, String),
    /// What was told has been heard.
    Done,
}

impl From<Value> for EventValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(number),
            Value::Words(words) => Self::Words(words),
            Value::Numbers(numbers) => Self::Numbers(numbers),
        }
    }
}

impl From<EventValue> for Value {
    fn from(value: EventValue) -> Self {
        match value {
            EventValue::Number(number) => Self::Number(number),
            EventValue::Words(words) => Self::Words(words),
            EventValue::Numbers(numbers) => Self::Numbers(numbers),
        }
    }
}
