//! `risk-cli protocol`: the protocols for bots outside the program.

use clap::Subcommand;

use super::{Error, say_json};
use risk_wire::line_json;

#[derive(Debug, Subcommand)]
pub(super) enum ProtocolCommand {
    /// Print the JSON Schemas of all messages of line-JSON, the protocol for bots in any language
    Schema,
}

pub(super) fn run(command: &ProtocolCommand) -> Result<(), Error> {
    match command {
        ProtocolCommand::Schema => say_json(&line_json::schema()),
    }
}
