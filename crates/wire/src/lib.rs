#![doc = include_str!("../README.md")]
//!
//! # Where to find what
//!
//! [`PROTOCOLS`] lists the protocols, each with its [`Codec`], and
//! [`TRANSPORTS`](transport::TRANSPORTS) lists what carries them.
//!
//! # Invariants
//!
//! * A bot receives only information that its player may see.
//! * Every message has a maximum length, every answer has a time limit, and every queue has a
//!   maximum size.
//! * Input from bots is untrusted. Duplicate keys are rejected, and errors quote only a short
//!   excerpt.
//! * Bots outside the allowed networks are never contacted, even if their name resolves to another
//!   address later.

pub mod callback;
mod codec;
pub mod codelab;
mod decl_lookup;
mod endpoint;
mod error;
mod files;
pub mod hacker_risk;
mod info;
pub mod isolated;
pub mod json;
pub mod line_json;
mod quote;
mod remote;
mod schemes;
mod syncs;
mod text_fields;
pub mod transport;
mod warlight;

pub use codec::{AnswerError, Codec, Failure, FailurePlace, GameOver, Message, Question};
pub use endpoint::Endpoint;
pub use error::ProtocolError;
pub use info::{JoinRequest, Protocol, ProtocolInfo, ProtocolSetting};
pub use quote::{brief, quoted};
pub use schemes::SCHEMES;
pub use text_fields::text_fields;
use transport::TransportInfo;

/// All protocols, starting with the default. To add a protocol, create a file with its
/// [`ProtocolInfo`] and add an entry to this list.
pub static PROTOCOLS: [&ProtocolInfo; 6] = [
    &hacker_risk::PROTOCOL,
    &callback::PROTOCOL,
    &line_json::PROTOCOL,
    &warlight::SECOND,
    &warlight::FIRST,
    &syncs::PROTOCOL,
];

/// Returns the protocol with this name or alias.
#[must_use]
pub fn protocol_named(name: &str) -> Option<&'static ProtocolInfo> {
    PROTOCOLS
        .into_iter()
        .find(|info| info.name == name || info.aliases.contains(&name))
}

/// Returns the protocols that a transport can carry, starting with the default.
pub fn protocols_over(transport: &TransportInfo) -> impl Iterator<Item = &'static ProtocolInfo> {
    let framing = transport.framing;
    PROTOCOLS
        .into_iter()
        .filter(move |info| info.framings.contains(&framing))
}

/// Returns the settings that select a protocol in a bot's specification, each preceded by a comma.
/// Omits default values.
#[must_use]
pub fn spec_settings(protocol: Protocol) -> String {
    let mut text = String::new();
    let name = protocol.info().name;
    if name != PROTOCOLS[0].name {
        text += &format!(",protocol={name}");
    }
    if let Some((key, value)) = protocol.setting().filter(|_| protocol.value() > 0) {
        text += &format!(",{key}={value}");
    }
    text
}
