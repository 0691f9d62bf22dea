//! `risk-cli bot serve`.

use crate::cli::library;
use risk_wire::ProtocolError;
use std::io::{self, BufRead, Read, Write};
use std::net::SocketAddr;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use super::served::{ListenArgs, ServedRulesArgs, check_rules, print_line};
use super::{CommandResult, Error, Exit, output, say};
use risk_arena::bot::{self as server, BotListener, SERVED, ServedBot, ServedProtocol};
use risk_engine::bot_spec::BotSpec;
use risk_engine::names;
use risk_engine::script::ScriptLimits;
use risk_text::diag::LoadError;
use risk_text::escape_json;
use risk_wire::transport::http;

#[derive(Args, Debug)]
pub(super) struct ServeBotArgs {
    /// Bot: a name (see `bot list`) or the path to a .rhai file
    bot: String,
    #[command(flatten)]
    listen: ListenArgs,
    /// Protocol of the bot
    #[arg(long, value_parser = served_parser(), default_value = SERVED[0].protocol.name)]
    protocol: &'static ServedProtocol,
    /// Read requests from standard input and write answers to standard output, one per line,
    /// instead of listening on a port; requires --protocol json
    #[arg(long, conflicts_with_all = ["port", "listen", "join", "host"])]
    stdio: bool,
    #[command(flatten)]
    rules: ServedRulesArgs,
    /// Register with the arena at URL, for example http://127.0.0.1:8080
    #[arg(long, value_name = "URL")]
    join: Option<String>,
    /// URL at which the arena reaches the bot (default: http:// and the address to listen on)
    #[arg(long, value_name = "URL", requires = "join")]
    address: Option<String>,
    /// Host name under which a reverse proxy reaches the bot, in addition to localhost; may be
    /// given several times
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Name to play under (default: the bot's own name)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Parses the protocol in which a bot is served.
fn served_parser() -> impl TypedValueParser<Value = &'static ServedProtocol> {
    let value = |one: &ServedProtocol| PossibleValue::new(one.protocol.name).help(one.about);
    let named = |name: String| {
        let found = SERVED.into_iter().find(|one| one.protocol.name == name);
        found.expect("the parser accepts only these names")
    };
    PossibleValuesParser::new(SERVED.map(value)).map(named)
}

pub(super) fn run(args: &ServeBotArgs) -> CommandResult {
    let mut spec = BotSpec::parse(library(), &args.bot)?;
    if spec.source.is_elsewhere() {
        let text = format!("{} is already a server", args.bot);
        return Error::refuse("bot::serve", text, "name a built-in bot or a script");
    }
    if let Some(name) = &args.name {
        names::check(name)
            .map_err(|text| Error::input("bot::name", text, "choose another --name"))?;
        spec.name.clone_from(name);
    }
    if args.protocol.over_lines && args.rules.has_board() {
        let text = format!(
            "{} sends a map and options with each game",
            args.protocol.protocol.name
        );
        return Error::refuse("bot::serve", text, "remove --map and --option");
    }
    let served = ServedBot {
        spec,
        rules: args.rules.rules(args.protocol.protocol).load()?,
        limits: ScriptLimits::default(),
    };
    // If no rules are given, the client names them for each game.
    if !(args.protocol.over_lines && args.rules.is_open()) {
        try_bot(args.protocol, &served)?;
    }
    if args.stdio {
        speak(args.protocol, &served)
    } else {
        listen(args, served)
    }
}

/// Finds errors in the bot before the first question.
fn try_bot(protocol: &ServedProtocol, served: &ServedBot) -> Result<(), Error> {
    let ServedBot {
        spec,
        rules,
        limits,
    } = served;
    let most = rules.ruleset.manifest.players.1;
    let bound = rules.bind(most, limits)?;
    check_rules(protocol.protocol, &bound.decl)?;
    let source = rules.rules_source(most, limits);
    let made = spec.source.build(&bound.decl, None, &source);
    made.map_err(LoadError::from)?;
    Ok(())
}

/// Answers over HTTP until the program is stopped.
fn listen(args: &ServeBotArgs, served: ServedBot) -> CommandResult {
    let name = &served.spec.name;
    let (listener, place) = args.listen.open(4444, "ask the bot")?;
    let join = args.join.as_ref();
    let join = join
        .map(|arena| joining(args, arena, place, name))
        .transpose()?;
    say(&format!("{name} listens on http://{place}; Ctrl-C ends"))?;
    let join = move || join.map_or(Ok(()), |(at, body)| http::join(&at, &body));
    let own_host = args.address.as_deref();
    let own_host = own_host.map(|url| http::host_and_port(url).0.to_owned());
    let at = BotListener {
        listener,
        protocol: args.protocol,
        local_only: place.ip().is_loopback(),
        hosts: args.host.iter().cloned().chain(own_host).collect(),
    };
    let served = server::serve(served, at, print_line, join)
        .map_err(|error| Error::Write(place.to_string(), error))?;
    let refused = |error| {
        let text = format!("failed to join the arena: {error}");
        let help = "check the address, and that the arena is waiting for players";
        Error::input("bot::join", text, help)
    };
    served.map_err(refused)?;
    Ok(Exit::Fine)
}

/// The maximum length of a line, in bytes: maps may be large.
const LONGEST: u64 = 64 << 20;

/// Answers line by line until the input ends or the client says goodbye.
fn speak(protocol: &ServedProtocol, served: &ServedBot) -> CommandResult {
    if !protocol.over_lines {
        let text = format!(
            "--stdio requires --protocol json, found {}",
            protocol.protocol.name
        );
        return Error::refuse("bot::stdio", text, "add --protocol json");
    }
    let mut bot = (protocol.answerer)(served);
    answer_lines(|line| bot.answer(served, "", line))
}

/// Answers each line of standard input. Empty replies are not written.
pub(super) fn answer_lines(
    mut answer: impl FnMut(&str) -> Result<String, ProtocolError>,
) -> CommandResult {
    let mut input = io::stdin().lock();
    let mut out = output();
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(Exit::Fine);
        }
        // Borrows valid UTF-8, the usual case, without a copy.
        let text = match std::str::from_utf8(&line) {
            Ok(text) => text.into(),
            Err(_) => String::from_utf8_lossy(&line),
        };
        match answer(text.trim_end()) {
            Ok(reply) if reply.is_empty() => {}
            Ok(reply) => {
                writeln!(out, "{}", escape_json(&reply))?;
                out.flush()?;
            }
            Err(wrong) => print_line(&wrong.to_string()),
        }
    }
}

/// Returns the URL at which the bot joins an arena, and the body to send.
fn joining(
    args: &ServeBotArgs,
    arena: &str,
    place: SocketAddr,
    name: &str,
) -> Result<(String, Value), Error> {
    let arena = arena.trim_end_matches('/');
    let own = format!("http://{place}");
    if args.address.is_none() && place.ip().is_unspecified() {
        let text = format!("an arena can't connect to {place}");
        return Error::refuse(
            "bot::address",
            text,
            "set --address to the URL at which the arena reaches this machine",
        );
    }
    let address = args.address.as_deref().unwrap_or(&own);
    if let Some(wrong) = [arena, address].into_iter().find(|url| !http::is_url(url)) {
        let help = "write http:// with a host and a port, for example http://127.0.0.1:8080";
        return Error::refuse("bot::address", format!("invalid address `{wrong}`"), help);
    }
    let body = json!({ "name": name, "url": address });
    Ok((format!("{arena}/join"), body))
}
