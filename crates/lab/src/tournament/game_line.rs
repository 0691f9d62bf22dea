//! The JSON line for one game of a match or tournament.

use serde::{Deserialize, Serialize};

use risk_engine::record::hex;
use risk_engine::{GameResult, Operations};

/// A summary of a game with its players, its end and its cost. Lists are ordered by seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// The names of the players.
    pub seats: Vec<String>,
    /// The players' places, counted from 1. Tied players share a place.
    pub places: Vec<u32>,
    /// The round in which each player was eliminated, counted from 1. `None` for survivors.
    pub out_in_round: Vec<Option<u32>>,
    /// The seats of the winners, counted from 1. Several winners share the win. The list may be
    /// empty.
    pub winners: Vec<usize>,
    /// The reason for the end of the game.
    pub reason: String,
    /// The number of rounds begun.
    pub rounds: u32,
    /// The number of player-turns begun.
    pub turns: u32,
    /// The number of accepted answers of all players.
    pub decisions: u64,
    /// The number of faults of each player.
    pub faults: Vec<u32>,
    /// The operations of each script. `None` for bots whose operations are not counted.
    pub operations: Vec<Option<OperationsLine>>,
    /// The luck of each player's dice in thousandths of an army, if it was counted. Luck is the
    /// excess losses of opponents minus the player's own excess losses, relative to the average.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Vec<i64>>,
    /// The digest of the final state.
    pub digest: String,
}

/// The operations of one player's script in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationsLine {
    /// The total number of operations in the game, including functions that only receive events.
    pub all: u64,
    /// The maximum number of operations for one answer.
    pub most: u64,
    /// The number of answers by their operations. Element k counts the answers with 2^(k-1) to 2^k
    /// - 1 operations. The list ends with the last nonzero element.
    pub answers: Vec<u32>,
}

impl OperationsLine {
    fn new(operations: &Operations) -> Self {
        let counts = &operations.answers;
        let len = counts.iter().rposition(|&count| count > 0);
        Self {
            all: operations.all,
            most: operations.most,
            answers: counts[..len.map_or(0, |last| last + 1)].to_vec(),
        }
    }
}

impl GameLine {
    /// Creates the line of a game with these players by seat.
    #[must_use]
    pub fn new(result: &GameResult, seats: Vec<String>) -> Self {
        let operations = |operations: &Option<_>| operations.as_ref().map(OperationsLine::new);
        Self {
            seats,
            places: result.places.clone(),
            out_in_round: result.out_in_round.clone(),
            winners: result
                .winners
                .iter()
                .map(|player| player.index() + 1)
                .collect(),
            reason: result.reason.to_string(),
            rounds: result.rounds,
            turns: result.turns,
            decisions: result.decisions,
            faults: result.faults.clone(),
            operations: result.operations.iter().map(operations).collect(),
            luck: None,
            digest: hex(result.digest),
        }
    }

    /// Reports whether a game could have this line. Even a line with a correct checksum may be
    /// invented.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        /// The maximum length of the reason for an end, in bytes. Scripts can't create longer
        /// texts.
        const LONGEST_REASON: usize = 10_000;
        /// A number that no count in a game can exceed.
        const MOST: u64 = 1 << 40;
        let seats = self.seats.len();
        let lists = [
            self.places.len(),
            self.out_in_round.len(),
            self.faults.len(),
            self.operations.len(),
        ];
        let places = 1..=seats as u32;
        let counted = |operations: &OperationsLine| {
            operations.all <= MOST
                && operations.most <= operations.all
                && operations.answers.len() <= Operations::SIZES
        };
        lists.iter().all(|&len| len == seats)
            && self.places.iter().all(|place| places.contains(place))
            && self.luck.as_ref().is_none_or(|luck| {
                luck.len() == seats && luck.iter().all(|luck| luck.unsigned_abs() <= MOST)
            })
            && (self.out_in_round.iter().flatten()).all(|&round| round <= self.rounds)
            && self.winners.is_sorted_by(|a, b| a < b)
            && self.winners.iter().all(|seat| (1..=seats).contains(seat))
            && self.operations.iter().flatten().all(counted)
            && self.reason.len() <= LONGEST_REASON
            && self.decisions <= MOST
    }

    /// Returns the win share of a seat, counted from 0. Several winners share the win equally. The
    /// share is 0 if there is no winner.
    #[must_use]
    pub fn share(&self, seat: usize) -> f64 {
        if self.winners.contains(&(seat + 1)) {
            1.0 / self.winners.len() as f64
        } else {
            0.0
        }
    }
}
