//! The protocol of a code lab's arena. All clients receive the same events, and players send events
//! of their own.
//!
//! Source: the rules of the code lab, section 2, as interpreted in D1 to D12.

mod codec;
mod incoming;
mod narrator;
mod stage;

use serde_json::{Value, json};

use super::info::ProtocolInfo;
use codec::Codelab;
pub use incoming::{PlayerAction, PlayerEvent, PlayerMessage};
pub use narrator::Narrator;
use risk_kernel::board::Board;
use risk_kernel::id::Territory;

/// The protocol of the code lab. The command line can't name bots that use this protocol, because
/// they dial in.
pub static PROTOCOL: ProtocolInfo = ProtocolInfo {
    name: "codelab",
    ruleset: "codelab",
    framings: &[],
    timeout: 300,
    codec: |decl, _| Ok(Box::new(Codelab::new(decl)?)),
    ..ProtocolInfo::PLAIN
};

/// Returns an event in the code lab's format.
#[must_use]
pub fn event(name: &str, data: &Value) -> String {
    json!({ "event": name, "data": data }).to_string()
}

/// Territories with a different spelling in the code lab, apart from underscores in place of
/// hyphens.
const SPELT: [(&str, &str); 1] = [("yakutsk", "yakursk")];

/// Returns a territory's id in the code lab's spelling.
fn country(board: &Board, at: Territory) -> String {
    let id = board.info(at).id.as_str();
    let spelt = SPELT.iter().find(|(ours, _)| *ours == id);
    spelt.map_or_else(|| id.replace('-', "_"), |(_, theirs)| (*theirs).to_owned())
}

/// Finds a territory by its id, in either the code lab's spelling or ours.
fn territory(board: &Board, country: &str) -> Option<Territory> {
    let spelt = SPELT.iter().find(|(_, theirs)| *theirs == country);
    let id = spelt.map_or_else(|| country.replace('_', "-"), |(ours, _)| (*ours).to_owned());
    board.find(&id).or_else(|| board.find(country))
}
