//! `risk-cli serve`: an arena over HTTP.

mod config;
mod ladder;

use crate::cli::library;
use risk_engine::Seed;
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ipnet::IpNet;

use super::match_args::{ClockArg, PlayersArgs, RulesArgs, SeatsArg};
use super::named_programs::ProgramsArg;
use super::seed_arg::SeedArg;
use super::served::{ListenArgs, ServedRulesArgs, arena_parser, check_rules};
use super::{Done, Error, Exit, say, say_json};
use risk_arena::arena_file;
use risk_arena::secret::Secret;
use risk_arena::{self, ARENAS, ArenaConfig, ArenaHooks, ArenaProtocol};
use risk_engine::load;
use risk_engine::load::bot_spec::BotSpec;
use risk_engine::load::diag::LoadError;
use risk_engine::matches::{Setup, Worker};
use risk_text::escape_control;
use risk_wire::Endpoint;
use risk_wire::transport::Networks;

/// Where a secret may be that no file holds.
const SECRET: &str = "RISK_CLI_SECRET";
/// The largest file that a secret is read from, in bytes.
const LONGEST_SECRET: u64 = 8_192;

#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// The protocol of the arena
    #[arg(long, value_parser = arena_parser(), required_unless_present_any = ["config", "config_schema", "ladder"])]
    protocol: Option<&'static ArenaProtocol>,
    /// Run a ladder instead, in this folder: people hand in scripts, and matches are played all the
    /// time
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["protocol", "records", "timeout", "seats", "allow_callback", "forbid_loopback", "errors"])]
    ladder: Option<PathBuf>,
    #[command(flatten)]
    of_ladder: ladder::OfLadder,
    /// A YAML file with these options, their names as keys (`bot`, `match_time`). Options on the
    /// command line override the file; those that may be given several times are added
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    programs: ProgramsArg,
    /// Print the JSON Schema of such files, and do nothing else
    #[arg(long)]
    config_schema: bool,
    #[command(flatten)]
    listen: ListenArgs,
    #[command(flatten)]
    rules: ServedRulesArgs,
    /// How many players fill a table; by default 4, for callback 8 and for codelab 6, or the
    /// nearest number that the ruleset allows
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=32))]
    players: Option<u16>,
    /// A house bot, which sits at every table, and plays along on a ladder; may be given several
    /// times
    #[arg(long = "bot", short, value_name = "B")]
    bots: Vec<String>,
    /// The seed of everything random, for practice; without it nobody can guess the dice
    #[arg(long, short, value_name = "S")]
    seed: Option<Seed>,
    /// Play for practice: a seed may be given, and who guesses it knows all dice. The pages say so
    #[arg(long)]
    practice: bool,
    /// Who sits where: in the order of joining, one seat further in each match, or drawn for each
    /// match; by default shuffle, for callback fixed
    #[arg(long, value_enum)]
    seats: Option<SeatsArg>,
    /// What happens to a player whose strikes are used up, instead of the ruleset's policy
    #[arg(long, value_name = "POLICY")]
    on_fault: Option<String>,
    /// How many faults use up a player's strikes, instead of the ruleset's number; 0: ask again
    /// without end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    strikes: Option<u32>,
    /// Seconds for each answer; by default 30 for hacker-risk, 10 for callback and json, and 300
    /// for codelab
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: Option<u64>,
    /// Matches at once; by default 16, for callback and a ladder 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=500))]
    matches: Option<u16>,
    /// Seconds for a whole match; then it stops without a result
    #[arg(long, value_name = "SECONDS", default_value_t = 3_600, value_parser = clap::value_parser!(u64).range(1..=864_000))]
    match_time: u64,
    /// Seconds for the matches under way when the program is told to stop
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(0..=3_600))]
    grace: u64,
    /// A folder for the records of all matches
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// A file with the secret for starting matches, or for letting people into a ladder; or put it
    /// into RISK_CLI_SECRET
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    /// A network that bots may be in besides this machine, for example 192.168.1.0/24; may be given
    /// several times
    #[arg(long, value_name = "CIDR")]
    allow_callback: Vec<String>,
    /// Refuse bots at loopback addresses, so that the arena can't be made to ask other servers on
    /// this machine
    #[arg(long)]
    forbid_loopback: bool,
    /// A name by which a reverse proxy reaches the arena, besides localhost; may be given several
    /// times
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// For codelab: send players an `Error` event for impossible requests
    #[arg(long)]
    errors: bool,
    /// Requests a second from one address
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rate: u32,
}

/// The secret that starts matches, if there is one.
fn secret(file: Option<&Path>) -> Result<Option<Secret>, Error> {
    let (text, place) = match file {
        Some(path) => {
            let place = path.display().to_string();
            (load::file(path, LONGEST_SECRET)?.text.to_string(), place)
        }
        None => match std::env::var(SECRET) {
            Ok(text) => (text, SECRET.to_owned()),
            Err(std::env::VarError::NotPresent) => return Ok(None),
            Err(error) => {
                return Err(Error::input(
                    "serve::secret",
                    format!("{SECRET}: {error}"),
                    "use plain text",
                ));
            }
        },
    };
    let help = "choose a secret that is hard to guess";
    Secret::new(&text)
        .map(Some)
        .map_err(|wrong| Error::input("serve::secret", format!("{place}: {wrong}"), help))
}

/// The number of the first match: behind those whose records are in the folder.
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
            "{} has a record with the last number that there is",
            folder.display()
        );
        Error::input("serve::records", text, "choose another folder")
    })
}

/// How many numbers are tried for a record, when other arenas write into the same folder.
const TRIES: u64 = 10_000;

/// The record of the first match from this number on that has none yet. None is ever written over.
fn new_record(folder: &Path, from: u64) -> io::Result<(u64, File)> {
    for number in from..from.saturating_add(TRIES) {
        let path = folder.join(format!("match-{number:05}.jsonl"));
        // The seed is in it: others can't read it.
        match super::own_file().create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (number, file)),
        }
    }
    Err(io::Error::other(format!(
        "the folder has records of the matches from {from} on already"
    )))
}

fn networks(specs: &[String], loopback: bool) -> Result<Networks, Error> {
    let read = |spec: &String| {
        let one = spec.parse::<IpAddr>().map(IpNet::from);
        spec.parse::<IpNet>().or(one).map_err(|_| {
            Error::input(
                "serve::network",
                format!("`{spec}` is not a network"),
                "write 192.168.1.0/24 or 10.0.0.7, for example",
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
                "--forbid-loopback refuses bots in {net}, and --allow-callback lets them in"
            );
            Err(Error::input(
                "serve::network",
                text,
                "leave out one of the two",
            ))
        }
    }
}

impl ServeArgs {
    /// What is spoken: the parser sees to it that it is said.
    fn protocol(&self) -> &'static ArenaProtocol {
        // A ladder plays every ruleset, as line-JSON does.
        let usual = self
            .ladder
            .as_ref()
            .and_then(|_| risk_arena::arena_named("json"));
        self.protocol.or(usual).unwrap_or(ARENAS[0])
    }

    /// The secret, which an arena can't do without where matches do not start by themselves.
    fn secret(&self) -> Result<Option<Secret>, Error> {
        let secret = secret(self.secret_file.as_deref())?;
        if !self.protocol().starts_when_full && secret.is_none() {
            let text = format!(
                "starting a match requires a secret, and there is neither a --secret-file nor \
                 {SECRET}"
            );
            let help = "write a secret into a file, and name it with --secret-file";
            return Err(Error::input("serve::secret", text, help));
        }
        Ok(secret)
    }

    /// What is said for another protocol does nothing here.
    fn check_errors(&self) -> Result<(), Error> {
        if self.errors && self.protocol().protocol.name != "codelab" {
            let text = format!(
                "--errors is not a setting of {}",
                self.protocol().protocol.name
            );
            return Err(Error::input("serve::errors", text, "leave it out"));
        }
        Ok(())
    }

    /// What is said of practice where it is said what is played.
    fn for_practice(&self) -> &'static str {
        if self.practice { ", for practice" } else { "" }
    }

    /// Strangers must not be able to guess the dice.
    fn check_seed(&self) -> Result<(), Error> {
        if self.seed.is_none() || self.practice {
            return Ok(());
        }
        let text = "whoever guesses the seed of this arena knows all its dice";
        let help = "leave out --seed, and one is drawn that nobody guesses; add --practice where \
                    the same dice are wanted again";
        Err(Error::input("serve::seed", text, help))
    }

    /// What is played, with the bots of the house.
    fn setup(&self) -> Result<Setup, Error> {
        self.setup_with(self.seed.clone(), ClockArg::default())
    }

    fn setup_with(&self, seed: Option<Seed>, clock: ClockArg) -> Result<Setup, Error> {
        let players = PlayersArgs {
            bots: self.bots.clone(),
            players: None,
            seed: SeedArg { seed },
            seats: self.seats,
            on_fault: self.on_fault.clone(),
            strikes: self.strikes,
            isolate: false,
            budget: None,
            clock,
        };
        let protocol = self.protocol().protocol;
        let rules = RulesArgs {
            usual: protocol.options.to_vec(),
            ..self.rules.rules(protocol)
        };
        let mut setup = players.setup(&rules)?;
        if self.seats.is_none() {
            setup.seats = self.protocol().defaults.seats;
        }
        // Seats that nobody was named for wait for those who join.
        setup.bots.truncate(self.bots.len());
        Ok(setup)
    }

    /// How many players make a table full, and how few can begin.
    fn seats(&self, setup: &Setup) -> Result<(usize, usize), Error> {
        let (least, most) = setup
            .ruleset
            .players(&setup.options)
            .map_err(LoadError::from)?;
        let usual = usize::from(self.protocol().defaults.table).clamp(least, most);
        let seats = self.players.map_or(usual, usize::from);
        if seats < least || seats > most || seats <= self.bots.len() {
            let text = format!(
                "a table of {seats} players with {} of the house can't be played",
                self.bots.len()
            );
            let help = format!(
                "{} is for {least} to {most} players, and at least one of them must join",
                setup.ruleset_spec
            );
            return Err(Error::input("serve::players", text, help));
        }
        Ok((seats, least))
    }

    /// What is wrong with rules and house bots shows itself now and not in the first match.
    fn try_table(&self, setup: &Setup, seats: usize) -> Result<(), Error> {
        let mut trial = setup.clone();
        let fill = (trial.bots.len()..seats).map(|_| BotSpec::parse(library(), "random"));
        trial.bots.extend(fill.collect::<Result<Vec<_>, _>>()?);
        check_rules(self.protocol().protocol, Worker::new(&trial)?.decl())
    }
}

/// Programs of the house play with strangers' bots: nothing of them runs without the walls that it
/// is to have.
fn check_walls(setup: &Setup) -> Result<(), Error> {
    let program = |spec: &&BotSpec| {
        let at = spec.source.factory::<Endpoint>();
        at.is_some_and(Endpoint::lacks_walls)
    };
    let Some(spec) = setup.bots.iter().find(program) else {
        return Ok(());
    };
    let text = format!("this system has no walls for the program {}", spec.name);
    let help =
        "Linux has them from 6.12 on; sandbox=open behind the bot starts it with limits alone";
    Err(Error::input("serve::walls", text, help))
}

/// Writes the records of matches into a folder, if there is one, and tells what happens.
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

pub(super) fn run(args: &ServeArgs) -> Done {
    if args.config_schema {
        say_json(&arena_file::schema())?;
        return Ok(Exit::Fine);
    }
    match &args.config {
        Some(path) => {
            let with_file = config::with_file(path, args)?;
            let of_file = with_file.bots.iter().filter(|bot| !args.bots.contains(bot));
            let of_file = of_file.map(|bot| BotSpec::parse(library(), bot));
            let of_file: Vec<BotSpec> = of_file.collect::<Result<_, _>>()?;
            args.programs.check(&of_file)?;
            serve(&with_file)
        }
        None => serve(args),
    }
}

fn serve(args: &ServeArgs) -> Done {
    if let Some(folder) = &args.ladder {
        return ladder::run(args, folder);
    }
    args.of_ladder.is_left_out()?;
    args.check_errors()?;
    args.check_seed()?;
    let arena = args.protocol();
    let secret = args.secret()?;
    let mut setup = args.setup()?;
    check_walls(&setup)?;
    let (table, least) = args.seats(&setup)?;
    args.try_table(&setup, table)?;
    // They were there; one that goes away later loses its turns and not the match of the others.
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
    let (listener, place) = args.listen.open(8080, "join")?;
    say(&format!(
        "{} on {} at http://{place}{}; Ctrl-C ends",
        setup.ruleset_spec,
        setup.map_spec,
        args.for_practice(),
    ))?;
    let config = ArenaConfig {
        setup,
        table,
        least,
        arena,
        timeout: Duration::from_secs(args.timeout.unwrap_or(arena.defaults.timeout)),
        within: Arc::new(within),
        secret,
        at_once: usize::from(args.matches.unwrap_or(arena.defaults.at_once)),
        match_time: Duration::from_secs(args.match_time),
        grace: Duration::from_secs(args.grace),
        first,
        rate: args.rate,
        tells_errors: args.errors,
        local_only: args.listen.listen.is_loopback(),
        hosts: args.host.clone(),
        practice: args.practice,
    };
    risk_arena::arena(config, hooks(args.records.clone()), listener)
        .map_err(|error| Error::Write(place.to_string(), error))?;
    Ok(Exit::Fine)
}
