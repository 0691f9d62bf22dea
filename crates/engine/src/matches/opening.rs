//! The state from which the games of a match begin.

use std::sync::Arc;

use super::Setup;
use crate::error::EngineError;
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::position::Position;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_maps::Seed;
use risk_maps::position::{self, Origin};
use risk_text::diag::{LoadError, TextFile};
use risk_text::plural::counted;

/// The beginning of a match's games: an empty board, or the match's position.
#[derive(Clone, Debug)]
pub struct Opening {
    board: Arc<Board>,
    decl: Arc<Declaration>,
    players: usize,
    /// The position, and the key of the game from which it was taken.
    position: Option<(Position, GameKey)>,
}

impl Opening {
    /// Prepares the beginning of a match's games for this number of players. `decl` is the
    /// ruleset's declaration for that number.
    ///
    /// # Errors
    /// Returns an error if the match's position does not fit its ruleset, map or number of players.
    pub fn new(setup: &Setup, decl: &Arc<Declaration>, players: usize) -> Result<Self, LoadError> {
        let mut opening = Self {
            board: Arc::clone(&setup.rules.board),
            decl: Arc::clone(decl),
            players,
            position: None,
        };
        let Some(file) = &setup.position else {
            return Ok(opening);
        };
        if file.names.len() != players {
            file.check_territories(&setup.rules.board)?;
            let count = counted(file.names.len(), "player");
            let text = format!("the position has {count}, but the match has {players}");
            return Err(file.unfit(&text));
        }
        let position = file.bind(&setup.rules.board, decl)?;
        let from = file.seed.key(file.game);
        let made = position.game(&setup.rules.board, decl, from, false);
        made.map_err(|text| file.unfit(&text))?;
        opening.position = Some((position, from));
        Ok(opening)
    }

    /// Returns the empty board of a game, or the position at its first decision. With the key of
    /// the position's original game, its dice and cards continue as in that game. With another key,
    /// they are new.
    #[must_use]
    pub fn game(&self, key: GameKey) -> GameState {
        match &self.position {
            None => self.empty_board(key),
            Some((position, from)) => {
                let game = position.game(&self.board, &self.decl, key, *from == key);
                game.expect("the position was checked")
            }
        }
    }

    /// Returns the board of a game before its set-up.
    #[must_use]
    pub fn empty_board(&self, key: GameKey) -> GameState {
        let (board, decl) = (Arc::clone(&self.board), Arc::clone(&self.decl));
        GameState::new(board, decl, self.players, key)
    }

    /// Reports whether games begin from a position.
    #[must_use]
    pub const fn is_position(&self) -> bool {
        self.position.is_some()
    }
}

impl Setup {
    /// Writes the position of a game of this match as text for [`PositionFile`]. The text begins
    /// with `head`, and includes the seed of the match from which the game comes, and the game's
    /// number from 0. `names` contains the names of the players, by seat.
    ///
    /// # Errors
    /// Returns an error if the text is too long, or if a position can't represent the whole state.
    ///
    /// [`PositionFile`]: crate::PositionFile
    pub fn position_text(
        &self,
        game: &GameState,
        seed: &Seed,
        number: u64,
        names: &[String],
        head: &str,
    ) -> Result<String, EngineError> {
        let rules = &self.rules;
        let options: Vec<(String, String)> = rules.option_texts().collect();
        let origin = Origin {
            ruleset: &rules.ruleset_spec,
            map: &rules.map_spec,
            options: &options,
            seed,
            game: number,
            names,
        };
        let found = Position::from_game(game);
        let text = position::write(&found, game.board(), game.decl(), origin);
        let text = format!("{head}{text}");
        check(&text, &rules.board, game).map_err(EngineError::Position)?;
        Ok(text)
    }
}

/// Checks that reading the position produces the same state.
fn check(text: &str, board: &Arc<Board>, game: &GameState) -> Result<(), String> {
    if text.len() as u64 > position::LARGEST {
        return Err(format!(
            "the position has {} bytes, but the limit is {}",
            text.len(),
            position::LARGEST
        ));
    }
    let first = |failure: LoadError| {
        let mut findings = failure.findings.into_iter();
        findings.next().map_or_else(String::new, |it| it.text)
    };
    let read = position::read(&TextFile::new("position", text)).map_err(first)?;
    let found = read.bind(board, game.decl()).map_err(first)?;
    let key = read.seed.key(read.game);
    let again = found.game(board, game.decl(), key, true)?;
    if again.digest() == game.digest() {
        Ok(())
    } else {
        Err("the position changes when it is written and read again".to_owned())
    }
}
