//! The options of `serve`, defined once for the command line, for YAML files and for their JSON
//! Schema: a field is an option, and its name is the key in the file.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, value_parser};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::super::match_args::SeatsArg;
use super::super::named_programs::ProgramsArg;
use super::super::served::{LOCAL, arena_parser};
use risk_arena::ArenaProtocol;
use risk_engine::Seed;
use risk_engine::load::bot_spec::BotInYaml;
use risk_engine::load::diag::{Finding, TextFile};
use risk_engine::load::typed_yaml::{self, Scalar, Word};

// Ranges appear twice, because clap's can't be read. A test compares the two.
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(
    title = "An arena of risk-cli",
    description = "An arena of risk-cli. Every key is an option of `risk-cli serve`, and means the same."
)]
pub(in crate::cli) struct ServeArgs {
    /// The protocol of the arena
    #[arg(long, value_parser = arena_parser(), required_unless_present_any = ["config", "config_schema", "ladder"])]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<Word>")]
    pub(super) protocol: Option<&'static ArenaProtocol>,
    /// Run a ladder instead, in this folder: people hand in scripts, and matches are played all the
    /// time
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["protocol", "records", "timeout", "seats", "allow_callback", "forbid_loopback", "errors"])]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<Word>")]
    pub(super) ladder: Option<PathBuf>,
    /// Let anyone who reaches the ladder register; otherwise registering requires the secret
    #[arg(long)]
    #[serde(default)]
    pub(super) open: bool,
    /// With --open: new people in 24 hours from one address; by default 5
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000))]
    #[schemars(range(min = 1, max = 1_000))]
    pub(super) registrations: Option<u32>,
    /// Blocks that every bot of a ladder plays before it pauses; by default 500
    #[arg(long, value_name = "BLOCKS", value_parser = value_parser!(u32).range(1..=100_000))]
    #[schemars(range(min = 1, max = 100_000))]
    pub(super) enough: Option<u32>,
    /// Disk space that a ladder may use, in MiB: half of it for the log, a quarter for records, a
    /// quarter for scripts; by default 1024
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1_048_576))]
    #[schemars(range(min = 1, max = 1_048_576))]
    pub(super) disk: Option<u64>,
    /// The clock of each bot on a ladder, as move=10ms,bank=20s; by default a bank of 20 seconds
    /// for a game
    #[arg(long, value_name = "TIME")]
    #[schemars(with = "Option<Word>")]
    pub(super) clock: Option<String>,
    /// A YAML file with these options, their names as keys (`bot`, `match_time`). Options on the
    /// command line override the file; those that may be given several times are added
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub(super) config: Option<PathBuf>,
    #[command(flatten)]
    #[serde(skip)]
    pub(super) programs: ProgramsArg,
    /// Print the JSON Schema of such files, and do nothing else
    #[arg(long)]
    #[serde(skip)]
    pub(super) config_schema: bool,
    /// The port to listen on, 0 for any free one; by default 8080 for an arena and 4444 for a bot
    #[arg(long, value_name = "PORT")]
    pub(super) port: Option<u16>,
    /// The address to listen on; any other than 127.0.0.1 opens the server to the network
    #[arg(long, value_name = "ADDRESS", default_value = LOCAL)]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<Word>")]
    pub(super) listen: Option<IpAddr>,
    /// The ruleset: a name (see `ruleset list`) or the path of a .rhai file; by default simplified
    /// for callback, codelab for codelab, and hasbro otherwise
    #[arg(long, short, value_name = "R")]
    #[schemars(with = "Option<Word>")]
    pub(super) ruleset: Option<String>,
    /// The map: a name (see `map list`) or a path; by default the ruleset's own
    #[arg(long, short, value_name = "M")]
    #[schemars(with = "Option<Word>")]
    pub(super) map: Option<String>,
    /// An option of the ruleset, name=value (see `ruleset show`); may be given several times
    #[arg(long, short = 'o', value_name = "K=V")]
    #[serde(
        default,
        deserialize_with = "options",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schemars(with = "Option<BTreeMap<String, Scalar>>")]
    pub(super) option: Vec<String>,
    /// How many players fill a table; by default 4, for callback 8 and for codelab 6, or the
    /// nearest number that the ruleset allows
    #[arg(long, short, value_name = "N", value_parser = value_parser!(u16).range(1..=32))]
    #[schemars(range(min = 1, max = 32))]
    pub(super) players: Option<u16>,
    /// A house bot, which sits at every table, and plays along on a ladder; may be given several
    /// times
    #[arg(long, short, value_name = "B")]
    #[serde(default, deserialize_with = "bots")]
    #[schemars(with = "Option<Vec<BotInYaml>>")]
    pub(super) bot: Vec<String>,
    /// The seed of everything random, for practice; without it nobody can guess the dice
    #[arg(long, short, value_name = "S")]
    pub(super) seed: Option<Seed>,
    /// Play for practice: a seed may be given, and who guesses it knows all dice. The pages say so
    #[arg(long)]
    #[serde(default)]
    pub(super) practice: bool,
    /// Who sits where: in the order of joining, one seat further in each match, or drawn for each
    /// match; by default shuffle, for callback fixed
    #[arg(long, value_enum)]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<Word>")]
    pub(super) seats: Option<SeatsArg>,
    /// What happens to a player whose strikes are used up, instead of the ruleset's policy
    #[arg(long, value_name = "POLICY")]
    #[schemars(with = "Option<Word>")]
    pub(super) on_fault: Option<String>,
    /// How many faults use up a player's strikes, instead of the ruleset's number; 0: ask again
    /// without end
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=1000))]
    #[schemars(range(min = 0, max = 1_000))]
    pub(super) strikes: Option<u32>,
    /// Seconds for each answer; by default 30 for hacker-risk, 10 for callback and json, and 300
    /// for codelab
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u64).range(1..=600))]
    #[schemars(range(min = 1, max = 600))]
    pub(super) timeout: Option<u64>,
    /// Matches at once; by default 16, for callback and a ladder 1
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=500))]
    #[schemars(range(min = 1, max = 500))]
    pub(super) matches: Option<u16>,
    /// Seconds for a whole match; then it stops without a result
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = value_parser!(u64).range(1..=864_000))]
    #[schemars(range(min = 1, max = 864_000))]
    pub(super) match_time: Option<u64>,
    /// Seconds that running matches get when the program stops
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = value_parser!(u64).range(0..=3_600))]
    #[schemars(range(min = 0, max = 3_600))]
    pub(super) grace: Option<u64>,
    /// A folder for the records of all matches
    #[arg(long, value_name = "FOLDER")]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<Word>")]
    pub(super) records: Option<PathBuf>,
    /// A file with the secret for starting matches, or for letting people into a ladder; or put it
    /// into RISK_CLI_SECRET
    #[arg(long, value_name = "FILE")]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<Word>")]
    pub(super) secret_file: Option<PathBuf>,
    /// A network that bots may be in besides this machine, for example 192.168.1.0/24; may be given
    /// several times
    #[arg(long, value_name = "CIDR")]
    #[serde(default)]
    #[schemars(with = "Option<Vec<Word>>")]
    pub(super) allow_callback: Vec<String>,
    /// Refuse bots at loopback addresses, so that the arena can't be made to ask other servers on
    /// this machine
    #[arg(long)]
    #[serde(default)]
    pub(super) forbid_loopback: bool,
    /// A name by which a reverse proxy reaches the arena, besides localhost; may be given several
    /// times
    #[arg(long, value_name = "NAME")]
    #[serde(default)]
    #[schemars(with = "Option<Vec<Word>>")]
    pub(super) host: Vec<String>,
    /// For codelab: send players an `Error` event for impossible requests
    #[arg(long)]
    #[serde(default)]
    pub(super) errors: bool,
    /// Requests a second from one address
    #[arg(long, value_name = "N", default_value = "50", value_parser = value_parser!(u32).range(1..=100_000))]
    #[schemars(range(min = 1, max = 100_000))]
    pub(super) rate: Option<u32>,
}

/// Accepts any text without parsing it: the parser of the command line checks all values of a file.
fn text<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::<String>::deserialize(deserializer).map(|_| None)
}

fn options<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let options = BTreeMap::<String, Scalar>::deserialize(deserializer)?;
    let pair = |(name, value)| format!("{name}={value}");
    Ok(options.into_iter().map(pair).collect())
}

fn bots<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let bots = Vec::<BotInYaml>::deserialize(deserializer)?;
    Ok(bots.iter().map(BotInYaml::words).collect())
}

pub(in crate::cli) fn schema() -> Value {
    typed_yaml::schema::<ServeArgs>()
}

/// Reads a file into its keys and values.
///
/// # Errors
/// Returns a finding with its place if the form of the file is wrong.
pub(super) fn read(file: &TextFile) -> Result<BTreeMap<String, Value>, Finding> {
    let typed: ServeArgs = typed_yaml::read(file, "an arena", "serve::syntax")?;
    let mut keys: BTreeMap<String, Value> = typed_yaml::read(file, "an arena", "serve::syntax")?;
    if let Some(bots) = keys.get_mut("bot") {
        *bots = typed.bot.into();
    }
    Ok(keys)
}
