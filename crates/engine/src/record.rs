//! Records of games: versioned JSON Lines, in which each line contains a sum over all lines before
//! it.
//!
//! A record consists of a header, all answers and faults in order, a checkpoint with the digest for
//! each turn, and the outcome. A replay plays the game again with the recorded answers, without
//! bots or clocks. docs/records.md describes the format for other programs.

mod ask_again;
mod chain;
mod content;
mod line;
mod parse;
mod reader;
mod replay;
mod resumed_seat;
mod verify;
mod writer;

use risk_maps::files::from_here;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::load::bot_spec::BotSpec;
use crate::matches::{RuleSetup, Seats, Setup, Worker};
use crate::players::{BotSource, BuiltIn};
use crate::script::ScriptLimits;
use risk_kernel::declare::{OnFault, Strikes};
use risk_maps::Seed;
use risk_maps::position::{self, PositionFile};
use risk_text::diag::TextFile;
use risk_text::plural::counted;

pub use ask_again::{Cost, DecisionReview, ReviewError, ask_again};
pub use chain::{SUM_DIGITS, split_sum, sum};
pub use content::{bot_hash, map_hash, ruleset_hash};
pub use line::{
    RecordLine, RecordedAnswer, RecordedEnd, RecordedExchange, RecordedFault, RecordedNote,
    RecordedRank, RecordedTurn, RecordedUndo,
};
pub use reader::{Record, RecordError, read};
pub use replay::{Mismatch, Playback};
pub use resumed_seat::hold;
pub use verify::{VerifyError, VerifyReport, verify};
pub use writer::{MOST_BYTES, Recorder};

/// The version of the format.
pub const FORMAT: u32 = 3;

/// The first line of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Header {
    /// The mark of a record, which is always "risk-cli".
    pub record: String,
    /// The version of the format.
    pub format: u32,
    /// The version of the program that wrote it, for information only.
    pub version: String,
    /// The ruleset as given: a name or a path.
    pub ruleset: String,
    /// A hash of the ruleset's files, including those that it extends and imports.
    #[serde(deserialize_with = "parse::hex::<32, _>")]
    pub ruleset_hash: String,
    /// The map as given.
    pub map: String,
    /// A hash of the board's contents.
    #[serde(deserialize_with = "parse::hex::<32, _>")]
    pub map_hash: String,
    /// The values of all options.
    pub options: BTreeMap<String, String>,
    /// The seed of the match. The seed and the number of the game determine all randomness.
    pub seed: Seed,
    /// The salt of the commitment; `None` if the match has no commitment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<Seed>,
    /// The commitment that was published before the match; see [`Seed::commitment`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, deserialize_with = "parse::some_hex::<64, _>")]
    pub commitment: Option<String>,
    /// The number of the game in its match, from 0.
    pub game: u64,
    /// The players, by seat.
    pub players: Vec<RecordedSeat>,
    /// The fault policy.
    pub strikes: RecordedStrikes,
    /// Whether players have clocks. If so, their answers depend on the machine and on when the game
    /// was played.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[serde(default, deserialize_with = "parse::only_true")]
    pub timed: bool,
    /// The position from which the game begins; `None` for the ruleset's set-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<RecordedPosition>,
}

/// The position from which a game begins, as stored in the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedPosition {
    /// The number of decisions before the position. Numbers in the record continue from this
    /// number.
    #[serde(deserialize_with = "parse::decisions_before")]
    pub decisions: u64,
    /// The digest of the state at the position, in hexadecimal.
    #[serde(deserialize_with = "parse::hex::<16, _>")]
    pub digest: String,
    /// The text of the position file.
    pub text: String,
}

impl RecordedPosition {
    /// Returns the position from which the game with this number begins, if there is one.
    #[must_use]
    pub fn from_worker(worker: &Worker<'_>, number: u64) -> Option<Self> {
        let file = worker.setup().position.as_ref()?;
        let game = worker.position(number)?;
        Some(Self {
            decisions: game.answers(),
            digest: hex(game.digest()),
            text: file.file.text.to_string(),
        })
    }

    /// Reads the position, and checks that it fits the players and options in the header.
    fn read(&self, header: &Header) -> Result<Arc<PositionFile>, SetupError> {
        let wrong = |text: &str| SetupError::Header(format!("the position in the header: {text}"));
        let file = TextFile::new("the position in the header", &self.text);
        let read = position::read(&file).map_err(|failure| wrong(&failure.findings[0].text))?;
        if read.names.len() != header.players.len() {
            let (expected, found) = (header.players.len(), read.names.len());
            return Err(wrong(&format!(
                "expected {}, found {found}",
                counted(expected, "player")
            )));
        }
        let mut options = read.options.iter();
        let differs = |(name, value): &&(String, String)| header.options.get(name) != Some(value);
        if let Some((name, value)) = options.find(differs) {
            let text = format!("option `{name}` is {value}, but the header has another value");
            return Err(wrong(&text));
        }
        Ok(Arc::new(read))
    }
}

/// A player in the header of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedSeat {
    /// The seat, from 1.
    pub seat: usize,
    /// The name under which the bot plays.
    pub name: String,
    /// The bot as given.
    pub bot: String,
    /// A hash of the bot's contents; `None` if they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, deserialize_with = "parse::some_hex::<32, _>")]
    pub hash: Option<String>,
    /// The player's clock, for example `move=1s,bank=10s`; `None` if the player has no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, deserialize_with = "parse::clock")]
    pub clock: Option<String>,
}

/// The fault policy in the header of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedStrikes {
    /// The number of a player's faults at which the policy applies; 0 for never.
    pub limit: u32,
    /// The period in which faults are counted: `game` or `decision`.
    #[serde(deserialize_with = "parse::per")]
    pub per: String,
    /// The consequence: `skip`, `first-option`, `neutral`, `forfeit` or `hook`.
    #[serde(deserialize_with = "parse::on_fault")]
    pub then: String,
}

impl From<Strikes> for RecordedStrikes {
    fn from(strikes: Strikes) -> Self {
        let per = if strikes.per_decision {
            "decision"
        } else {
            "game"
        };
        Self {
            limit: strikes.limit,
            per: per.to_owned(),
            then: strikes.then.as_str().to_owned(),
        }
    }
}

/// Formats a digest in the form that records and reports use.
#[must_use]
pub fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}

/// Returns the header of the game with this number, with the seating that the worker would use.
#[must_use]
pub fn header(worker: &Worker<'_>, number: u64) -> Header {
    header_seated(worker, number, &worker.setup().seating(number))
}

/// Returns the header of the game with this number, with these bots of the match by seat.
#[must_use]
pub fn header_seated(worker: &Worker<'_>, number: u64, seats: &[usize]) -> Header {
    let setup = worker.setup();
    let player = |(seat, &player): (usize, &usize)| {
        let spec = &setup.bots[player];
        let hash = bot_hash(&spec.source);
        RecordedSeat {
            seat: seat + 1,
            name: spec.name.clone(),
            bot: from_here(&spec.bot),
            hash,
            clock: setup.clock_of(player).map(|clock| clock.to_string()),
        }
    };
    Header {
        record: "risk-cli".to_owned(),
        format: FORMAT,
        version: crate::VERSION.to_owned(),
        ruleset: from_here(&setup.rules.ruleset_spec),
        ruleset_hash: ruleset_hash(&setup.rules.ruleset),
        map: from_here(&setup.rules.map_spec),
        map_hash: map_hash(&setup.rules.board),
        options: setup.rules.option_texts().collect(),
        seed: setup.seed.clone(),
        salt: setup.salt.clone(),
        commitment: setup.commitment(),
        game: number,
        players: seats.iter().enumerate().map(player).collect(),
        strikes: worker.decl().strikes.into(),
        timed: seats.iter().any(|&player| setup.clock_of(player).is_some()),
        position: RecordedPosition::from_worker(worker, number),
    }
}

/// The reason why a record can't be played with this ruleset and this map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The ruleset's hash differs.
    #[error("the ruleset differs from the ruleset of the record")]
    Ruleset,
    /// The map's hash differs.
    #[error("the map differs from the map of the record")]
    Map,
    /// The header is not valid, with the reason.
    #[error("{0}")]
    Header(String),
}

/// Reports options of the header that the ruleset does not accept.
impl From<EngineError> for SetupError {
    fn from(error: EngineError) -> Self {
        Self::Header(error.to_string())
    }
}

impl Header {
    /// Returns the number of decisions before the position from which the game begins, or 0.
    #[must_use]
    pub fn answers_before(&self) -> u64 {
        self.position.as_ref().map_or(0, |it| it.decisions)
    }

    /// Returns the setup for playing the record again with these rules, whose options are replaced
    /// by those of the record. The header's bots are not needed, so random bots take their seats.
    ///
    /// # Errors
    /// Returns an error if the ruleset or the map differs, or if the header does not fit them.
    pub fn setup(&self, rules: RuleSetup) -> Result<Setup, SetupError> {
        if ruleset_hash(&rules.ruleset) != self.ruleset_hash {
            return Err(SetupError::Ruleset);
        }
        if map_hash(&rules.board) != self.map_hash {
            return Err(SetupError::Map);
        }
        let given: Vec<_> = self.options.clone().into_iter().collect();
        let options = rules.ruleset.options(&given)?;
        for (name, value) in &options {
            let value = value.to_string();
            let text = match self.options.get(name) {
                Some(found) if *found == value => continue,
                Some(found) => format!("option `{name}`: expected {value}, found {found}"),
                None => format!("missing option `{name}`"),
            };
            return Err(SetupError::Header(text));
        }
        let then = OnFault::from_name(&self.strikes.then);
        let unknown = || format!("unknown fault policy `{}`", self.strikes.then);
        let then = then.ok_or_else(|| SetupError::Header(unknown()))?;
        let spec = |seat: &RecordedSeat| BotSpec {
            name: seat.name.clone(),
            bot: seat.bot.clone(),
            source: BotSource::BuiltIn(BuiltIn::Random),
            clock: seat.clock.as_ref().and_then(|clock| clock.parse().ok()),
        };
        Ok(Setup {
            rules: RuleSetup {
                options,
                assumed: Vec::new(),
                ..rules
            },
            bots: self.players.iter().map(spec).collect(),
            seed: self.seed.clone(),
            salt: self.salt.clone(),
            seats: Seats::Fixed,
            limits: ScriptLimits::default(),
            strikes: Some(Strikes {
                limit: self.strikes.limit,
                per_decision: self.strikes.per == "decision",
                then,
            }),
            clock: None,
            position: match &self.position {
                Some(position) => Some(position.read(self)?),
                None => None,
            },
        })
    }
}
