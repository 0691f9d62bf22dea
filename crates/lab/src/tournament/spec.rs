//! `tournament.yaml`: the ruleset, the bots, the design and the number of blocks.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_yaml::Spanned;

use risk_engine::Seed;
use risk_engine::load::bot_spec::BotInYaml;
use risk_engine::load::diag::{Finding, LoadError, TextFile};
use risk_engine::load::typed_yaml::{self, Scalar};

/// The most blocks.
pub const MOST_BLOCKS: u64 = 1_000_000;

/// A tournament of risk-cli: bots meet at tables, each table in every seating.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "A tournament of risk-cli")]
#[serde(deny_unknown_fields)]
pub struct TournamentSpec {
    /// The ruleset: a name, or the path of a .rhai file.
    #[schemars(with = "String")]
    pub(super) ruleset: Spanned<String>,
    /// The map: a name, a path, or words such as grid:5x5; the ruleset's own when left out.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) map: Option<Spanned<String>>,
    /// Options of the ruleset; the others keep their defaults.
    #[serde(default)]
    #[schemars(with = "Option<BTreeMap<String, Scalar>>")]
    pub(super) options: BTreeMap<String, Scalar>,
    /// The bots, in the grammar of --bot: greedy, ./mine.rhai, name=alice,bot=greedy; or as maps of
    /// the same keys: { name: alice, bot: greedy }.
    #[schemars(with = "Vec<BotInYaml>", length(min = 2, max = 1000))]
    pub(super) bots: Vec<Spanned<BotInYaml>>,
    /// How many sit at a table; as many as there are bots when left out.
    #[serde(default)]
    #[schemars(with = "Option<u8>", range(min = 2, max = 32))]
    pub(super) seats: Option<Spanned<usize>>,
    /// How many blocks: a block is one table under one seed, once in every seating.
    #[schemars(with = "u64", range(min = 1, max = 1_000_000))]
    pub(super) blocks: Spanned<u64>,
    /// The seed of everything random: 1 to 64 letters, digits, -, _ and .; 0 when left out.
    #[serde(default)]
    pub(super) seed: Seed,
    /// Who meets whom: all, balanced, or { gauntlet: [a bot's name] }. When left out: all where
    /// there are at most 100 tables, and balanced elsewhere.
    #[serde(default)]
    #[schemars(with = "Option<DesignSpec>")]
    pub(super) design: Option<Spanned<DesignSpec>>,
    /// The best bots play on when everything else is played, in a second stage of its own seed.
    #[serde(default)]
    #[schemars(with = "Option<FinalsSpec>")]
    pub(super) finals: Option<Spanned<FinalsSpec>>,
    /// The bot that others are compared with in the model; the first one with ten wins when left
    /// out.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) anchor: Option<Spanned<String>>,
    /// Operations for each call into a script.
    #[serde(default)]
    #[schemars(with = "Option<u64>", range(min = 1_000, max = 10_000_000))]
    pub(super) budget: Option<Spanned<u64>>,
    /// How many faults use up a player's strikes in a game, instead of what the ruleset says.
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 0, max = 1_000))]
    pub(super) strikes: Option<Spanned<u32>>,
    /// What happens to a player whose strikes are used up, instead of what the ruleset says.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) on_fault: Option<Spanned<String>>,
    /// A clock for each bot that has none of its own: move=1s,bank=10s. Results are of the machines
    /// and the moment then, and are marked as timed.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) clock: Option<Spanned<String>>,
    /// Does each script run in a process of its own?
    #[serde(default)]
    pub(super) isolate: bool,
    /// Whether the luck of each player's dice is counted: shares with average luck are then shown
    /// beside the others.
    #[serde(default)]
    pub(super) luck: bool,
    /// Is every game written down in the folder records?
    #[serde(default)]
    pub(super) records: bool,
}

/// Who meets whom.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(
    untagged,
    expecting = "here must be all, balanced, or `gauntlet:` with bots"
)]
pub enum DesignSpec {
    /// The name of a design.
    Named(DesignName),
    /// Some bots sit at every table.
    Gauntlet(Gauntlet),
}

/// A design that needs no more words.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DesignName {
    /// Every table that can be made of the bots, in turn.
    All,
    /// Tables at which every two bots meet about equally often.
    Balanced,
}

/// A gauntlet: some bots at every table, and the others in turn beside them.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gauntlet {
    /// The names of the bots that sit at every table.
    #[schemars(length(min = 1, max = 31))]
    pub gauntlet: Vec<String>,
}

/// Finals: the best of the first stage, by their shares of wins, meet at tables of their own.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FinalsSpec {
    /// How many bots play on: at least two, and not all.
    #[schemars(range(min = 2, max = 999))]
    pub best: usize,
    /// How many blocks are played.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub blocks: u64,
    /// How many sit at a table; as many as before, or all that play on, when left out.
    #[serde(default)]
    #[schemars(range(min = 2, max = 32))]
    pub seats: Option<usize>,
    /// The seed, another one than before; one that follows from it when left out.
    #[serde(default)]
    pub seed: Option<Seed>,
}

/// The largest file, in bytes.
const LARGEST: u64 = 1 << 20;

impl TournamentSpec {
    /// Reads and parses a tournament's file.
    ///
    /// # Errors
    /// When it can't be read, or is no tournament.
    pub fn read(path: &Path) -> Result<(Self, TextFile), LoadError> {
        let file = risk_engine::load::file(path, LARGEST)?;
        let spec = typed_yaml::read(&file, "a tournament", "tournament::syntax")
            .map_err(LoadError::one)?;
        Ok((spec, file))
    }

    /// Returns the JSON Schema of tournament files.
    #[must_use]
    pub fn schema() -> serde_json::Value {
        typed_yaml::schema::<Self>()
    }
}

/// Adds the place of a value of the file to a finding.
pub(super) fn at<T>(finding: Finding, file: &TextFile, value: &Spanned<T>) -> Finding {
    let span = value.referenced.span();
    let start = span.byte_offset().map_or(0, |start| start as usize);
    let len = span.byte_len().map_or(0, |len| len as usize);
    if start + len > file.text.len() {
        return finding;
    }
    finding.at(file, start, len)
}
