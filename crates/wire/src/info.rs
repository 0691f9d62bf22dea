//! What a protocol is, whichever it is.

use std::fmt;

use serde_json::Value;

use super::codec::{Codec, Message};
use super::transport::{Framing, Greeting};
use crate::error::ProtocolError;
use risk_kernel::declare::Declaration;

/// What there is to know of a protocol before it is spoken.
pub struct ProtocolInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// Other names under which it is found.
    pub aliases: &'static [&'static str],
    /// The ruleset that is played over it when nobody says otherwise.
    pub ruleset: &'static str,
    /// Values of the ruleset's options where nobody says otherwise, for what bots that speak it are
    /// used to.
    pub options: &'static [(&'static str, &'static str)],
    /// How its messages may go: over the transports that send them so.
    pub framings: &'static [Framing],
    /// In which of several forms it is spoken, where there are several.
    pub setting: Option<ProtocolSetting>,
    /// Seconds that an answer may take when nobody says otherwise.
    pub timeout: u64,
    /// Makes what speaks it in a value of its setting, for games of a ruleset. An error says what
    /// the ruleset lacks.
    pub codec: fn(&Declaration, usize) -> Result<Box<dyn Codec>, ProtocolError>,
    /// How one sees that a bot is there, in a value of its setting.
    pub greeting: fn(usize) -> Greeting,
    /// Is a connection good for one game alone?
    pub one_game: bool,
    /// What is said first on a new connection; the answer goes to [`Codec::greeted`]. `None` where
    /// nobody is greeted in words.
    pub hello: Option<fn() -> Message>,
    /// What a bot of ours sends to an arena to join, in a value of its setting: name and address.
    pub join_body: fn(usize, &str, &str) -> Value,
}

impl fmt::Debug for ProtocolInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A setting of a protocol: its key in a bot's specification, and its values.
#[derive(Clone, Copy)]
pub struct ProtocolSetting {
    /// The key: `encoding`, say.
    pub key: &'static str,
    /// The values; the first is the one that holds when nothing is said.
    pub values: &'static [&'static str],
}

impl ProtocolSetting {
    /// The index of the value with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|value| *value == name)
    }
}

/// What is spoken with a bot: a protocol, in one value of its setting.
#[derive(Clone, Copy)]
pub struct Protocol {
    info: &'static ProtocolInfo,
    value: usize,
}

impl Protocol {
    /// A protocol in the value of its setting that has this index; 0 where it has no setting.
    #[must_use]
    pub const fn new(info: &'static ProtocolInfo, value: usize) -> Self {
        Self { info, value }
    }

    /// Which protocol it is.
    #[must_use]
    pub const fn info(self) -> &'static ProtocolInfo {
        self.info
    }

    /// The index of the setting's value.
    #[must_use]
    pub const fn value(self) -> usize {
        self.value
    }

    /// What speaks it, for games of a ruleset.
    ///
    /// # Errors
    /// What the ruleset lacks.
    pub fn codec(self, decl: &Declaration) -> Result<Box<dyn Codec>, ProtocolError> {
        (self.info.codec)(decl, self.value)
    }

    /// How one sees that a bot is there.
    #[must_use]
    pub fn greeting(self) -> Greeting {
        (self.info.greeting)(self.value)
    }

    /// The key of its setting, and the value's name; `None` where it has no setting.
    #[must_use]
    pub fn setting(self) -> Option<(&'static str, &'static str)> {
        let ProtocolSetting { key, values } = self.info.setting?;
        Some((key, values.get(self.value)?))
    }

    /// How a bot was asked, and how that is set: for a bot whose first answers are none.
    #[must_use]
    pub fn hint(self) -> String {
        let Some((key, value)) = self.setting() else {
            return String::new();
        };
        let values = self.info.setting.map_or(&[][..], |setting| setting.values);
        asked_with(key, value, values.iter().copied())
    }
}

/// How a bot was asked, and which other values of this setting there are.
pub(super) fn asked_with<'a>(key: &str, value: &str, all: impl Iterator<Item = &'a str>) -> String {
    let others = all.filter(|other| *other != value);
    let others: Vec<String> = others.map(|other| format!("{key}={other}")).collect();
    let others = others.join(" or ");
    format!(" (it was asked with {key}={value}; if it reads another, set {others})")
}

/// A bot that asks an arena to take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinRequest {
    /// The player's name, unchecked.
    pub name: String,
    /// Where the bot is, without a slash at its end; unchecked too.
    pub url: String,
    /// In which value of its protocol's setting it speaks.
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
