//! The format of `tournament.yaml`, with the ruleset, the bots, the design and the number of
//! blocks.

use risk_maps::files;
use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_yaml::Spanned;

use risk_engine::Seed;
use risk_engine::bot_spec::BotInYaml;
use risk_maps::typed_yaml::{self, Scalar};
use risk_text::diag::{Finding, LoadError, TextFile};

/// The maximum number of blocks.
pub const MOST_BLOCKS: u64 = 1_000_000;

/// A tournament of risk-cli. Bots meet at tables, and each table plays every seating.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "A tournament of risk-cli")]
#[serde(deny_unknown_fields)]
pub struct TournamentSpec {
    /// The ruleset, as a name or the path of a .rhai file.
    #[schemars(with = "String")]
    pub(super) ruleset: Spanned<String>,
    /// The map, as a name, a path, or a generated map such as grid:5x5. Default: the ruleset's map.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) map: Option<Spanned<String>>,
    /// Options of the ruleset. Other options keep their default values.
    #[serde(default)]
    #[schemars(with = "Option<BTreeMap<String, Scalar>>")]
    pub(super) options: BTreeMap<String, Scalar>,
    /// The bots. Each bot is written as in --bot, for example greedy, ./mine.rhai or
    /// name=alice,bot=greedy, or as a map with the same keys, for example { name: alice, bot:
    /// greedy }.
    #[schemars(with = "Vec<BotInYaml>", length(min = 2, max = 1000))]
    pub(super) bots: Vec<Spanned<BotInYaml>>,
    /// The number of seats at a table. Default: the number of bots, but no more than the ruleset
    /// allows.
    #[serde(default)]
    #[schemars(with = "Option<u8>", range(min = 2, max = 32))]
    pub(super) seats: Option<Spanned<usize>>,
    /// The number of blocks. A block is one table with one seed, played once in every seating.
    #[schemars(with = "u64", range(min = 1, max = 1_000_000))]
    pub(super) blocks: Spanned<u64>,
    /// The seed of the tournament, with 1 to 64 letters, digits, hyphens, underscores and full
    /// stops. Default: 0.
    #[serde(default)]
    pub(super) seed: Seed,
    /// The tables to play: all, balanced, or { gauntlet: [a bot's name] }. Default: all for up to
    /// 100 tables, or balanced for more tables.
    #[serde(default)]
    #[schemars(with = "Option<DesignSpec>")]
    pub(super) design: Option<Spanned<DesignSpec>>,
    /// The finals, in which the best bots play a second stage with another seed after all other
    /// games.
    #[serde(default)]
    #[schemars(with = "Option<FinalsSpec>")]
    pub(super) finals: Option<Spanned<FinalsSpec>>,
    /// The bot to which other bots are compared in the ratings. Default: the first bot with ten
    /// wins.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) anchor: Option<Spanned<String>>,
    /// The operation limit for each call of a script.
    #[serde(default)]
    #[schemars(with = "Option<u64>", range(min = 1_000, max = 10_000_000))]
    pub(super) budget: Option<Spanned<u64>>,
    /// The number of faults that a player may commit in a game before the policy applies. Default:
    /// the ruleset's number.
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 0, max = 1_000))]
    pub(super) strikes: Option<Spanned<u32>>,
    /// The policy for a player who has used up all strikes. Default: the ruleset's policy.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) on_fault: Option<Spanned<String>>,
    /// The clock of each bot that does not have its own clock, for example move=1s,bank=10s.
    /// Results with a clock depend on the machine and its load, and are marked as timed.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) clock: Option<Spanned<String>>,
    /// Whether each script runs in its own process.
    #[serde(default)]
    pub(super) isolate: bool,
    /// Whether the luck of each player's dice is counted. If so, the report also contains the
    /// shares with average luck.
    #[serde(default)]
    pub(super) luck: bool,
    /// Whether every game is recorded in the folder `records`.
    #[serde(default)]
    pub(super) records: bool,
}

/// The tables to play.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(
    untagged,
    expecting = "expected all, balanced, or `gauntlet` with a list of bots"
)]
pub enum DesignSpec {
    /// The name of a design.
    Named(DesignName),
    /// A gauntlet, in which some bots are at every table.
    Gauntlet(Gauntlet),
}

/// A design without settings.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DesignName {
    /// All possible tables in turn.
    All,
    /// Tables at which all pairs of bots meet about equally often.
    Balanced,
}

/// A gauntlet, in which some bots are at every table and the other bots take turns.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gauntlet {
    /// The names of the bots that are at every table.
    #[schemars(length(min = 1, max = 31))]
    pub gauntlet: Vec<String>,
}

/// Finals, in which the best bots of the first stage by share of wins meet at separate tables.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FinalsSpec {
    /// The number of bots in the finals, which is at least two and less than the number of all
    /// bots.
    #[schemars(range(min = 2, max = 999))]
    pub best: usize,
    /// The number of blocks.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub blocks: u64,
    /// The number of seats at a table. Default: as in the first stage, but no more than one for
    /// each bot.
    #[serde(default)]
    #[schemars(range(min = 2, max = 32))]
    pub seats: Option<usize>,
    /// The seed, which must differ from the first stage's seed. Default: derived from the first
    /// stage's seed.
    #[serde(default)]
    pub seed: Option<Seed>,
}

/// The maximum size of a file, in bytes.
const LARGEST: u64 = 1 << 20;

impl TournamentSpec {
    /// Reads a tournament's file.
    ///
    /// # Errors
    /// Returns an error if the file can't be read.
    pub fn file(path: &Path) -> Result<TextFile, LoadError> {
        files::file(path, LARGEST)
    }

    /// Parses a tournament's file.
    ///
    /// # Errors
    /// Returns an error if the file is not a valid tournament.
    pub fn parse(file: &TextFile) -> Result<Self, LoadError> {
        typed_yaml::read(file, "a tournament", "tournament::syntax").map_err(LoadError::one)
    }

    /// Returns the JSON Schema of tournament files.
    #[must_use]
    pub fn schema() -> serde_json::Value {
        typed_yaml::schema::<Self>()
    }
}

/// Adds the location of a value in the file to a finding.
pub(super) fn at<T>(finding: Finding, file: &TextFile, value: &Spanned<T>) -> Finding {
    let span = value.referenced.span();
    let start = span.byte_offset().map_or(0, |start| start as usize);
    let len = span.byte_len().map_or(0, |len| len as usize);
    if start + len > file.text.len() {
        return finding;
    }
    finding.at(file, start, len)
}

pub(super) fn wrong(code: &str, text: impl Into<String>, help: impl Into<String>) -> Finding {
    Finding::error(&format!("tournament::{code}"), text).help(help)
}
