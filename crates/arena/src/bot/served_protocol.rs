//! What it takes to ask a bot of ours in a protocol, whichever it is.

use std::fmt;

use super::served::{Answerer, Served};
use risk_wire::ProtocolInfo;

/// How a bot of ours is asked in a protocol.
pub struct ServedProtocol {
    /// What is spoken.
    pub protocol: &'static ProtocolInfo,
    /// Who speaks it, in a line of help.
    pub about: &'static str,
    /// Is it spoken over lines too?
    pub over_lines: bool,
    /// Do its messages have no path over HTTP?
    pub(super) at_root: bool,
    /// The path under which somebody sees whether the bot is there, and what it answers.
    pub(super) greeting: (&'static str, &'static str),
    /// The paths under which a bot is told what it need not know.
    pub(super) notices: &'static [&'static str],
    /// Makes what answers the messages of this protocol.
    pub answerer: fn(&Served) -> Box<dyn Answerer>,
}

impl fmt::Debug for ServedProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.protocol.name)
    }
}
