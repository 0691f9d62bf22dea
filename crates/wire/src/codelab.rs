//! The protocol of a code lab's arena: everybody connected hears the same events, and players say
//! events of their own.
//!
//! Source: the rules of the code lab, section 2, with the readings D1 to D12.

mod codec;
mod incoming;
mod narrator;
mod stage;

use serde_json::{Value, json};

use super::info::ProtocolInfo;
use super::transport::{Greeting, GreetingReply};
use codec::Codelab;
pub use incoming::{Deed, Incoming, PlayerMessage};
pub use narrator::Narrator;
use risk_kernel::board::Board;
use risk_kernel::id::Territory;

/// The protocol of the code lab. No command line names a bot that speaks it: its bots dial in.
pub static PROTOCOL: ProtocolInfo = ProtocolInfo {
    name: "codelab",
    aliases: &[],
    ruleset: "codelab",
    options: &[],
    framings: &[],
    setting: None,
    timeout: 300,
    codec: |decl, _| Ok(Box::new(Codelab::new(decl)?)),
    greeting: |_| Greeting {
        path: "",
        reply: GreetingReply::Any,
        each_game: false,
    },
    hello: None,
    one_game: true,
    join_body: |_, name, url| json!({ "name": name, "url": url }),
};

/// One event, as it goes over the wire.
#[must_use]
pub fn event(name: &str, data: &Value) -> String {
    json!({ "event": name, "data": data }).to_string()
}

/// Where the code lab writes a territory otherwise than with underscores for hyphens.
const SPELT: [(&str, &str); 1] = [("yakutsk", "yakursk")];

/// A territory's id as the code lab writes it.
fn country(board: &Board, at: Territory) -> String {
    let id = board.info(at).id.as_str();
    let spelt = SPELT.iter().find(|(ours, _)| *ours == id);
    spelt.map_or_else(|| id.replace('-', "_"), |(_, theirs)| (*theirs).to_owned())
}

/// The territory that the code lab writes so; our own id is understood too.
fn territory(board: &Board, country: &str) -> Option<Territory> {
    let spelt = SPELT.iter().find(|(_, theirs)| *theirs == country);
    let id = spelt.map_or_else(|| country.replace('_', "-"), |(ours, _)| (*ours).to_owned());
    board.find(&id).or_else(|| board.find(country))
}
