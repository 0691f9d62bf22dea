//! `serve --config FILE`: the options of an arena in a file. What the command line says as well
//! holds instead; what can be given several times is added.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::{Args, FromArgMatches};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::Error;
use super::ServeArgs;
use crate::load::{self, typed_yaml};

/// The largest file, in bytes.
const LARGEST: u64 = 1 << 20;

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
    protocol: Option<String>,
    /// The folder of a ladder.
    ladder: Option<String>,
    /// May everybody register who reaches the ladder?
    #[serde(default)]
    open: bool,
    /// Blocks of games that are enough for each bot of a ladder.
    #[schemars(range(min = 1, max = 100_000))]
    enough: Option<u32>,
    /// MiB that a ladder may take of the disk.
    #[schemars(range(min = 1, max = 1_048_576))]
    disk: Option<u64>,
    /// The clock of each bot on a ladder, as move=10ms,bank=20s.
    clock: Option<String>,
    /// The ruleset: a name, or the path of a .rhai file.
    ruleset: Option<String>,
    /// The map: a name, a path, or words such as grid:5x5.
    map: Option<String>,
    /// Options of the ruleset, name: value.
    #[serde(default)]
    option: BTreeMap<String, Scalar>,
    /// How many players make a table full.
    #[schemars(range(min = 1, max = 32))]
    players: Option<u16>,
    /// Bots of the house, who sit at every table.
    #[serde(default)]
    bot: Vec<String>,
    /// The seed of everything random.
    seed: Option<u64>,
    /// Who sits where: rotate, fixed or shuffle.
    seats: Option<String>,
    /// What happens to a player whose strikes are used up.
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
    records: Option<String>,
    /// A file with the secret that lets somebody start a match.
    secret_file: Option<String>,
    /// Networks that bots may be in, besides this machine.
    #[serde(default)]
    allow_callback: Vec<String>,
    /// Are bots at loopback addresses of this machine refused?
    #[serde(default)]
    forbid_loopback: bool,
    /// Names by which a reverse proxy reaches the arena.
    #[serde(default)]
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
    listen: Option<String>,
}

/// The value of an option of the ruleset.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "as above")]
enum Scalar {
    Flag(bool),
    Number(i64),
    Word(String),
}

/// The JSON Schema of such files.
pub(super) fn schema() -> Value {
    schemars::schema_for!(ArenaFile).into()
}

/// The options of a file, with those of the command line behind them.
pub(super) fn with_file(path: &Path, said: &ServeArgs) -> Result<ServeArgs, Error> {
    let file = load::file(path, LARGEST)?;
    let read = |finding| Error::Input(load::diag::Failure::one(finding));
    let _: ArenaFile = typed_yaml::read(&file, "an arena", "serve::syntax").map_err(read)?;
    let keys: BTreeMap<String, Value> =
        typed_yaml::read(&file, "an arena", "serve::syntax").map_err(read)?;
    let mut words = vec![OsString::from("serve")];
    for (key, mut value) in keys {
        if let (true, Some(options)) = (key == "option", value.as_object_mut()) {
            options.retain(|name, _| !said.rules.says(name));
        }
        add(&mut words, &key.replace('_', "-"), value);
    }
    let own = std::env::args_os().skip_while(|word| word != "serve");
    words.extend(own.skip(1));
    let command = ServeArgs::augment_args(clap::Command::new("serve"));
    let parsed = command
        .args_override_self(true)
        .try_get_matches_from(words)
        .and_then(|matches| ServeArgs::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let text = error.to_string();
        let text = text.trim_start_matches("error: ");
        let text = text.split("\n\n").next().unwrap_or(text);
        let text = format!("{}: {text}", path.display());
        let help = "keys and values are those of `risk-cli serve --help`";
        Error::input("serve::config", text, help)
    })
}

/// A key of the file as words of a command line.
fn add(words: &mut Vec<OsString>, key: &str, value: Value) {
    let mut say = |value: String| words.push(format!("--{key}={value}").into());
    match value {
        Value::Bool(true) => words.push(format!("--{key}").into()),
        Value::Bool(false) | Value::Null => {}
        Value::Array(all) => all.into_iter().for_each(|one| say(word(one))),
        Value::Object(all) => {
            for (name, value) in all {
                say(format!("{name}={}", word(value)));
            }
        }
        one => say(word(one)),
    }
}

fn word(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
