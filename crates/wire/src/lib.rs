//! Protocols of bots elsewhere, and the transports that carry them.
//!
//! A [`Codec`] turns what a player may see into messages and answers into actions, without a clock,
//! a thread or a socket; a [`Transport`](transport::Transport) carries messages and does not
//! interpret them. [`PROTOCOLS`] and [`TRANSPORTS`](transport::TRANSPORTS) list both.
//!
//! # Invariants
//!
//! * A bot is sent what its player may see, and nothing else.
//! * Every message has a maximum length, every answer a time limit and every queue a maximum size.
//! * A bot's words are untrusted: duplicate keys are refused, and errors quote only a short piece.
//! * No bot is contacted outside the allowed networks, wherever its name resolves to.
//!
//! ```
//! use risk_wire::{Protocol, line_json, protocol_named};
//!
//! let info = protocol_named("json").expect("it is one of PROTOCOLS");
//! assert_eq!(Protocol::new(info, 0).setting(), None);
//!
//! let request = line_json::read_join("", br#"{"name": "ann", "url": "http://10.0.0.1/"}"#)?;
//! assert_eq!((request.name.as_str(), request.url.as_str()), ("ann", "http://10.0.0.1"));
//! let error = line_json::read_join("", b"[]").unwrap_err();
//! assert_eq!(error.to_string(), "the request is neither a form nor a JSON object");
//! # Ok::<(), risk_wire::ProtocolError>(())
//! ```

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
mod text_fields;
pub mod transport;
mod warlight;

pub use codec::{Codec, Failure, FailurePlace, GameOver, Message, NoAnswer, Question};
pub use endpoint::Endpoint;
pub use error::ProtocolError;
pub use info::{JoinRequest, Protocol, ProtocolInfo, ProtocolSetting};
pub use quote::{brief, quoted};
pub use schemes::SCHEMES;
pub use text_fields::text_fields;
use transport::TransportInfo;

/// All protocols, the default first. A new protocol is a file with its [`ProtocolInfo`], and a row
/// here.
pub static PROTOCOLS: [&ProtocolInfo; 5] = [
    &hacker_risk::PROTOCOL,
    &callback::PROTOCOL,
    &line_json::PROTOCOL,
    &warlight::SECOND,
    &warlight::FIRST,
];

/// Returns the protocol with this name or alias.
#[must_use]
pub fn protocol_named(name: &str) -> Option<&'static ProtocolInfo> {
    PROTOCOLS
        .into_iter()
        .find(|info| info.name == name || info.aliases.contains(&name))
}

/// Returns the protocols that a transport can carry, the default first.
pub fn protocols_over(transport: &TransportInfo) -> impl Iterator<Item = &'static ProtocolInfo> {
    let framing = transport.framing;
    PROTOCOLS
        .into_iter()
        .filter(move |info| info.framings.contains(&framing))
}

/// Returns the settings that choose a protocol in a bot's specification, each after a comma. Leaves
/// out defaults.
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
