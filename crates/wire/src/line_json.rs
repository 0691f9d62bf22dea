//! Line-JSON, the protocol for bots in any language and for any game. Each message is one JSON
//! object. The description of a game in the protocol depends only on the ruleset's declarations.
//!
//! `docs/protocol.md` describes the protocol. [`schema`] returns the JSON Schema of every message.

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
use super::transport::Framing;
use crate::error::ProtocolError;
pub use bot_side::{AskMessage, GameMessage, message_type};
use codec::LineJson;
pub use join::read_join;
use offers::Lexicon;
use risk_kernel::action::{Action, Options};
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::view::View;

/// The major version of the protocol. Changes within a major version only add keys and message
/// types.
pub const VERSION: u32 = 1;

/// The line-JSON protocol, which supports every ruleset.
pub static PROTOCOL: ProtocolInfo = ProtocolInfo {
    name: "json",
    ruleset: "hasbro",
    framings: &[Framing::Requests, Framing::Lines],
    codec: |decl, _| Ok(Box::new(LineJson::new(decl))),
    hello: Some(codec::hello),
    one_game: false,
    ..ProtocolInfo::PLAIN
};

/// Returns the state for a player in the format of `state` in the message `ask`.
#[must_use]
pub fn state_value(view: &View) -> Value {
    let state = state::state(view, codec::lexicon(view), false);
    serde_json::to_value(state).expect("a state is plain data")
}

/// Returns the player's waiting orders, in the format of `orders` in a state.
#[must_use]
pub fn orders_value(view: &View) -> Value {
    let orders = view
        .orders()
        .map(|&order| codec::lexicon(view).action(order));
    serde_json::to_value(orders.collect::<Vec<_>>()).expect("orders are plain data")
}

/// Returns an event that the player may see, in the format of the message `events`.
/// [`View::redact_for`] determines what the player may see.
#[must_use]
pub fn event_value(board: &Board, decl: &Declaration, event: &Event) -> Value {
    let event = Lexicon::new(board, decl).event(event);
    serde_json::to_value(event).expect("an event is plain data")
}

/// Returns the description of a game in the format of the message `game`.
#[must_use]
pub fn game_value(view: &View, names: &[String]) -> Value {
    let game = game::game(codec::lexicon(view), view, names);
    serde_json::to_value(game).expect("a game is plain data")
}

/// Returns the options in the format of `options` in the message `ask`.
#[must_use]
pub fn options_value(view: &View, options: &Options) -> Value {
    let offers = codec::lexicon(view).offers(options);
    serde_json::to_value(offers).expect("offers are plain data")
}

/// Parses an action from a list of words and numbers, which is the format of `do` in answers.
///
/// # Errors
/// Returns an error if the list is not an action.
pub fn read_action(view: &View, words: &Value) -> Result<Action, ProtocolError> {
    Ok(codec::lexicon(view).read_step(words)?)
}

/// Returns a bot's answer to `hello` if the bot can't play, with the reasons.
#[must_use]
pub fn refusal(why: &[Failure]) -> Value {
    json!({ "type": "hello", "protocol": VERSION, "refuses": why })
}

/// Returns the JSON Schemas of the program's messages and of the bot's messages.
#[must_use]
pub fn schema() -> Value {
    json!({
        "protocol": VERSION,
        "program": schemars::schema_for!(message::ProgramMessage<'_>),
        "bot": schemars::schema_for!(message::BotMessage),
    })
}
