//! The bot's side of the protocol. Converts an arena's board into a position, and an action into an
//! answer.

use std::sync::Arc;

use serde_json::{Value, json};

use super::dialect::Dialect;
use super::place::location;
use super::request::{DecisionRequest, RequestKind};
use super::vocabulary::CallbackVocabulary;
use crate::error::ProtocolError;
use risk_engine::matches::empty_game;
use risk_kernel::action::Action;
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::id::{MAX_PLAYERS, Player, Territory, Unit};
use risk_kernel::state::GameState;

/// A bot's knowledge of its game at an arena. Requests identify neither the game nor the player, so
/// a bot plays one game at a time.
#[derive(Debug)]
pub struct Tracker {
    /// The names of all players seen so far, starting with the bot itself.
    names: Vec<String>,
    /// The number of armies on the board in the last request.
    armies: i64,
    /// The number of attacks that the arena has asked for.
    turns: u32,
    /// The territories of the last attack: source and target.
    fight: Option<(Territory, Territory)>,
    /// Whether no game is in progress.
    over: bool,
    /// The number of games begun so far.
    games: u64,
}

impl Tracker {
    /// Creates a tracker for a player with this name, before the first game.
    #[must_use]
    pub fn new(name: String) -> Self {
        Self {
            names: vec![name],
            armies: 0,
            turns: 0,
            fight: None,
            over: true,
            games: 0,
        }
    }

    /// The bot's own seat, which is always the first.
    pub const ME: Player = Player(0);

    /// Returns the names of the players seen so far, starting with the bot itself. The list has at
    /// least two names.
    #[must_use]
    pub fn players(&self) -> Vec<String> {
        let mut names = self.names.clone();
        if names.len() == 1 {
            names.push("another".to_owned());
        }
        names
    }

    /// Returns the number of games begun so far.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Records that the game is over.
    pub fn leave(&mut self) {
        self.over = true;
    }

    /// Parses a request for a decision. [`RequestKind::from_path`] returns the kind of decision.
    ///
    /// # Errors
    /// Returns an error if the request is invalid.
    pub fn read(
        &mut self,
        board: &Board,
        decision: RequestKind,
        dialect: Option<Dialect>,
        body: &str,
    ) -> Result<DecisionRequest, ProtocolError> {
        let mut request = DecisionRequest::parse(board, decision, dialect, body)?;
        if (request.decision, request.dialect) == (RequestKind::GoOn, Dialect::Seed) {
            // This dialect does not identify the attack that continues. It is the last attack, if
            // there was one.
            request.fight = self.fight;
        }
        let armies: i64 = request.cells.iter().map(|cell| cell.armies).sum();
        if request.decision == RequestKind::Place && (self.over || armies < self.armies) {
            self.names.truncate(1);
            self.turns = 0;
            self.games += 1;
        }
        self.armies = armies;
        self.over = false;
        for owner in request.cells.iter().filter_map(|cell| cell.owner.as_ref()) {
            if !self.names.contains(owner) {
                if self.names.len() >= MAX_PLAYERS {
                    return Err(format!("the game has more than {MAX_PLAYERS} players").into());
                }
                self.names.push(owner.clone());
            }
        }
        Ok(request)
    }

    /// Returns the position in a request.
    ///
    /// # Errors
    /// Returns an error if the position is impossible in the ruleset.
    pub fn position(
        &mut self,
        request: &DecisionRequest,
        vocabulary: &CallbackVocabulary,
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
    ) -> Result<GameState, ProtocolError> {
        let players = self.players().len();
        let mut game = empty_game(board, decl, players);
        for (at, cell) in board.territories().zip(&request.cells) {
            let index = self
                .names
                .iter()
                .position(|name| Some(name) == cell.owner.as_ref());
            game.set_owner(at, index.map(Player::from_index));
            game.add_units(at, Unit::FIRST, cell.armies as i32)
                .map_err(|fault| fault.to_string())?;
        }
        game.set_counter(vocabulary.reserve, Some(Self::ME), request.remaining)
            .map_err(|fault| fault.to_string())?;
        let (phase, args) = match (request.decision, request.fight) {
            (RequestKind::GoOn, Some((from, to))) => {
                (vocabulary.press_on, [i32::from(from.0), i32::from(to.0), 0])
            }
            (RequestKind::Place, _) => (vocabulary.placement, [0; 3]),
            _ => (vocabulary.assault, [0; 3]),
        };
        if request.decision == RequestKind::Attack {
            self.turns += 1;
        }
        game.resume(self.turns, Self::ME, phase, args);
        Ok(game)
    }

    /// Returns the protocol's answer for an action.
    pub fn reply(
        &mut self,
        request: &DecisionRequest,
        vocabulary: &CallbackVocabulary,
        board: &Board,
        action: Action,
    ) -> Value {
        let territory = |index: usize| Territory::from_index(action.args()[index] as usize);
        match request.decision {
            RequestKind::Place => placement(request.dialect, board, territory(0)),
            RequestKind::Attack if action.verb == vocabulary.pass => json!({}),
            RequestKind::Attack => {
                self.fight = Some((territory(0), territory(1)));
                let from = request.dialect.either("fromLocation", "from");
                let to = request.dialect.either("toLocation", "to");
                json!({ from: location(board, territory(0)), to: location(board, territory(1)) })
            }
            RequestKind::GoOn => going_on(request.dialect, action.verb == vocabulary.attack),
        }
    }
}

impl DecisionRequest {
    /// Reports whether the arena asks for the continuation of an unknown attack.
    #[must_use]
    pub fn is_void(&self) -> bool {
        self.decision == RequestKind::GoOn && self.fight.is_none()
    }

    /// Returns an answer for a question to which the ruleset has no legal action. The answer
    /// declines to attack or to continue. An army is placed on the first territory that is free or
    /// that the player owns.
    #[must_use]
    pub fn fallback(&self, game: &GameState) -> Value {
        match self.decision {
            RequestKind::Place => {
                let is_open =
                    |&at: &Territory| game.owns(Tracker::ME, at) || game.owner(at).is_none();
                let open = game.board().territories().find(is_open);
                let at = open.unwrap_or_else(|| Territory::from_index(0));
                placement(self.dialect, game.board(), at)
            }
            RequestKind::Attack => json!({}),
            RequestKind::GoOn => going_on(self.dialect, false),
        }
    }
}

fn placement(dialect: Dialect, board: &Board, at: Territory) -> Value {
    let at = location(board, at);
    match dialect {
        Dialect::Seed => at,
        Dialect::Snow => json!({ "desiredLocation": at }),
    }
}

fn going_on(dialect: Dialect, goes_on: bool) -> Value {
    json!({ dialect.either("continueAttack", "continueAttacking"): goes_on })
}
