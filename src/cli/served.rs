//! Code shared by `risk-cli serve` and `risk-cli bot serve`: protocol, rules and address.

use std::net::{IpAddr, SocketAddr, TcpListener};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::match_args::RulesArgs;
use super::{Error, note};
use risk_arena::{self, ARENAS, ArenaProtocol};
use risk_kernel::declare::Declaration;
use risk_text::escape_control;
use risk_wire::ProtocolInfo;

/// Parses the arena's protocol by its name.
pub(super) fn arena_parser() -> impl TypedValueParser<Value = &'static ArenaProtocol> {
    let value = |arena: &ArenaProtocol| PossibleValue::new(arena.protocol.name).help(arena.about);
    PossibleValuesParser::new(ARENAS.map(value))
        .map(|name| risk_arena::arena_named(&name).expect("the parser accepts only these names"))
}

/// Checks that a ruleset has everything that the protocol requires.
pub(super) fn check_rules(protocol: &ProtocolInfo, decl: &Declaration) -> Result<(), Error> {
    let codec = (protocol.codec)(decl, 0);
    codec.map(drop).map_err(|text| {
        let text = format!(
            "{} can't be played over {}: {text}",
            decl.name, protocol.name
        );
        let ruleset = protocol.ruleset;
        let help = format!("use {ruleset}, or a ruleset that extends it");
        Error::input("serve::protocol", text, help)
    })
}

/// The default address, which only this machine can reach.
pub(super) const LOCAL: &str = "127.0.0.1";

/// The address and port on which a server listens.
#[derive(Args, Debug)]
pub(super) struct ListenArgs {
    /// Port to listen on, or 0 for any free port (default: 8080 for an arena, 4444 for a bot)
    #[arg(long, value_name = "PORT")]
    pub(super) port: Option<u16>,
    /// Address to listen on; an address other than 127.0.0.1 opens the server to the network
    #[arg(long, value_name = "ADDRESS", default_value = LOCAL)]
    pub(super) listen: IpAddr,
}

impl ListenArgs {
    /// Opens the port, and returns it with its address.
    pub(super) fn open(&self, usual: u16, what: &str) -> Result<(TcpListener, SocketAddr), Error> {
        let place = SocketAddr::new(self.listen, self.port.unwrap_or(usual));
        let failed = |error| {
            Error::input(
                "serve::listen",
                format!("can't listen on {place}: {error}"),
                "choose another --port",
            )
        };
        let listener = TcpListener::bind(place).map_err(failed)?;
        let place = listener.local_addr().map_err(failed)?;
        if !self.listen.is_loopback() {
            print_line(&format!("warning: anyone who reaches {place} can {what}"));
        }
        Ok((listener, place))
    }
}

/// The rules of games over a protocol.
#[derive(Args, Debug)]
pub(super) struct ServedRulesArgs {
    /// Ruleset: a name (see `ruleset list`) or the path to a .rhai file (default: simplified for
    /// callback, codelab for codelab, and hasbro otherwise)
    #[arg(long, short, value_name = "R")]
    ruleset: Option<String>,
    /// Map: a name (see `map list`) or a path (default: the ruleset's own)
    #[arg(long, short, value_name = "M")]
    map: Option<String>,
    /// Ruleset option as name=value (see `ruleset show`); may be given several times
    #[arg(long = "option", short = 'o', value_name = "K=V")]
    options: Vec<String>,
}

impl ServedRulesArgs {
    /// Reports whether no rules are given.
    pub(super) const fn is_open(&self) -> bool {
        self.ruleset.is_none() && !self.has_board()
    }

    /// Reports whether a map or options are given.
    pub(super) const fn has_board(&self) -> bool {
        self.map.is_some() || !self.options.is_empty()
    }

    pub(super) fn rules(&self, protocol: &ProtocolInfo) -> RulesArgs {
        let usual = || protocol.ruleset.to_owned();
        RulesArgs {
            ruleset: self.ruleset.clone().unwrap_or_else(usual),
            map: self.map.clone(),
            options: self.options.clone(),
            usual: Vec::new(),
        }
    }
}

/// Prints a line to standard error, escaped.
pub(super) fn print_line(text: &str) {
    note(&escape_control(text));
}
