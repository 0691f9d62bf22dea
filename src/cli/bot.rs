//! `risk-cli bot`.

use std::io::Write;
use std::net::{IpAddr, SocketAddr, TcpListener};

use clap::{Args, Subcommand, ValueEnum};

use super::check::{self, CheckArgs};
use super::table::{DEFAULT_RULESET, Rules, RulesArgs, lay_rules};
use super::{Done, Error, Exit, say};
use crate::load::diag::clean;
use crate::load::entrant::Entrant;
use crate::load::{self, Kind};
use crate::players::hacker_risk::Words;
use crate::players::{BUILT_IN, Maker};
use crate::report::paint::pad;
use crate::script::Terms;
use crate::serve::{self, Served};

#[derive(Debug, Subcommand)]
pub(super) enum BotCommand {
    /// The bots that are built in
    List,
    /// Write a commented bot that plays
    New(super::new::NewBot),
    /// Report everything that is wrong with bots, and try them in some games
    Check {
        #[command(flatten)]
        check: CheckArgs,
        /// Whom they meet in the trial
        #[arg(long, value_name = "B", default_value = "random")]
        against: String,
        /// The ruleset they are to play
        #[arg(long, short, default_value = DEFAULT_RULESET)]
        ruleset: String,
    },
    /// Let arenas elsewhere ask a bot, over HTTP
    Serve(ServeArgs),
}

#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// A bot's name (see `bot list`) or the path of a .rhai file
    bot: String,
    /// The port to listen on; 0 for any that is free
    #[arg(long, value_name = "PORT")]
    port: u16,
    /// The address to listen on; others than 127.0.0.1 let the network in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// The protocol that the arena speaks
    #[arg(long, value_enum, default_value_t = Protocol::HackerRisk)]
    protocol: Protocol,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// That of the Hacker Risk arena
    HackerRisk,
}

/// Serves a bot, and tells what goes wrong.
fn serve(args: &ServeArgs) -> Done {
    let Protocol::HackerRisk = args.protocol;
    let entrant = Entrant::parse(&args.bot)?;
    if let Maker::Remote(_) = entrant.maker {
        return Err(Error::input(
            "bot::serve",
            format!("{} is served already", args.bot),
            "name a bot of this program",
        ));
    }
    let Rules { ruleset, options, board, .. } = lay_rules(&args.rules)?;
    let terms = Terms::default();
    let bound =
        ruleset.bind(&board, &options, ruleset.manifest.players.1, &terms).map_err(load::diag::Failure::from)?;
    let speaks = Words::of(&bound.decl);
    speaks.map_err(|text| {
        let text = format!("{} can't be played over HTTP: {text}", bound.decl.name);
        Error::input("bot::protocol", text, "play hasbro, or a ruleset that extends it")
    })?;
    // What is wrong with the bot shows itself now and not when it is asked.
    let made = entrant.maker.build(&bound.decl, &board, ruleset.manifest.players.1, None, &terms);
    made.map_err(load::diag::Failure::from)?;
    let place = SocketAddr::new(args.listen, args.port);
    let failed =
        |error| Error::input("bot::serve", format!("can't listen on {place}: {error}"), "choose another --port");
    let listener = TcpListener::bind(place).map_err(failed)?;
    let place = listener.local_addr().map_err(failed)?;
    if !args.listen.is_loopback() {
        let _ = writeln!(std::io::stderr(), "warning: everybody who reaches {place} can ask the bot");
    }
    say(&format!("{} listens on http://{place}; Ctrl-C ends", entrant.name))?;
    let served = Served { entrant, ruleset, board, options, terms };
    // With nobody to tell there is nothing left to do.
    let report = |wrong: &str| drop(writeln!(std::io::stderr(), "{}", clean(wrong)));
    serve::bot(served, listener, report).map_err(|error| Error::Write(place.to_string(), error))?;
    Ok(Exit::Fine)
}

pub(super) fn run(command: &BotCommand) -> Done {
    match command {
        BotCommand::List => list(),
        BotCommand::New(args) => super::new::bot(args),
        BotCommand::Serve(args) => serve(args),
        BotCommand::Check { check: args, against, ruleset } => {
            check::run(args, |spec, games| crate::check::bot(spec, (ruleset, against), games))
        }
    }
}

fn list() -> Done {
    let names = BUILT_IN.iter().map(|(name, _)| *name).chain(Kind::Bot.names());
    let width = names.map(str::len).max().unwrap_or(0);
    for (name, about) in BUILT_IN {
        say(&format!("{} Rust  {about}", pad(name, width)))?;
    }
    for name in Kind::Bot.names() {
        let text = load::text(Kind::Bot, name)?.text;
        let about = text.lines().next().unwrap_or_default().trim_start_matches('/').trim().to_owned();
        say(&format!("{} Rhai  {about}", pad(name, width)))?;
    }
    Ok(Exit::Fine)
}
