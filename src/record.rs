//! Records of games: versioned JSON Lines.
//!
//! A header, then every answer and fault in the order they were given, a checkpoint with the digest at
//! each turn, and the outcome. A record holds what was answered and decides nothing itself: a replay
//! plays the game again, with neither bots nor clock.

mod reader;
mod replay;
mod writer;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::arena::Setup;
use crate::kernel::board::Board;
use crate::kernel::outcome::Outcome;
use crate::script::Ruleset;

pub use reader::{Broken, Record, read};
pub use replay::{Mismatch, Replayer, Verifier};
pub use writer::Recorder;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always "risk-cli".
    pub record: String,
    /// The version of the format.
    pub format: u32,
    /// The version of the program that wrote it; for people.
    pub version: String,
    /// The ruleset as it was given: a name or a path.
    pub ruleset: String,
    /// A hash of the ruleset's files.
    pub ruleset_hash: String,
    /// The map as it was given.
    pub map: String,
    /// A hash of the board.
    pub map_hash: String,
    /// The values of all options.
    pub options: BTreeMap<String, String>,
    /// The seed.
    pub seed: u64,
    /// The number of the game in its match, from 0.
    pub game: u64,
    /// The players by seat.
    pub players: Vec<Seat>,
    /// The fault policy: strikes, whether they count per decision, and what happens then.
    pub strikes: (u32, bool, String),
}

/// A player in the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The seat, from 1.
    pub seat: usize,
    /// The name.
    pub name: String,
    /// The bot as it was given.
    pub bot: String,
}

/// Any other line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Line {
    /// A player answered.
    Say {
        /// The number of the answer, from 1.
        n: u64,
        /// The seat, from 1.
        seat: usize,
        /// The action in words.
        say: String,
        /// Set when the fault policy chose it and not the player.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_policy: bool,
    },
    /// A player made a fault.
    Fault {
        /// The seat, from 1.
        seat: usize,
        /// The kind in one word.
        fault: String,
        /// What happened.
        text: String,
        /// What was said, if the bot is elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exchange: Option<Said>,
    },
    /// A turn began.
    Turn {
        /// The player-turn, from 1.
        turn: u32,
        /// The round, from 1.
        round: u32,
        /// The seat, from 1; none when it is everybody's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<usize>,
        /// The digest of the state, in hexadecimal.
        digest: String,
    },
    /// The ruleset's own words: an order that became impossible, say. For people; a replay makes its own.
    Note {
        /// The words.
        note: String,
    },
    /// The last line.
    End {
        /// Why.
        end: String,
        /// The winning seats, from 1.
        winners: Vec<usize>,
        /// Seat, score and place, best first.
        ranking: Vec<(usize, i64, u32)>,
        /// How many answers were given.
        answers: u64,
        /// The digest of the last state, in hexadecimal.
        digest: String,
    },
}

/// What was said to a bot elsewhere and what it said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The body of the request.
    pub request: String,
    /// The body of the answer; empty where none came.
    pub answer: String,
}

impl Line {
    /// The last line of a game.
    #[must_use]
    pub fn end(outcome: &Outcome, answers: u64, digest: u64) -> Self {
        Self::End {
            end: outcome.reason.clone(),
            winners: outcome.winners.iter().map(|who| who.index() + 1).collect(),
            ranking: outcome.ranking.iter().map(|rank| (rank.who.index() + 1, rank.score, rank.place)).collect(),
            answers,
            digest: hex(digest),
        }
    }
}

/// A digest as records and reports show it.
#[must_use]
pub fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}

/// A hash of a ruleset's files.
#[must_use]
pub fn ruleset_hash(ruleset: &Ruleset) -> String {
    let mut hasher = blake3::Hasher::new();
    for source in ruleset.sources() {
        hasher.update(&(source.text.len() as u64).to_le_bytes());
        hasher.update(source.text.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// A hash of everything that a board says, names of people's reading and positions included.
#[must_use]
pub fn map_hash(board: &Board) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for continent in board.continents() {
        add(&format!("{continent:?}"));
    }
    for at in board.territories() {
        add(&format!("{:?} {:?}", board.info(at), board.neighbours(at)));
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// The header of a game.
#[must_use]
pub fn header(setup: &Setup, specs: (&str, &str), strikes: (u32, bool, String), number: u64) -> Header {
    let seats = setup.seating(number);
    let player = |(seat, &player): (usize, &usize)| {
        let entrant = &setup.entrants[player];
        Seat { seat: seat + 1, name: entrant.name.clone(), bot: entrant.bot.clone() }
    };
    Header {
        record: "risk-cli".to_owned(),
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ruleset: specs.0.to_owned(),
        ruleset_hash: ruleset_hash(&setup.ruleset),
        map: specs.1.to_owned(),
        map_hash: map_hash(&setup.board),
        options: setup.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
        seed: setup.seed,
        game: number,
        players: seats.iter().enumerate().map(player).collect(),
        strikes,
    }
}
