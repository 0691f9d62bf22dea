//! The result of one game of many.

use std::sync::Arc;

use super::Operations;
use risk_kernel::id::PlayerSet;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;

/// The result of one game of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The number of the game, from 0.
    pub number: u64,
    /// The winning seats.
    pub winners: PlayerSet,
    /// Whether there are several winners who are not of one team.
    pub shared: bool,
    /// Why the game ended.
    pub reason: Arc<str>,
    /// How many rounds had begun at the end.
    pub rounds: u32,
    /// How many turns of players had begun at the end.
    pub turns: u32,
    /// The number of answers of all players.
    pub decisions: u64,
    /// The number of dice rounds.
    pub battle_rounds: u64,
    /// The place of each seat in the ranking, from 1; ties share a place.
    pub places: Vec<u32>,
    /// The round in which each seat was eliminated, from 1, or `None` for the others.
    pub out_in_round: Vec<Option<u32>>,
    /// The operations of the bots' scripts, by seat, or `None` where they are not counted.
    pub operations: Vec<Option<Operations>>,
    /// Faults of the players, by seat.
    pub faults: Vec<u32>,
    /// The digest of the last state.
    pub digest: u64,
}

impl GameResult {
    /// Summarizes a finished game. `operations` are those of its bots, by seat.
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
