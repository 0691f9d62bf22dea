//! A bot elsewhere: where it is, what carries messages there, and what is spoken.

use std::sync::Arc;

use risk_engine::players::BotSource;

use super::info::{Protocol, asked_with};
use super::protocols_over;
use super::transport::{Address, Framing, NotThere, Sandbox, Transport, TransportInfo, has_walls};

/// A bot elsewhere.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// What carries messages there.
    pub transport: &'static TransportInfo,
    /// Where it is.
    pub address: Address,
    /// What is spoken.
    pub protocol: Protocol,
    /// A hash of the files that it is said to be made of.
    pub content: Option<String>,
    /// Is it looked for before a match? Otherwise one that is gone shows itself when it is asked.
    pub probed: bool,
}

impl Endpoint {
    /// What carries messages there.
    #[must_use]
    pub fn open(&self) -> Box<dyn Transport> {
        (self.transport.open)(&self.address, self.protocol.hint())
    }

    /// In which protocol a program is asked, and how another is set: for one that says nothing, or
    /// what is no line of that protocol. Nothing for bots whose protocol no such setting chooses.
    pub(super) fn protocol_hint(&self) -> String {
        if self.transport.framing != Framing::Lines || self.address.link.is_some() {
            return String::new();
        }
        let names = protocols_over(self.transport).map(|info| info.name);
        asked_with("protocol", self.protocol.info().name, names)
    }

    /// The bot as what decides for a player.
    #[must_use]
    pub fn into_source(self) -> BotSource {
        BotSource::Made(Arc::new(self))
    }

    /// Is it a program that is to have walls, on a system that has none? It has limits alone then.
    #[must_use]
    pub fn lacks_walls(&self) -> bool {
        let is_program = self.transport.framing == Framing::Lines;
        is_program && self.address.confinement.sandbox == Sandbox::On && !has_walls()
    }

    /// Looks whether a bot is there, as its protocol says.
    ///
    /// # Errors
    /// What it answers instead.
    pub fn reach(&self) -> Result<(), NotThere> {
        self.open().greet(self.protocol.greeting())
    }
}
