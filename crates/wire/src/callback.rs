//! The protocol of the callback arena, where bots register themselves.
//!
//! Source: the rules of the simplified game, sections 1 and 2, and its table of ambiguities
//! (S1 to S29).

mod answer;
mod codec;
mod dialect;
mod join;
mod place;
mod status;
mod vocabulary;

pub use answer::answer;
pub use dialect::Dialect;
pub use join::{read_join, read_secret};
pub use place::cell;
pub use status::{PlayerStats, Stage, status};
pub use vocabulary::CallbackVocabulary;

use super::info::{ProtocolInfo, ProtocolSetting};
use super::transport::Framing;
use codec::Callback;

/// The protocol of the callback arena, in one of two dialects.
pub static PROTOCOL: ProtocolInfo = ProtocolInfo {
    name: "callback",
    ruleset: "simplified",
    framings: &[Framing::Requests],
    setting: Some(ProtocolSetting {
        key: "dialect",
        values: &[Dialect::Seed.as_str(), Dialect::Snow.as_str()],
    }),
    timeout: 30,
    codec: |decl, value| Ok(Box::new(Callback::new(decl, Dialect::ALL[value])?)),
    greeting: |value| Dialect::ALL[value].greeting(),
    one_game: false,
    ..ProtocolInfo::PLAIN
};
