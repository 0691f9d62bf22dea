//! The protocol of the Hacker Risk arena.
//!
//! Source: the rules of Hacker Risk, section 4, and its table of disagreements (H1 to H26).
//! Messages contain a territory's id with each `-` replaced by a space.

mod answer;
mod board_graph;
mod codec;
mod encoding;
mod join;
mod offered;
mod position;
mod reply;
mod state;
mod vocabulary;
mod wire_action;

pub use answer::answer;
pub use board_graph::board_graph;
pub use encoding::BodyEncoding;
pub use join::read_join;
pub use offered::OfferedActions;
pub use position::{ArenaPosition, players, request};
pub use reply::{Deployment, fallback, reply};
pub use state::{GameContext, broadcast, state};
pub use vocabulary::{DecisionKind, Vocabulary};
pub use wire_action::WireAction;

use super::info::{ProtocolInfo, ProtocolSetting};
use super::transport::{Framing, Greeting, GreetingReply};
use codec::HackerRisk;

/// The protocol of the Hacker Risk arena, in one of three encodings.
pub static PROTOCOL: ProtocolInfo = ProtocolInfo {
    name: "hacker-risk",
    ruleset: "hasbro",
    // The arena accepted a pair with another card between the two as a set. Many bots trade such
    // sets.
    options: &[("card_sets", "lax")],
    framings: &[Framing::Requests],
    setting: Some(ProtocolSetting {
        key: "encoding",
        values: &[
            BodyEncoding::Form.as_str(),
            BodyEncoding::Raw.as_str(),
            BodyEncoding::Wrapped.as_str(),
        ],
    }),
    timeout: 30,
    codec: |decl, value| Ok(Box::new(HackerRisk::new(decl, BodyEncoding::ALL[value])?)),
    greeting: |_| Greeting {
        path: "status",
        reply: GreetingReply::Success,
        each_game: true,
    },
    one_game: false,
    ..ProtocolInfo::PLAIN
};
