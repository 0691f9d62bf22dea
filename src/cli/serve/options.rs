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
use risk_engine::bot_spec::BotInYaml;
use risk_maps::typed_yaml::{self, Scalar, YamlString};
use risk_text::diag::{Finding, TextFile};

// Ranges appear twice, because clap's ranges can't be read from code. A test compares them.
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(
    title = "An arena of risk-cli",
    description = "An arena of risk-cli. Each key is an option of `risk-cli serve` and has the same meaning."
)]
pub(in crate::cli) struct ServeArgs {
    /// Protocol of the arena
    #[arg(long, value_parser = arena_parser(), required_unless_present_any = ["config", "config_schema", "ladder"])]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) protocol: Option<&'static ArenaProtocol>,
    /// Run a ladder in FOLDER instead of an arena: people submit scripts, which play continuously
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["protocol", "records", "timeout", "seats", "allow_callback", "forbid_loopback", "errors"])]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) ladder: Option<PathBuf>,
    /// Let anyone who can reach the ladder register without the secret
    #[arg(long)]
    #[serde(default)]
    pub(super) open: bool,
    /// Maximum number of people who may register from one address in 24 hours, with --open
    /// (default: 5)
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000))]
    #[schemars(range(min = 1, max = 1_000))]
    pub(super) registrations: Option<u32>,
    /// Number of blocks that every bot plays before the ladder pauses (default: 500)
    #[arg(long, value_name = "BLOCKS", value_parser = value_parser!(u32).range(1..=100_000))]
    #[schemars(range(min = 1, max = 100_000))]
    pub(super) enough: Option<u32>,
    /// Maximum disk space of a ladder, in MiB: half for the log, a quarter for records, and a
    /// quarter for scripts (default: 1024)
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1_048_576))]
    #[schemars(range(min = 1, max = 1_048_576))]
    pub(super) disk: Option<u64>,
    /// Clock for each bot on a ladder, for example move=10ms,bank=20s (default: bank=20s)
    #[arg(long, value_name = "TIME")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) clock: Option<String>,
    /// YAML file with these options; the keys are their names (`bot`, `match_time`). Options on the
    /// command line override the file, except that repeatable options are added to the file's
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub(super) config: Option<PathBuf>,
    #[command(flatten)]
    #[serde(skip)]
    pub(super) programs: ProgramsArg,
    /// Print the JSON Schema of the files for --config
    #[arg(long)]
    #[serde(skip)]
    pub(super) config_schema: bool,
    /// Port to listen on, or 0 for any free port (default: 8080 for an arena, 4444 for a bot)
    #[arg(long, value_name = "PORT")]
    pub(super) port: Option<u16>,
    /// Address to listen on; an address other than 127.0.0.1 opens the server to the network
    #[arg(long, value_name = "ADDRESS", default_value = LOCAL)]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) listen: Option<IpAddr>,
    /// Ruleset: a name (see `ruleset list`) or the path to a .rhai file (default: simplified for
    /// callback, codelab for codelab, and hasbro otherwise)
    #[arg(long, short, value_name = "R")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) ruleset: Option<String>,
    /// Map: a name (see `map list`) or a path (default: the ruleset's own)
    #[arg(long, short, value_name = "M")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) map: Option<String>,
    /// Ruleset option as name=value (see `ruleset show`); may be given several times
    #[arg(long, short = 'o', value_name = "K=V")]
    #[serde(
        default,
        deserialize_with = "options",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schemars(with = "Option<BTreeMap<String, Scalar>>")]
    pub(super) option: Vec<String>,
    /// Number of players at a full table (default: 4; 8 for callback; 6 for codelab; or the nearest
    /// number that the ruleset allows)
    #[arg(long, short, value_name = "N", value_parser = value_parser!(u16).range(1..=32))]
    #[schemars(range(min = 1, max = 32))]
    pub(super) players: Option<u16>,
    /// House bot that plays at every table of an arena, or on the ladder; may be given several
    /// times
    #[arg(long, short, value_name = "B")]
    #[serde(default, deserialize_with = "bots")]
    #[schemars(with = "Option<Vec<BotInYaml>>")]
    pub(super) bot: Vec<String>,
    /// Seed for all random numbers, with --practice (default: a random seed)
    #[arg(long, short, value_name = "S")]
    pub(super) seed: Option<Seed>,
    /// Allow --seed, although anyone who guesses the seed knows all dice. The pages warn players of
    /// this
    #[arg(long)]
    #[serde(default)]
    pub(super) practice: bool,
    /// Seating of the players: in the order of joining, rotated from match to match, or shuffled
    /// for each match (default: shuffle; fixed for callback)
    #[arg(long, value_enum)]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) seats: Option<SeatsArg>,
    /// Policy for a player with no strikes left (default: the ruleset's policy)
    #[arg(long, value_name = "POLICY")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) on_fault: Option<String>,
    /// Number of faults that use up a player's strikes, or 0 for no limit (default: the ruleset's
    /// number)
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=1000))]
    #[schemars(range(min = 0, max = 1_000))]
    pub(super) strikes: Option<u32>,
    /// Time limit for each answer, in seconds (default: 30 for hacker-risk; 10 for callback and
    /// json; 300 for codelab)
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u64).range(1..=600))]
    #[schemars(range(min = 1, max = 600))]
    pub(super) timeout: Option<u64>,
    /// Maximum number of concurrent matches (default: 16; 1 for callback and ladders)
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=500))]
    #[schemars(range(min = 1, max = 500))]
    pub(super) matches: Option<u16>,
    /// Time limit for a match, in seconds; a match that exceeds it stops without a result
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = value_parser!(u64).range(1..=864_000))]
    #[schemars(range(min = 1, max = 864_000))]
    pub(super) match_time: Option<u64>,
    /// Time for running matches to finish when the program stops, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = value_parser!(u64).range(0..=3_600))]
    #[schemars(range(min = 0, max = 3_600))]
    pub(super) grace: Option<u64>,
    /// Folder for the records of all matches
    #[arg(long, value_name = "FOLDER")]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) records: Option<PathBuf>,
    /// File with the secret for starting matches, or for registering people on a ladder (default:
    /// the secret in the environment variable RISK_CLI_SECRET)
    #[arg(long, value_name = "FILE")]
    #[serde(default, deserialize_with = "text")]
    #[schemars(with = "Option<YamlString>")]
    pub(super) secret_file: Option<PathBuf>,
    /// Network in which bots may run, in addition to this machine, for example 192.168.1.0/24; may
    /// be given several times
    #[arg(long, value_name = "CIDR")]
    #[serde(default)]
    #[schemars(with = "Option<Vec<YamlString>>")]
    pub(super) allow_callback: Vec<String>,
    /// Reject bots at loopback addresses, so that the arena can't send requests to other servers on
    /// this machine
    #[arg(long)]
    #[serde(default)]
    pub(super) forbid_loopback: bool,
    /// Host name under which a reverse proxy reaches the arena, in addition to localhost; may be
    /// given several times
    #[arg(long, value_name = "NAME")]
    #[serde(default)]
    #[schemars(with = "Option<Vec<YamlString>>")]
    pub(super) host: Vec<String>,
    /// Send players an `Error` event for impossible requests; requires codelab
    #[arg(long)]
    #[serde(default)]
    pub(super) errors: bool,
    /// Maximum number of requests per second from one address
    #[arg(long, value_name = "N", default_value = "50", value_parser = value_parser!(u32).range(1..=100_000))]
    #[schemars(range(min = 1, max = 100_000))]
    pub(super) rate: Option<u32>,
}

/// Accepts any text without parsing it, because the command-line parser checks all values of a
/// file.
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
pub(super) fn read(file: &TextFile) -> Result<BTreeMap<String, Value>, Finding> {
    let typed: ServeArgs = typed_yaml::read(file, "an arena", "serve::syntax")?;
    let mut keys: BTreeMap<String, Value> = typed_yaml::read(file, "an arena", "serve::syntax")?;
    if let Some(bots) = keys.get_mut("bot") {
        *bots = typed.bot.into();
    }
    Ok(keys)
}
