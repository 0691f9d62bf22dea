//! What is kept of one game of many.

use std::sync::Arc;

use super::Operations;
use risk_kernel::id::PlayerSet;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;

/// What is kept of one game of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The number of the game, from 0.
    pub number: u64,
    /// The winning seats.
    pub winners: PlayerSet,
    /// Did several win who are not of one team?
    pub shared: bool,
    /// Why it ended.
    pub reason: Arc<str>,
    /// How many rounds had begun when it ended.
    pub rounds: u32,
    /// How many turns of players had begun when it ended.
    pub turns: u32,
    /// How many answers were taken from all players.
    pub decisions: u64,
    /// How often dice were rolled for a fight.
    pub battle_rounds: u64,
    /// The place of each seat in the ranking, from 1; equals share one.
    pub places: Vec<u32>,
    /// The round in which each seat was eliminated, from 1; none of a player who was not.
    pub out_in_round: Vec<Option<u32>>,
    /// What the scripts of the bots used, by seat; none where nobody counts.
    pub operations: Vec<Option<Operations>>,
    /// Faults of the players, by seat.
    pub faults: Vec<u32>,
    /// The digest of the last state.
    pub digest: u64,
}

impl GameResult {
    /// What is kept of a game that was played to its end, with what its bots used, by seat.
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
