//! Remote bots, with address, transport and protocol.

use std::sync::Arc;

use risk_engine::BotSource;

use super::info::{Protocol, asked_with};
use super::protocols_over;
use super::transport::has_sandbox;
use super::transport::{
    Address, ConnectError, Framing, ProtocolTraits, Route, Transport, TransportInfo,
};

/// A remote bot.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The bot's address.
    pub address: Address,
    /// The route to that address.
    pub route: Arc<dyn Route>,
    /// The protocol that the bot uses.
    pub protocol: Protocol,
    /// A hash of the files that the bot declares as its own.
    pub content: Option<String>,
    /// Whether to check for the bot before a match. Without this check, a missing bot is only
    /// noticed at its first question.
    pub probed: bool,
}

impl Endpoint {
    /// Opens a connection to the bot.
    #[must_use]
    pub fn open(&self) -> Box<dyn Transport> {
        let speech = ProtocolTraits {
            hint: self.protocol.hint(),
            counts_lines: self.protocol.info().one_game,
            folder_pipes: self.protocol.info().folder_pipes,
        };
        self.route.open(&self.address, speech)
    }

    /// Returns the description of the bot's transport.
    #[must_use]
    pub fn transport(&self) -> &'static TransportInfo {
        self.route.info()
    }

    /// Returns a hint with the protocol in use and the available alternatives. The hint is for a
    /// program that sends nothing, or nothing valid in that protocol. It is empty for bots whose
    /// protocol can't be set this way.
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

    /// Reports whether the program should run in a sandbox that the system does not support. Such a
    /// program runs with limits only.
    #[must_use]
    pub fn lacks_sandbox(&self) -> bool {
        self.route.wants_sandbox() && !has_sandbox()
    }

    /// Checks that the bot is there, using the greeting of its protocol.
    ///
    /// # Errors
    /// Returns an error if the bot does not answer as expected.
    pub fn reach(&self) -> Result<(), ConnectError> {
        self.open().greet(self.protocol.greeting())
    }
}
