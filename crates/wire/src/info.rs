//! Descriptions of protocols.

use std::fmt;

use super::codec::{Codec, Message};
use super::transport::{Framing, Greeting};
use crate::error::ProtocolError;
use risk_kernel::declare::Declaration;

/// The static description of a protocol.
pub struct ProtocolInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// Other names of the protocol.
    pub aliases: &'static [&'static str],
    /// The default ruleset for the protocol.
    pub ruleset: &'static str,
    /// The default values of the ruleset's options, which match the expectations of existing bots.
    pub options: &'static [(&'static str, &'static str)],
    /// The framings that can carry the protocol's messages.
    pub framings: &'static [Framing],
    /// The protocol's setting, if it has several variants.
    pub setting: Option<ProtocolSetting>,
    /// The default time limit for an answer, in seconds.
    pub timeout: u64,
    /// Creates the codec for a ruleset and a value of the setting. Returns an error if the ruleset
    /// lacks a part that the protocol requires.
    pub codec: fn(&Declaration, usize) -> Result<Box<dyn Codec>, ProtocolError>,
    /// Returns the greeting for a value of the setting.
    pub greeting: fn(usize) -> Greeting,
    /// Whether each connection is limited to one game.
    pub one_game: bool,
    /// Whether programs open two pipes in the folder `io` of their current folder, and send each
    /// message with its length. Other programs send lines to their standard output.
    pub folder_pipes: bool,
    /// Whether the bots know a single map, that of the protocol's ruleset.
    pub only_own_map: bool,
    /// The first message on a new connection. The answer is passed to [`Codec::greeted`]. `None` if
    /// the protocol has no greeting message.
    pub hello: Option<fn() -> Message>,
}

impl ProtocolInfo {
    /// A protocol of text lines without settings and a greeting, for a program that plays one game.
    pub(super) const PLAIN: Self = Self {
        name: "",
        aliases: &[],
        ruleset: "",
        options: &[],
        framings: &[Framing::Lines],
        setting: None,
        timeout: 10,
        one_game: true,
        folder_pipes: false,
        only_own_map: false,
        codec: |_, _| Err("not a protocol".into()),
        greeting: |_| Greeting::UNDEFINED,
        hello: None,
    };
}

impl fmt::Debug for ProtocolInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A setting of a protocol, with its key in a bot's specification and its values.
#[derive(Clone, Copy)]
pub struct ProtocolSetting {
    /// The key, for example `encoding`.
    pub key: &'static str,
    /// The values, starting with the default.
    pub values: &'static [&'static str],
}

impl ProtocolSetting {
    /// Returns the index of the value with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|value| *value == name)
    }
}

/// A protocol with a value for its setting.
#[derive(Clone, Copy)]
pub struct Protocol {
    info: &'static ProtocolInfo,
    value: usize,
}

impl Protocol {
    /// Combines a protocol with the index of its setting's value. The index is 0 if the protocol
    /// has no setting.
    #[must_use]
    pub const fn new(info: &'static ProtocolInfo, value: usize) -> Self {
        Self { info, value }
    }

    /// Returns the protocol's description.
    #[must_use]
    pub const fn info(self) -> &'static ProtocolInfo {
        self.info
    }

    /// Returns the index of the setting's value.
    #[must_use]
    pub const fn value(self) -> usize {
        self.value
    }

    /// Creates the codec for games of a ruleset.
    ///
    /// # Errors
    /// Returns an error if the ruleset lacks a part that the protocol requires.
    pub fn codec(self, decl: &Declaration) -> Result<Box<dyn Codec>, ProtocolError> {
        (self.info.codec)(decl, self.value)
    }

    /// Returns the greeting that checks whether a bot is there.
    #[must_use]
    pub fn greeting(self) -> Greeting {
        (self.info.greeting)(self.value)
    }

    /// Returns the setting's key and the name of its value, or `None` if the protocol has no
    /// setting.
    #[must_use]
    pub fn setting(self) -> Option<(&'static str, &'static str)> {
        let ProtocolSetting { key, values } = self.info.setting?;
        Some((key, values.get(self.value)?))
    }

    /// Returns a hint with the setting in use and the alternatives. The hint is for a bot whose
    /// first answers are invalid.
    #[must_use]
    pub fn hint(self) -> String {
        let Some((key, value)) = self.setting() else {
            return String::new();
        };
        let values = self.info.setting.map_or(&[][..], |setting| setting.values);
        asked_with(key, value, values.iter().copied())
    }
}

pub(super) fn asked_with<'a>(key: &str, value: &str, all: impl Iterator<Item = &'a str>) -> String {
    let others = all.filter(|other| *other != value);
    let others: Vec<String> = others.map(|other| format!("{key}={other}")).collect();
    let others = others.join(" or ");
    format!(" (sent with {key}={value}; if the bot expects another {key}, set {others})")
}

/// A bot's request to join an arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinRequest {
    /// The player's name, not yet validated.
    pub name: String,
    /// The bot's address without a trailing slash, not yet validated.
    pub url: String,
    /// The index of the protocol setting's value.
    pub value: usize,
}

impl PartialEq for Protocol {
    fn eq(&self, other: &Self) -> bool {
        self.info.name == other.info.name && self.value == other.value
    }
}

impl Eq for Protocol {}

impl fmt::Debug for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.info.name, self.setting())
    }
}
