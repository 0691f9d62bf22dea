//! Line-JSON: the protocol for bots in any language, in any game. One JSON object is a message;
//! what it says of a game is made from the ruleset's declarations alone.
//!
//! `docs/protocol.md` describes it; [`schema`] gives the JSON Schema of every message.

mod answer;
mod bot_side;
mod codec;
mod events;
mod game;
mod join;
mod message;
mod offers;
mod state;

use serde_json::{Value, json};

use super::info::ProtocolInfo;
use super::transport::{Framing, Greeting, GreetingReply};
pub use bot_side::{AskMessage, GameMessage};
use codec::LineJson;
pub use join::read_join;

/// The major version of the protocol. Within it, keys and types of messages are only added.
pub const VERSION: u32 = 1;

/// The protocol that every ruleset can be played over.
pub static PROTOCOL: ProtocolInfo = ProtocolInfo {
    name: "json",
    aliases: &[],
    ruleset: "hasbro",
    framings: &[Framing::Requests, Framing::Lines],
    setting: None,
    timeout: 10,
    codec: |_, _| Ok(Box::new(LineJson::default())),
    greeting: |_| Greeting {
        path: "",
        reply: GreetingReply::Any,
        each_game: false,
    },
    hello: Some(codec::hello),
    one_game: false,
    join_body: |_, name, url| json!({ "name": name, "url": url }),
};

/// The JSON Schemas of what the program says and of what a bot says.
#[must_use]
pub fn schema() -> Value {
    json!({
        "protocol": VERSION,
        "program": schemars::schema_for!(message::Message<'_>),
        "bot": schemars::schema_for!(message::BotMessage),
    })
}
