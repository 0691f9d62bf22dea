//! Turns and rounds, and the end of the game.

use crate::event::{Event, Status};
use crate::event_filter::EventFilter;
use crate::fault::RuleResult;
use crate::id::{Player, PlayerSet};
use crate::reason;
use crate::state::{Ending, GameState};

impl GameState {
    /// Opens the phases of the turn that follows `after`'s turn, or of the first turn if `after` is
    /// `None`. Ends the game instead if the declared limit is reached.
    ///
    /// # Errors
    /// Returns an error if the stack is full: see [`GameState::push`].
    pub fn next_turn(&mut self, after: Option<Player>) -> RuleResult {
        if self.is_at_limit() {
            return Ok(());
        }
        let first = after.map_or(0, |after| after.index() + 1);
        let seats = (0..self.players).map(|step| Player::from_index((first + step) % self.players));
        let mut playing = seats.filter(|&player| self.status(player) == Status::Playing);
        let Some(player) = playing.next() else {
            self.end(reason::DRAW, PlayerSet::default());
            return Ok(());
        };
        if after.is_none_or(|after| player <= after) {
            self.round += 1;
        }
        self.turn_of(player)
    }

    /// Opens the phases of a turn for `player` without beginning a new round. Ends the game instead
    /// if the declared limit is reached.
    ///
    /// # Errors
    /// Returns an error if the stack is full: see [`GameState::push`].
    pub fn turn_of(&mut self, player: Player) -> RuleResult {
        if self.is_at_limit() {
            return Ok(());
        }
        self.turn += 1;
        self.begin_turn(Some(player))?;
        for index in 0..self.decl.turn.len() {
            self.push_for(self.decl.turn[index], player, [0; 3])?;
        }
        Ok(())
    }

    /// Begins a new round without a turn. The ruleset opens the phases of the round.
    ///
    /// # Errors
    /// Returns an error if the map adds too many armies.
    pub fn new_round(&mut self) -> RuleResult {
        self.round += 1;
        self.begin_turn(None)
    }

    /// Opens the phases of a round in which all players play simultaneously. The round counts as
    /// one turn of each player. Ends the game instead if the declared limit is reached.
    ///
    /// # Errors
    /// Returns an error if the stack is full: see [`GameState::push`].
    pub fn next_round(&mut self) -> RuleResult {
        if self.is_at_limit() {
            return Ok(());
        }
        let players = self.playing();
        self.round += 1;
        self.turn += players.len() as u32;
        self.begin_turn(None)?;
        for index in 0..self.decl.turn.len() {
            self.push(self.decl.turn[index], players, None, [0; 3])?;
        }
        Ok(())
    }

    /// Reports whether no turn may begin. Ends the game if the declared limit is reached.
    fn is_at_limit(&mut self) -> bool {
        if self.decl.max_turns > 0 && self.turn >= self.decl.max_turns {
            self.end(reason::TURN_LIMIT, PlayerSet::default());
        }
        self.ending.is_some()
    }

    /// Announces the turn of a player, or a round that all players play at once.
    fn begin_turn(&mut self, player: Option<Player>) -> RuleResult {
        self.mover = player;
        let (turn, round) = (self.turn, self.round);
        self.push_wanted(EventFilter::Recorded, || Event::TurnBegan {
            player,
            turn,
            round,
        });
        if !self.board.has_deployments() {
            return Ok(());
        }
        let players = player.map_or_else(|| self.playing(), PlayerSet::one);
        players
            .iter()
            .try_for_each(|player| self.deploy_by_map(player))
    }

    /// Ends the game unless it has already ended.
    pub fn end(&mut self, reason: &str, winners: PlayerSet) {
        if self.ending.is_none() {
            self.ending = Some(Ending {
                reason: reason.to_owned(),
                winners,
            });
            self.push_event(|| Event::Ended {
                reason: reason.to_owned(),
                winners,
            });
        }
    }
}
