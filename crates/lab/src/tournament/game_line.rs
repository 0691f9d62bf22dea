//! The line of JSON for one game of a match or a tournament.

use serde::{Deserialize, Serialize};

use risk_engine::matches::GameResult;
use risk_engine::matches::Operations;
use risk_engine::record::hex;

/// The summary of a game: its players, its end, and its cost. Lists are by seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// The names of the players.
    pub seats: Vec<String>,
    /// The players' places, from 1; equals share one.
    pub places: Vec<u32>,
    /// The round in which each player was eliminated, from 1; `None` for a survivor.
    pub out_in_round: Vec<Option<u32>>,
    /// The seats that won, from 1; several share a win, and a game may have no winner.
    pub winners: Vec<usize>,
    /// The reason for the end.
    pub reason: String,
    /// The number of rounds begun.
    pub rounds: u32,
    /// The number of players' turns begun.
    pub turns: u32,
    /// The number of answers taken from all players.
    pub decisions: u64,
    /// The number of faults of each player.
    pub faults: Vec<u32>,
    /// The operations of each script; `None` for bots whose work is not counted.
    pub operations: Vec<Option<OperationsLine>>,
    /// The luck of each player's dice in thousandths of an army, if counted: the losses of others
    /// beyond the average, less the player's own losses beyond it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Vec<i64>>,
    /// The digest of the last state.
    pub digest: String,
}

/// The operations of one player's script in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationsLine {
    /// All operations of the game, including those of functions that only listen.
    pub all: u64,
    /// The most operations for one answer.
    pub most: u64,
    /// The number of answers that took from 2^(k-1) to 2^k - 1 operations, by k, up to the last k
    /// with any.
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
    /// Makes the line of a game with these players by seat.
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

    /// Reports whether a game can have this line: a line with a correct sum may still be made up.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        /// The longest reason for an end, in bytes: no script has a text as long.
        const LONGEST_REASON: usize = 10_000;
        /// More than a game can count of anything.
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

    /// Returns the share of a seat, from 0, in the win: several winners share it equally, and
    /// without a winner it is 0.
    #[must_use]
    pub fn share(&self, seat: usize) -> f64 {
        if self.winners.contains(&(seat + 1)) {
            1.0 / self.winners.len() as f64
        } else {
            0.0
        }
    }
}
