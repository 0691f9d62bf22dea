//! The description of a protocol for serving a bot.

use std::fmt;

use super::served::{Answerer, ServedBot};
use risk_wire::ProtocolInfo;

/// A protocol for serving a bot.
pub struct ServedProtocol {
    /// The protocol spoken with clients.
    pub protocol: &'static ProtocolInfo,
    /// A one-line description of the programs that speak the protocol, for the help text.
    pub about: &'static str,
    /// `true` if bots may also speak the protocol line by line, on stdin and stdout.
    pub over_lines: bool,
    /// `true` if requests may use the root path of the address.
    pub(super) at_root: bool,
    /// The path where a client checks for the bot, and the response.
    pub(super) greeting: (&'static str, &'static str),
    /// The paths of notifications, which the bot ignores.
    pub(super) notices: &'static [&'static str],
    /// Creates the handler of this protocol's messages.
    pub answerer: fn(&ServedBot) -> Box<dyn Answerer>,
}

impl fmt::Debug for ServedProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.protocol.name)
    }
}
