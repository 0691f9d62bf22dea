//! Line-JSON: the protocol for bots in any language, in any game. Each message is one JSON object;
//! the ruleset's declarations alone determine how it describes a game.
//!
//! `docs/protocol.md` describes it; [`schema`] gives the JSON Schema of every message.

mod answer;
mod bot_side;
mod codec;
mod events;
mod game;
mod join;
mod message;
mod named;
mod offers;
mod state;

use serde_json::{Value, json};

use super::codec::Failure;
use super::info::ProtocolInfo;
use super::transport::{Framing, Greeting, GreetingReply};
use crate::error::ProtocolError;
pub use bot_side::{AskMessage, GameMessage, message_type};
use codec::LineJson;
pub use join::read_join;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::view::View;

/// The major version of the protocol. Within it, keys and types of messages are only added.
pub const VERSION: u32 = 1;

/// The protocol, over which every ruleset can be played.
pub static PROTOCOL: ProtocolInfo = ProtocolInfo {
    name: "json",
    aliases: &[],
    ruleset: "hasbro",
    options: &[],
    framings: &[Framing::Requests, Framing::Lines],
    setting: None,
    timeout: 10,
    codec: |decl, _| Ok(Box::new(LineJson::new(decl))),
    greeting: |_| Greeting {
        path: "",
        reply: GreetingReply::Any,
        each_game: false,
    },
    hello: Some(codec::hello),
    one_game: false,
    join_body: |_, name, url| json!({ "name": name, "url": url }),
};

/// Returns the state for a player, as the message `ask` has it under `state`.
#[must_use]
pub fn state_value(view: &View) -> Value {
    let state = state::state(view, codec::lexicon(view), false);
    serde_json::to_value(state).expect("a state is plain data")
}

/// Returns an event that the player may see, as the message `events` has it. [`View::redact_for`]
/// decides what may be seen.
#[must_use]
pub fn event_value(view: &View, event: &Event) -> Value {
    let event = codec::lexicon(view).event(event);
    serde_json::to_value(event).expect("an event is plain data")
}

/// Returns the description of a game, as the message `game` has it.
#[must_use]
pub fn game_value(view: &View, names: &[String]) -> Value {
    let game = game::game(codec::lexicon(view), view, names);
    serde_json::to_value(game).expect("a game is plain data")
}

/// Returns the options, as the message `ask` has them under `options`.
#[must_use]
pub fn options_value(view: &View, options: &Options) -> Value {
    let offers = codec::lexicon(view).offers(options);
    serde_json::to_value(offers).expect("offers are plain data")
}

/// Parses an action from a list of words and numbers, as answers have it under `do`.
///
/// # Errors
/// When the list is not an action.
pub fn read_action(view: &View, words: &Value) -> Result<Action, ProtocolError> {
    Ok(codec::lexicon(view).read_step(words)?)
}

/// Returns the answer to `hello` of a bot that can't play, with the reasons.
#[must_use]
pub fn refusal(why: &[Failure]) -> Value {
    json!({ "type": "hello", "protocol": VERSION, "refuses": why })
}

/// Returns the JSON Schemas of the program's messages and of the bot's messages.
#[must_use]
pub fn schema() -> Value {
    json!({
        "protocol": VERSION,
        "program": schemars::schema_for!(message::Message<'_>),
        "bot": schemars::schema_for!(message::BotMessage),
    })
}
