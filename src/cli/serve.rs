//! `risk-cli serve`: an arena over HTTP.

mod config;
mod ladder;
mod options;

use crate::cli::library;
use risk_engine::Seed;
use risk_maps::files;
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

use super::level::LevelArg;
use super::match_args::{BudgetArg, ClockArg, PlayersArgs, RulesArgs};
use super::seed_arg::SeedArg;
use super::served::{ListenArgs, check_rules};
use super::{CommandResult, Error, Exit, say, say_json};
use risk_arena::secret::Secret;
use risk_arena::{self, ARENAS, ArenaConfig, ArenaHooks, ArenaProtocol, ServerConfig};
use risk_engine::bot_spec::BotSpec;
use risk_engine::{Setup, Worker};
use risk_text::escape_control;
use risk_text::plural::counted;
use risk_wire::Endpoint;
use risk_wire::transport::Networks;

pub(super) use config::ServeWords;
pub(super) use options::{ServeArgs, schema};

/// The environment variable with the secret, used without `--secret-file`.
const SECRET: &str = "RISK_CLI_SECRET";
/// The panic message for an option that the parser must have filled.
const DEFAULT: &str = "the parser sets a default";
/// The maximum size of a secret file, in bytes.
const LONGEST_SECRET: u64 = 8_192;

fn secret(file: Option<&Path>) -> Result<Option<Secret>, Error> {
    let (text, place) = match file {
        Some(path) => {
            let place = path.display().to_string();
            (files::file(path, LONGEST_SECRET)?.text.to_string(), place)
        }
        None => match std::env::var(SECRET) {
            Ok(text) => (text, SECRET.to_owned()),
            Err(std::env::VarError::NotPresent) => return Ok(None),
            Err(error) => {
                return Error::refuse(
                    "serve::secret",
                    format!("invalid {SECRET}: {error}"),
                    "set it to plain text",
                );
            }
        },
    };
    let help = "choose a longer secret that is hard to guess";
    Secret::new(&text)
        .map(Some)
        .map_err(|wrong| Error::input("serve::secret", format!("{place}: {wrong}"), help))
}

/// Returns the number of the first match: one more than the highest number of a record in the
/// folder.
fn first_number(folder: Option<&Path>) -> Result<u64, Error> {
    let Some(folder) = folder else { return Ok(1) };
    let failed = |error| Error::Write(folder.display().to_string(), error);
    fs::create_dir_all(folder).map_err(failed)?;
    let mut last = 0_u64;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let number = name.to_str().and_then(|name| {
            name.strip_prefix("match-")?
                .strip_suffix(".jsonl")?
                .parse()
                .ok()
        });
        last = last.max(number.unwrap_or(0));
    }
    last.checked_add(1).ok_or_else(|| {
        let text = format!(
            "the records in {} have reached the highest match number",
            folder.display()
        );
        let help = "choose another folder with --records";
        Error::input("serve::records", text, help)
    })
}

/// How many match numbers are tried for a record, in case other arenas write into the same folder.
const TRIES: u64 = 10_000;

/// Creates a record under the first free match number, starting at `from`. Existing records are
/// never overwritten.
fn new_record(folder: &Path, from: u64) -> io::Result<(u64, File)> {
    for number in from..from.saturating_add(TRIES) {
        let path = folder.join(format!("match-{number:05}.jsonl"));
        // Only the owner can read the record, because it contains the seed.
        match super::own_file().create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (number, file)),
        }
    }
    Err(io::Error::other(format!(
        "the folder already has {TRIES} records from match {from} on"
    )))
}

fn networks(specs: &[String], loopback: bool) -> Result<Networks, Error> {
    let read = |spec: &String| {
        let one = spec.parse::<IpAddr>().map(IpNet::from);
        spec.parse::<IpNet>().or(one).map_err(|_| {
            Error::input(
                "serve::network",
                format!("invalid network `{spec}`"),
                "write a network or an address, for example 192.168.1.0/24 or 10.0.0.7",
            )
        })
    };
    let others: Vec<IpNet> = specs.iter().map(read).collect::<Result<_, _>>()?;
    match others
        .iter()
        .find(|net| !loopback && net.addr().is_loopback())
    {
        None => Ok(Networks { loopback, others }),
        Some(net) => {
            let text = format!(
                "--forbid-loopback rejects bots in {net}, but --allow-callback accepts them"
            );
            Error::refuse("serve::network", text, "remove one of the two options")
        }
    }
}

impl ServeArgs {
    fn server(&self, secret: Option<Secret>, at_once: u16) -> ServerConfig {
        ServerConfig {
            secret,
            at_once: usize::from(self.matches.unwrap_or(at_once)),
            match_time: Duration::from_secs(self.match_time.expect(DEFAULT)),
            grace: Duration::from_secs(self.grace.expect(DEFAULT)),
            rate: self.rate.expect(DEFAULT),
            local_only: self.listen().is_loopback(),
            hosts: self.host.clone(),
        }
    }

    fn listen(&self) -> IpAddr {
        self.listen.expect(DEFAULT)
    }

    /// Opens the port, and returns it with its address.
    fn open(&self, usual: u16, what: &str) -> Result<(TcpListener, SocketAddr), Error> {
        let listen = ListenArgs {
            port: self.port,
            listen: self.listen(),
        };
        listen.open(usual, what)
    }

    /// Reports whether this option of the ruleset is set.
    fn sets(&self, option: &str) -> bool {
        let mut options = self.option.iter();
        options.any(|said| said.split('=').next() == Some(option))
    }

    /// Returns the protocol. The parser ensures that an arena has one.
    fn protocol(&self) -> &'static ArenaProtocol {
        // A ladder plays every ruleset, as line-JSON does.
        let usual = self
            .ladder
            .as_ref()
            .and_then(|_| risk_arena::arena_named("json"));
        self.protocol.or(usual).unwrap_or(ARENAS[0])
    }

    /// Returns the secret, which is required if matches don't start by themselves.
    fn secret(&self) -> Result<Option<Secret>, Error> {
        let secret = secret(self.secret_file.as_deref())?;
        if !self.protocol().starts_when_full && secret.is_none() {
            let text = format!(
                "missing secret: {} needs one to start matches",
                self.protocol().protocol.name
            );
            let help = format!("name its file with --secret-file, or set {SECRET}");
            return Error::refuse("serve::no-secret", text, help);
        }
        Ok(secret)
    }

    /// Refuses `--errors` with a protocol that has no such setting.
    fn check_errors(&self) -> Result<(), Error> {
        if self.errors && self.protocol().protocol.name != "codelab" {
            let text = format!(
                "--errors requires --protocol codelab, found {}",
                self.protocol().protocol.name
            );
            return Error::refuse("serve::errors", text, "remove --errors");
        }
        Ok(())
    }

    /// Returns the note about practice for the line that describes the game.
    fn for_practice(&self) -> &'static str {
        if self.practice { ", for practice" } else { "" }
    }

    /// Refuses a chosen seed outside practice: strangers must not be able to guess the dice.
    fn check_seed(&self) -> Result<(), Error> {
        if self.seed.is_none() || self.practice {
            return Ok(());
        }
        let text = "--seed requires --practice: anyone who guesses the seed knows all dice";
        let help = "remove --seed to use a random seed, or add --practice";
        Error::refuse("serve::seed", text, help)
    }

    fn setup(&self) -> Result<Setup, Error> {
        self.setup_with(self.seed.clone(), ClockArg::default())
    }

    fn setup_with(&self, seed: Option<Seed>, clock: ClockArg) -> Result<Setup, Error> {
        let players = PlayersArgs {
            bots: self.bot.clone(),
            players: None,
            seed: SeedArg { seed },
            seats: self.seats,
            on_fault: self.on_fault.clone(),
            strikes: self.strikes,
            isolate: false,
            budget: BudgetArg::default(),
            clock,
        };
        let protocol = self.protocol().protocol;
        let rules = RulesArgs {
            usual: protocol.options.to_vec(),
            ruleset: self
                .ruleset
                .clone()
                .unwrap_or_else(|| protocol.ruleset.to_owned()),
            map: self.map.clone(),
            options: self.option.clone(),
        };
        let mut setup = players.setup(&rules, &LevelArg::default())?;
        if self.seats.is_none() {
            setup.seats = self.protocol().defaults.seats;
        }
        // Seats without a house bot are left to the players who join.
        setup.bots.truncate(self.bot.len());
        Ok(setup)
    }

    /// Returns the number of players at a full table, and the minimum number to start a match.
    fn seats(&self, setup: &Setup) -> Result<(usize, usize), Error> {
        let (least, most) = setup.rules.players()?;
        let usual = usize::from(self.protocol().defaults.table).clamp(least, most);
        let seats = self.players.map_or(usual, usize::from);
        if seats < least || seats > most || seats <= self.bot.len() {
            let ruleset = &setup.rules.ruleset_spec;
            let (text, help) = if (least..=most).contains(&seats) {
                let house = counted(self.bot.len(), "house bot");
                (
                    format!("a table of {seats} players with {house} has no free seat"),
                    "increase --players, or remove a --bot",
                )
            } else {
                (
                    format!("{ruleset} needs {least} to {most} players, found {seats}"),
                    "set --players accordingly",
                )
            };
            return Error::refuse("serve::players", text, help);
        }
        Ok((seats, least))
    }

    /// Finds errors in the rules and the house bots before the first match.
    fn try_table(&self, setup: &Setup, seats: usize) -> Result<(), Error> {
        let mut trial = setup.clone();
        let fill = (trial.bots.len()..seats).map(|_| BotSpec::parse(library(), "random"));
        trial.bots.extend(fill.collect::<Result<Vec<_>, _>>()?);
        check_rules(self.protocol().protocol, Worker::new(&trial)?.decl())
    }
}

/// Refuses house programs that can't be isolated, because they play with strangers' bots.
fn check_walls(setup: &Setup) -> Result<(), Error> {
    let program = |spec: &&BotSpec| {
        let at = spec.source.factory::<Endpoint>();
        at.is_some_and(Endpoint::lacks_sandbox)
    };
    let Some(spec) = setup.bots.iter().find(program) else {
        return Ok(());
    };
    let text = format!("can't isolate the program {} on this system", spec.name);
    let help = "use Linux 6.12 or later, or add sandbox=open to the bot to run it with limits only";
    Error::refuse("serve::walls", text, help)
}

/// Writes the records of matches into a folder, if one is given, and prints what happens.
fn hooks(records: Option<PathBuf>) -> ArenaHooks {
    ArenaHooks {
        record: Box::new(move |number| {
            let Some(folder) = &records else {
                return Ok((number, None));
            };
            let (number, file) = new_record(folder, number)?;
            Ok((number, Some(Box::new(file) as Box<dyn Write + Send>)))
        }),
        tell: Arc::new(|text| drop(say(&escape_control(text)))),
    }
}

pub(super) fn run(said: &ServeWords) -> CommandResult {
    let args = &said.args;
    if args.config_schema {
        say_json(&schema())?;
        return Ok(Exit::Fine);
    }
    match &args.config {
        Some(path) => {
            let with_file = config::with_file(path, said)?;
            let of_file = with_file.bot.iter().filter(|bot| !args.bot.contains(bot));
            let of_file = of_file.map(|bot| BotSpec::parse(library(), bot));
            let of_file: Vec<BotSpec> = of_file.collect::<Result<_, _>>()?;
            args.programs.check(&of_file)?;
            serve(&with_file)
        }
        None => serve(args),
    }
}

fn serve(args: &ServeArgs) -> CommandResult {
    if let Some(folder) = &args.ladder {
        return ladder::run(args, folder);
    }
    args.check_no_ladder()?;
    args.check_errors()?;
    args.check_seed()?;
    let arena = args.protocol();
    let secret = args.secret()?;
    let mut setup = args.setup()?;
    check_walls(&setup)?;
    let (table, least) = args.seats(&setup)?;
    args.try_table(&setup, table)?;
    // The trial table has already connected to the house bots. A bot that disappears later loses
    // its turns, and the others continue the match.
    for spec in &mut setup.bots {
        if let Some(at) = spec.source.factory::<Endpoint>() {
            let unprobed = Endpoint {
                probed: false,
                ..at.clone()
            };
            spec.source = unprobed.into_source();
        }
    }
    let within = networks(&args.allow_callback, !args.forbid_loopback)?;
    let first = first_number(args.records.as_deref())?;
    let (listener, place) = args.open(8080, "join")?;
    say(&format!(
        "{} at http://{place}{}; Ctrl-C ends",
        setup.rules.title(),
        args.for_practice(),
    ))?;
    let config = ArenaConfig {
        setup,
        table,
        least,
        arena,
        timeout: Duration::from_secs(args.timeout.unwrap_or(arena.defaults.timeout)),
        within: Arc::new(within),
        server: args.server(secret, arena.defaults.at_once),
        first,
        tells_errors: args.errors,
        practice: args.practice,
    };
    risk_arena::arena(config, hooks(args.records.clone()), listener)
        .map_err(|error| Error::Write(place.to_string(), error))?;
    Ok(Exit::Fine)
}
