//! Protocols for remote bots, and the transports that carry them.
//!
//! A [`Codec`] converts a player's view into messages, and answers into actions. It uses no clock,
//! threads or sockets. A [`Transport`](transport::Transport) carries messages and does not
//! interpret them. [`PROTOCOLS`] and [`TRANSPORTS`](transport::TRANSPORTS) list the available
//! protocols and transports.
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
//! assert_eq!(error.to_string(), "expected a JSON object, found a list");
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
