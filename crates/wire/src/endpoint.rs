//! Bots elsewhere: address, transport and protocol.

use std::sync::Arc;

use risk_engine::players::BotSource;

use super::info::{Protocol, asked_with};
use super::protocols_over;
use super::transport::has_walls;
use super::transport::{Address, Framing, NotThere, Route, Speech, Transport, TransportInfo};

/// A bot elsewhere.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The bot's address.
    pub address: Address,
    /// The route to that address.
    pub route: Arc<dyn Route>,
    /// The protocol in use.
    pub protocol: Protocol,
    /// A hash of the files that the bot is declared to be made of.
    pub content: Option<String>,
    /// Whether to look for the bot before a match. If not, a missing bot is noticed when it is
    /// asked.
    pub probed: bool,
}

impl Endpoint {
    /// Opens a transport to the bot.
    #[must_use]
    pub fn open(&self) -> Box<dyn Transport> {
        let speech = Speech {
            hint: self.protocol.hint(),
            counts_lines: self.protocol.info().one_game,
        };
        self.route.open(&self.address, speech)
    }

    /// Returns the description of the transport that reaches the bot.
    #[must_use]
    pub fn transport(&self) -> &'static TransportInfo {
        self.route.info()
    }

    /// Returns a hint with the protocol in use and the others, for a program that sends nothing or
    /// no valid line of that protocol. Empty for bots whose protocol is not chosen by such a
    /// setting.
    pub(super) fn protocol_hint(&self) -> String {
        let transport = self.transport();
        if transport.framing != Framing::Lines || transport.places.is_none() {
            return String::new();
        }
        let names = protocols_over(transport).map(|info| info.name);
        asked_with("protocol", self.protocol.info().name, names)
    }

    /// Converts the endpoint into a bot source.
    #[must_use]
    pub fn into_source(self) -> BotSource {
        BotSource::Made(Arc::new(self))
    }

    /// Reports whether the program should have walls but the system has none, so that it has only
    /// limits.
    #[must_use]
    pub fn lacks_walls(&self) -> bool {
        self.route.wants_walls() && !has_walls()
    }

    /// Looks for the bot, as its protocol says.
    ///
    /// # Errors
    /// Returns an error if the bot does not answer as expected.
    pub fn reach(&self) -> Result<(), NotThere> {
        self.open().greet(self.protocol.greeting())
    }
}
