//! The description of a protocol in which a bot can be served.

use std::fmt;

use super::served::{Answerer, Served};
use risk_wire::ProtocolInfo;

/// A protocol in which a bot can be served.
pub struct ServedProtocol {
    /// The protocol that is spoken.
    pub protocol: &'static ProtocolInfo,
    /// The programs that speak it, in one line of help.
    pub about: &'static str,
    /// `true` if bots may also speak the protocol in lines, on stdin and stdout.
    pub over_lines: bool,
    /// `true` if requests may go to the address itself, without a path.
    pub(super) at_root: bool,
    /// The path at which a client checks for the bot, and the answer.
    pub(super) greeting: (&'static str, &'static str),
    /// The paths of notices, which the bot ignores.
    pub(super) notices: &'static [&'static str],
    /// Creates the handler of this protocol's messages.
    pub answerer: fn(&Served) -> Box<dyn Answerer>,
}

impl fmt::Debug for ServedProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.protocol.name)
    }
}
