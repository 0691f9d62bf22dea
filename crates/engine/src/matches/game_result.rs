//! The result of one game in a match.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hosting::Operations;
use risk_kernel::id::PlayerSet;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;

/// The winners as bits of a number, since the kernel knows no serde.
#[derive(Serialize, Deserialize)]
#[serde(remote = "PlayerSet")]
struct PlayerBits(u32);

/// The result of one game in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GameResult {
    /// The number of the game, from 0.
    pub number: u64,
    /// The winning seats.
    #[serde(with = "PlayerBits")]
    pub winners: PlayerSet,
    /// Whether there are several winners who are not all on the same team.
    pub shared: bool,
    /// The reason why the game ended.
    pub reason: Arc<str>,
    /// The number of rounds that had begun when the game ended.
    pub rounds: u32,
    /// The number of player turns that had begun when the game ended.
    pub turns: u32,
    /// The number of answers of all players.
    pub decisions: u64,
    /// The number of dice rounds.
    pub battle_rounds: u64,
    /// The place of each seat in the ranking, from 1; ties share a place.
    pub places: Vec<u32>,
    /// The round in which each seat was eliminated, from 1; `None` for seats that were not
    /// eliminated.
    pub out_in_round: Vec<Option<u32>>,
    /// The operations of the bots' scripts, by seat; `None` for bots whose operations are not
    /// counted.
    pub operations: Vec<Option<Operations>>,
    /// The number of faults of each player, by seat.
    pub faults: Vec<u32>,
    /// The digest of the last state.
    pub digest: u64,
}

impl GameResult {
    /// Summarizes a finished game. `operations` contains the operations of its bots, by seat.
    #[must_use]
    pub fn new(
        number: u64,
        game: &GameState,
        outcome: &Outcome,
        operations: Vec<Option<Operations>>,
    ) -> Self {
        let mut places = vec![0; outcome.ranking.len()];
        for rank in &outcome.ranking {
            places[rank.player.index()] = rank.place;
        }
        Self {
            number,
            winners: outcome.winners,
            shared: (outcome.winners.iter().next())
                .is_some_and(|first| outcome.winners.iter().any(|it| !game.team(first).has(it))),
            reason: outcome.reason.as_str().into(),
            rounds: game.round(),
            turns: game.turn(),
            decisions: game.answers(),
            battle_rounds: game.battle_rounds(),
            places,
            out_in_round: game
                .seats()
                .map(|player| game.out_in_round(player))
                .collect(),
            operations,
            faults: game.seats().map(|player| game.strikes(player)).collect(),
            digest: game.digest(),
        }
    }
}
