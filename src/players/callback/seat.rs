//! The other side of the protocol: from the board that an arena tells to a position of the game,
//! and from what a bot says there to an answer.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Dialect, Words, field, location, territory};
use crate::kernel::action::Options;
use crate::kernel::board::Board;
use crate::kernel::declare::Declaration;
use crate::kernel::id::{MAX_PLAYERS, Player, Territory, Unit};
use crate::kernel::state::GameState;
use crate::kernel::view::{Facts, View};
use crate::kernel::{Bot, Rules};
use crate::players::served::{Pending, rule};
use crate::players::wire_json;

/// What an arena asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Place,
    Attack,
    GoOn,
}

/// A bot at an arena's table. Requests do not say whom they ask, so it sits at one table at a time.
#[derive(Debug)]
pub struct Seat {
    /// All players, as far as they have been seen; the first is this one.
    names: Vec<String>,
    /// How many armies were on the board when it was last told of.
    armies: i64,
    /// How often an attack was asked for.
    turns: u32,
    /// What was attacked last.
    fight: Option<(Territory, Territory)>,
    pending: Pending,
    /// Has the game ended, or not yet begun?
    over: bool,
}

/// A question that was read.
#[derive(Debug)]
pub struct Question {
    asked: Asked,
    dialect: Dialect,
    cells: Vec<Cell>,
    remaining: i64,
    fight: Option<(Territory, Territory)>,
}

/// Owner and armies of a territory.
type Cell = (Option<String>, i64);

impl Seat {
    /// A seat for a player of this name.
    #[must_use]
    pub fn new(name: String) -> Self {
        let names = vec![name];
        Self {
            names,
            armies: 0,
            turns: 0,
            fight: None,
            pending: Pending::default(),
            over: true,
        }
    }

    /// The players, as far as they have been seen, with this one at the front; at least two.
    #[must_use]
    pub fn players(&self) -> Vec<String> {
        let mut names = self.names.clone();
        if names.len() == 1 {
            names.push("another".to_owned());
        }
        names
    }

    /// The game is over.
    pub fn leave(&mut self) {
        self.over = true;
    }

    /// Reads a question; says whether a game begins with it, or one of the players is new.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(
        &mut self,
        board: &Board,
        path: &str,
        body: &str,
    ) -> Result<(Question, bool), String> {
        let Value::Object(said) = wire_json::parse_unique_keys(body, "request")? else {
            return Err("the request is not a JSON object".to_owned());
        };
        let (asked, dialect) = match path {
            "placeArmy" => (Asked::Place, Dialect::Seed),
            "deployArmy" => (Asked::Place, Dialect::Snow),
            "continueAttack" => (Asked::GoOn, Dialect::Seed),
            "continueAttacking" => (Asked::GoOn, Dialect::Snow),
            // Both have this path; the one tells numbers.
            _ if field(&said, &["status"])?.is_some_and(Value::is_number) => {
                (Asked::Attack, Dialect::Snow)
            }
            _ => (Asked::Attack, Dialect::Seed),
        };
        let cells = cells(board, &said)?;
        let remaining = if asked == Asked::Place {
            whole(field(&said, &["armiesRemaining"])?, "armiesRemaining")?
        } else {
            0
        };
        let fight = match (asked, dialect) {
            (Asked::GoOn, Dialect::Snow) => Some((
                side(board, &said, "attackingTerritorry")?,
                side(board, &said, "defendingTerritorry")?,
            )),
            // This dialect does not say which; with nothing attacked before, there is nothing to go
            // on with.
            (Asked::GoOn, Dialect::Seed) => self.fight,
            _ => None,
        };
        let armies: i64 = cells.iter().map(|(_, armies)| armies).sum();
        let mut new = asked == Asked::Place && (self.over || armies < self.armies);
        if new {
            self.names.truncate(1);
            (self.turns, self.pending) = (0, Pending::default());
        }
        (self.armies, self.over) = (armies, false);
        for owner in cells.iter().filter_map(|(owner, _)| owner.as_ref()) {
            if !self.names.contains(owner) {
                if self.names.len() >= MAX_PLAYERS {
                    return Err(format!("there are more than {MAX_PLAYERS} players"));
                }
                self.names.push(owner.clone());
                new = true;
            }
        }
        Ok((
            Question {
                asked,
                dialect,
                cells,
                remaining,
                fight,
            },
            new,
        ))
    }

    /// The position that a question is about.
    ///
    /// # Errors
    /// When the ruleset can't have it.
    pub fn position(
        &mut self,
        question: &Question,
        words: &Words,
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
    ) -> Result<GameState, String> {
        let me = Player::from_index(0);
        let mut game = GameState::new(
            Arc::clone(board),
            Arc::clone(decl),
            self.players().len(),
            0,
            0,
        );
        for (at, (owner, armies)) in board.territories().zip(&question.cells) {
            let who = owner
                .as_ref()
                .and_then(|owner| self.names.iter().position(|name| name == owner));
            game.set_owner(at, who.map(Player::from_index));
            rule(game.add_units(at, Unit(0), *armies as i32))?;
        }
        rule(game.set_counter(words.reserve, Some(me), question.remaining))?;
        let (phase, args) = match (question.asked, question.fight) {
            (Asked::GoOn, Some((from, to))) => {
                (words.press_on, [i32::from(from.0), i32::from(to.0), 0])
            }
            (Asked::Place, _) => (words.placement, [0; 3]),
            _ => (words.assault, [0; 3]),
        };
        if question.asked == Asked::Attack {
            self.turns += 1;
        }
        game.resume(self.turns, me, phase, args);
        Ok(game)
    }

    /// What a bot answers, in the words of the protocol.
    ///
    /// # Errors
    /// The bot's fault, or the ruleset's.
    pub fn answer(
        &mut self,
        bot: &mut dyn Bot,
        rules: &mut dyn Rules,
        words: &Words,
        (question, game): (&Question, GameState),
    ) -> Result<Value, String> {
        let me = Player::from_index(0);
        let frame = *game.frame().ok_or("there is nothing to decide")?;
        let (facts, mut options) = (Facts::new(game), Options::new());
        rule(rules.options(&facts, &frame, me, &mut options))?;
        let no_fight = question.asked == Asked::GoOn && question.fight.is_none();
        if options.is_empty() || no_fight {
            return Ok(instead(&facts.into_game(), question));
        }
        let view = View::new(&facts, me);
        let action = self.pending.next(bot, &view, &options)?;
        options
            .admit(action)
            .map_err(|_| "the bot says what is not offered".to_owned())?;
        let place = |index: usize| Territory::from_index(action.args()[index] as usize);
        let said = |index: usize| location(view.board(), place(index));
        let seed = question.dialect == Dialect::Seed;
        Ok(match question.asked {
            Asked::Place if seed => said(0),
            Asked::Place => json!({ "desiredLocation": said(0) }),
            Asked::Attack if action.verb == words.pass => json!({}),
            Asked::Attack => {
                self.fight = Some((place(0), place(1)));
                let (from, to) = if seed {
                    ("fromLocation", "toLocation")
                } else {
                    ("from", "to")
                };
                json!({ from: said(0), to: said(1) })
            }
            Asked::GoOn => {
                let key = if seed {
                    "continueAttack"
                } else {
                    "continueAttacking"
                };
                json!({ key: action.verb == words.attack })
            }
        })
    }
}

/// What is said where our rules know nothing to do, though the arena asks: no attack, and not on
/// with one; an army goes on the first land that is one's own, or free.
fn instead(game: &GameState, question: &Question) -> Value {
    let (me, board, seed) = (
        Player::from_index(0),
        game.board(),
        question.dialect == Dialect::Seed,
    );
    match question.asked {
        Asked::Place => {
            let mut own = board
                .territories()
                .filter(|&at| game.owns(me, at) || game.owner(at).is_none());
            let at = location(
                board,
                own.next().unwrap_or_else(|| Territory::from_index(0)),
            );
            if seed {
                at
            } else {
                json!({ "desiredLocation": at })
            }
        }
        Asked::Attack => json!({}),
        Asked::GoOn if seed => json!({ "continueAttack": false }),
        Asked::GoOn => json!({ "continueAttacking": false }),
    }
}

fn whole(value: Option<&Value>, what: &str) -> Result<i64, String> {
    let number = value
        .and_then(wire_json::whole)
        .filter(|number| (0..=1_000_000).contains(number));
    number.ok_or_else(|| format!("`{what}` is not a whole number from 0 to 1000000"))
}

/// Where one side of a fight is.
fn side(board: &Board, said: &Map<String, Value>, name: &str) -> Result<Territory, String> {
    let side = field(said, &[name])?.and_then(Value::as_object);
    let place = side
        .map(|side| field(side, &["location"]))
        .transpose()?
        .flatten();
    territory(
        board,
        place.ok_or_else(|| format!("the request has no `{name}` with a `location`"))?,
    )
}

/// Owner and armies of each territory.
fn cells(board: &Board, said: &Map<String, Value>) -> Result<Vec<Cell>, String> {
    let Some(Value::Array(listed)) = field(said, &["board"])? else {
        return Err("the request has no list `board`".to_owned());
    };
    let mut cells: Vec<Option<Cell>> = vec![None; board.len()];
    for cell in listed {
        let Value::Object(cell) = cell else {
            return Err("a cell of the board is not an object".to_owned());
        };
        let place = field(cell, &["location"])?.ok_or("a cell of the board has no `location`")?;
        let at = territory(board, place).map_err(|text| format!("{text}: is it another map?"))?;
        let owner = match field(cell, &["ownerName"])? {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => Some(name.clone()).filter(|name| !name.is_empty()),
            Some(_) => return Err("an `ownerName` is neither a text nor null".to_owned()),
        };
        let armies = whole(field(cell, &["armies"])?, "armies")?;
        if cells[at.index()].replace((owner, armies)).is_some() {
            return Err("a cell of the board stands twice".to_owned());
        }
    }
    let count = cells.iter().flatten().count();
    let all: Option<Vec<Cell>> = cells.into_iter().collect();
    all.ok_or_else(|| format!("the board has {count} cells, and the map {}", board.len()))
}
