//! The tables of protocols and of transports. A new one is a file of its own, and a row here.

use super::info::{Protocol, ProtocolInfo};
use super::transport::{TransportInfo, http};
use super::{callback, hacker_risk};

/// All protocols; the first is spoken with a bot of which nothing is said.
pub static PROTOCOLS: [&ProtocolInfo; 2] = [&hacker_risk::PROTOCOL, &callback::PROTOCOL];

/// All transports; which one reaches a bot shows in how its place begins.
pub static TRANSPORTS: [&TransportInfo; 1] = [&http::HTTP];

/// The protocol with this name or alias.
#[must_use]
pub fn protocol_named(name: &str) -> Option<&'static ProtocolInfo> {
    PROTOCOLS
        .into_iter()
        .find(|info| info.name == name || info.aliases.contains(&name))
}

/// The transport that reaches this place.
#[must_use]
pub fn transport_to(place: &str) -> Option<&'static TransportInfo> {
    let (scheme, _) = place.split_once(':')?;
    TRANSPORTS.into_iter().find(|info| info.scheme == scheme)
}

/// What is to be said of a protocol in a bot's specification, each setting behind a comma. What
/// holds anyway is left out.
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
