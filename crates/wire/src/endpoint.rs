//! A bot elsewhere: where it is, what carries messages there, and what is spoken.

use std::sync::Arc;

use risk_engine::players::BotSource;

use super::info::{Protocol, asked_with};
use super::protocols_over;
use super::transport::has_walls;
use super::transport::{Address, Framing, NotThere, Route, Speech, Transport, TransportInfo};

/// A bot elsewhere.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Where it is.
    pub address: Address,
    /// How it is reached there.
    pub route: Arc<dyn Route>,
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
        let speech = Speech {
            hint: self.protocol.hint(),
            counts_lines: self.protocol.info().one_game,
        };
        self.route.open(&self.address, speech)
    }

    /// The transport that reaches it.
    #[must_use]
    pub fn transport(&self) -> &'static TransportInfo {
        self.route.info()
    }

    /// In which protocol a program is asked, and how another is set: for one that says nothing, or
    /// what is no line of that protocol. Nothing for bots whose protocol no such setting chooses.
    pub(super) fn protocol_hint(&self) -> String {
        let transport = self.transport();
        if transport.framing != Framing::Lines || transport.places.is_none() {
            return String::new();
        }
        let names = protocols_over(transport).map(|info| info.name);
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
        self.route.wants_walls() && !has_walls()
    }

    /// Looks whether a bot is there, as its protocol says.
    ///
    /// # Errors
    /// What it answers instead.
    pub fn reach(&self) -> Result<(), NotThere> {
        self.open().greet(self.protocol.greeting())
    }
}
