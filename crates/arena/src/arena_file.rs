//! Files of arenas as a type, which holds them to their keys: `serve --config` reads the values as
//! it reads its command line.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use risk_engine::Seed;
use risk_engine::load::bot_spec::BotInYaml;
use risk_engine::load::diag::{Finding, TextFile};
use risk_engine::load::typed_yaml::{self, Scalar, Word};

/// An arena of risk-cli. Every key is an option of `risk-cli serve`, and means the same.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "An arena of risk-cli")]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "it holds files to its schema; their values are read from their words"
)]
struct ArenaFile {
    /// What is spoken with the bots: json, hacker-risk, callback or codelab; left out for a ladder.
    #[schemars(with = "Option<Word>")]
    protocol: Option<String>,
    /// The folder of a ladder.
    #[schemars(with = "Option<Word>")]
    ladder: Option<String>,
    /// May everybody register who reaches the ladder?
    #[serde(default)]
    open: bool,
    /// People who may register at an open ladder from one address in 24 hours.
    #[schemars(range(min = 1, max = 1_000))]
    registrations: Option<u32>,
    /// Blocks of games that are enough for each bot of a ladder.
    #[schemars(range(min = 1, max = 100_000))]
    enough: Option<u32>,
    /// MiB that a ladder may take of the disk.
    #[schemars(range(min = 1, max = 1_048_576))]
    disk: Option<u64>,
    /// The clock of each bot on a ladder, as move=10ms,bank=20s.
    #[schemars(with = "Option<Word>")]
    clock: Option<String>,
    /// The ruleset: a name, or the path of a .rhai file.
    #[schemars(with = "Option<Word>")]
    ruleset: Option<String>,
    /// The map: a name, a path, or words such as grid:5x5.
    #[schemars(with = "Option<Word>")]
    map: Option<String>,
    /// Options of the ruleset, name: value.
    #[serde(default)]
    #[schemars(with = "Option<BTreeMap<String, Scalar>>")]
    option: BTreeMap<String, Scalar>,
    /// How many players make a table full.
    #[schemars(range(min = 1, max = 32))]
    players: Option<u16>,
    /// Bots of the house, who sit at every table.
    #[serde(default)]
    #[schemars(with = "Option<Vec<BotInYaml>>")]
    bot: Vec<BotInYaml>,
    /// The seed of everything random, where it is for practice.
    seed: Option<Seed>,
    /// A seed may be given, and who guesses it knows all dice.
    #[serde(default)]
    practice: bool,
    /// Who sits where: rotate, fixed or shuffle.
    #[schemars(with = "Option<Word>")]
    seats: Option<String>,
    /// What happens to a player whose strikes are used up.
    #[schemars(with = "Option<Word>")]
    on_fault: Option<String>,
    /// How many faults use up a player's strikes.
    #[schemars(range(min = 0, max = 1_000))]
    strikes: Option<u32>,
    /// Seconds for each answer.
    #[schemars(range(min = 1, max = 600))]
    timeout: Option<u64>,
    /// Matches at once.
    #[schemars(range(min = 1, max = 500))]
    matches: Option<u16>,
    /// Seconds for a whole match.
    #[schemars(range(min = 1, max = 864_000))]
    match_time: Option<u64>,
    /// Seconds for the matches under way once the program is told to end.
    #[schemars(range(min = 0, max = 3_600))]
    grace: Option<u64>,
    /// A folder for the records of all matches.
    #[schemars(with = "Option<Word>")]
    records: Option<String>,
    /// A file with the secret that lets somebody start a match.
    #[schemars(with = "Option<Word>")]
    secret_file: Option<String>,
    /// Networks that bots may be in, besides this machine.
    #[serde(default)]
    #[schemars(with = "Option<Vec<Word>>")]
    allow_callback: Vec<String>,
    /// Are bots at loopback addresses of this machine refused?
    #[serde(default)]
    forbid_loopback: bool,
    /// Names by which a reverse proxy reaches the arena.
    #[serde(default)]
    #[schemars(with = "Option<Vec<Word>>")]
    host: Vec<String>,
    /// Requests a second from one address.
    #[schemars(range(min = 1, max = 100_000))]
    rate: Option<u32>,
    /// Are players of the protocol codelab told what of theirs could not be done?
    #[serde(default)]
    errors: bool,
    /// The port to listen on.
    port: Option<u16>,
    /// The address to listen on.
    #[schemars(with = "Option<Word>")]
    listen: Option<String>,
}

/// The JSON Schema of such files.
#[must_use]
pub fn schema() -> Value {
    typed_yaml::schema::<ArenaFile>()
}

/// Reads a file: its keys with their values.
///
/// # Errors
/// What is wrong with the file, with its place.
pub fn read(file: &TextFile) -> Result<BTreeMap<String, Value>, Finding> {
    let typed: ArenaFile = typed_yaml::read(file, "an arena", "serve::syntax")?;
    let mut keys: BTreeMap<String, Value> = typed_yaml::read(file, "an arena", "serve::syntax")?;
    if let Some(bots) = keys.get_mut("bot") {
        *bots = typed.bot.iter().map(BotInYaml::words).collect();
    }
    Ok(keys)
}
