//! The protocol of the callback arena: what a bot that registered itself is asked, and what it
//! answers.
//!
//! Source: the rules of the simplified game, sections 1 and 2, and its table of ambiguities (S1 to
//! S29).

mod seat;

use std::time::Instant;

use serde_json::{Map, Value, json};

pub use seat::Seat;

use super::decl_lookup::DeclLookup;
use super::names;
use super::wire::{self, Address, HttpClient, WireError, brief, quoted};
use super::wire_json;
use crate::kernel::action::{Action, Options};
use crate::kernel::board::{Board, Datum};
use crate::kernel::declare::Declaration;
use crate::kernel::fault::{BotFault, Exchange, FaultKind};
use crate::kernel::id::{Counter, Phase, Player, Territory, Verb};
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};

/// Which words are spoken: those of the document, or those that bots in the wild speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The document's.
    #[default]
    Seed,
    /// That of the bots which Snow College's challenge left behind.
    Snow,
}

impl Dialect {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Seed, Self::Snow];

    /// The name on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Snow => "snow",
        }
    }

    /// The dialect with this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.word() == word)
    }

    /// What is told with a question: whether the answer before was refused.
    fn status(self, placing: bool, failed: bool) -> Value {
        match (self, failed, placing) {
            (Self::Snow, failed, _) => json!(i32::from(failed)),
            (Self::Seed, false, _) => json!("Your turn"),
            (Self::Seed, true, true) => json!("Placement Failed. Try another territory."),
            (Self::Seed, true, false) => json!("Attack Failed. Try again."),
        }
    }
}

/// The parts of a ruleset that the protocol speaks of.
#[derive(Clone, Debug)]
pub struct Words {
    placement: Phase,
    assault: Phase,
    press_on: Phase,
    place: Verb,
    attack: Verb,
    pass: Verb,
    stop: Verb,
    reserve: Counter,
}

impl Words {
    /// Looks the parts up.
    ///
    /// # Errors
    /// Which part the ruleset does not have.
    pub fn of(decl: &Declaration) -> Result<Self, String> {
        let parts = DeclLookup(decl);
        Ok(Self {
            placement: parts.phase("placement")?,
            assault: parts.phase("assault")?,
            press_on: parts.phase("press_on")?,
            place: parts.verb("place")?,
            attack: parts.verb("attack")?,
            pass: parts.verb("pass")?,
            stop: parts.verb("stop")?,
            reserve: parts.counter("reserve")?,
        })
    }
}

/// Row and column of a territory on a grid.
fn square(board: &Board, at: Territory) -> Option<(i64, i64)> {
    let data = &board.info(at).data;
    match (data.get("row"), data.get("column")) {
        (Some(Datum::Number(row)), Some(Datum::Number(column))) => Some((*row, *column)),
        _ => None,
    }
}

/// A territory on the wire: row and column on a grid, elsewhere its id.
fn location(board: &Board, at: Territory) -> Value {
    match square(board, at) {
        Some((row, column)) => json!({ "row": row, "column": column }),
        None => json!(board.info(at).id),
    }
}

/// One territory as the protocol tells of it.
#[must_use]
pub fn cell(board: &Board, at: Territory, owner: Option<&str>, armies: i64) -> Value {
    let location = location(board, at);
    let named = location.is_string();
    let mut cell = json!({ "location": location, "ownerName": owner, "armies": armies });
    if named {
        let ids: Vec<&str> = board
            .neighbours(at)
            .iter()
            .map(|&next| board.info(next).id.as_str())
            .collect();
        cell["neighbours"] = json!(ids);
    }
    cell
}

/// The value of a key, or of one with the same meaning, however their letters are written.
///
/// # Errors
/// When two of the keys say it.
pub fn field<'a>(
    said: &'a Map<String, Value>,
    names: &[&str],
) -> Result<Option<&'a Value>, String> {
    let mut found = said
        .iter()
        .filter(|(key, _)| names.iter().any(|name| key.eq_ignore_ascii_case(name)));
    match (found.next(), found.next()) {
        (None, _) => Ok(None),
        (Some((_, value)), None) => Ok(Some(value)),
        (Some((a, _)), Some((b, _))) => {
            Err(format!("`{}` and `{}` say the same", brief(a), brief(b)))
        }
    }
}

/// Reads a location.
fn territory(board: &Board, said: &Value) -> Result<Territory, String> {
    let place = match said {
        Value::String(id) => board
            .find(id)
            .ok_or_else(|| format!("there is no territory `{}`", brief(id)))?,
        Value::Object(said) => {
            let whole = |name: &str| {
                let number = field(said, &[name])?.and_then(wire_json::whole);
                number.ok_or_else(|| format!("the location has no `{name}` that is a whole number"))
            };
            let (row, column) = (whole("row")?, whole("column")?);
            let found = board
                .territories()
                .find(|&at| square(board, at) == Some((row, column)));
            found.ok_or_else(|| format!("there is no row {row} with a column {column}"))?
        }
        _ => {
            return Err(
                "a location is an object with `row` and `column`, or the id of a territory"
                    .to_owned(),
            );
        }
    };
    Ok(place)
}

/// Reads where an army is placed: a bare location, or one under either dialect's name.
fn placed(board: &Board, said: &Value) -> Result<Territory, String> {
    let inner = match said {
        Value::Object(said) => field(said, &["location", "desiredLocation"])?,
        _ => None,
    };
    territory(board, inner.unwrap_or(said))
}

/// Reads from where to where is attacked; nothing is a pass.
fn attack(board: &Board, said: &Value) -> Result<Option<(Territory, Territory)>, String> {
    let said = match said {
        Value::Null => return Ok(None),
        Value::Object(said) => said,
        _ => return Err("the answer is not a JSON object".to_owned()),
    };
    let some = |value: Option<&Value>| value.filter(|value| !value.is_null()).cloned();
    let from = some(field(said, &["from", "fromLocation"])?);
    let to = some(field(said, &["to", "toLocation"])?);
    match (from, to) {
        (None, None) => Ok(None),
        (Some(from), Some(to)) => Ok(Some((territory(board, &from)?, territory(board, &to)?))),
        (None, Some(_)) => Err("the answer does not say from where is attacked".to_owned()),
        (Some(_), None) => Err("the answer does not say what is attacked".to_owned()),
    }
}

/// Reads whether an attack goes on.
fn goes_on(said: &Value) -> Result<bool, String> {
    let Value::Object(said) = said else {
        return Err("the answer is not a JSON object".to_owned());
    };
    let value = field(said, &["continueAttack", "continueAttacking"])?;
    value
        .and_then(Value::as_bool)
        .ok_or_else(|| "the answer has no `continueAttack` that is true or false".to_owned())
}

/// A bot that registered itself, for one thread's games.
pub(super) struct Caller {
    wire: HttpClient,
    dialect: Dialect,
    words: Words,
    names: Vec<String>,
    /// How many answers the game had when the bot was asked last: with as many again, its answer
    /// was refused.
    asked: Option<u64>,
    began: Instant,
}

impl Caller {
    /// A bot at an address, for games of a ruleset.
    ///
    /// # Errors
    /// What the protocol has no words for.
    pub(super) fn new(at: &Address, dialect: Dialect, decl: &Declaration) -> Result<Self, String> {
        let words = Words::of(decl)?;
        Ok(Self {
            wire: HttpClient::new(at),
            dialect,
            words,
            names: Vec::new(),
            asked: None,
            began: Instant::now(),
        })
    }

    fn board(&self, view: &View) -> Value {
        let board = view.board();
        let cells = board.territories().map(|at| {
            let owner = view.owner(at).map(|who| self.names[who.index()].as_str());
            cell(
                board,
                at,
                owner,
                i64::from(view.armies(at).unwrap_or_default()),
            )
        });
        cells.collect()
    }

    fn ask(&mut self, view: &View, ask: &Options) -> Result<Answer, WireError> {
        let frame = view
            .frame()
            .copied()
            .ok_or((FaultKind::Illegal, "nothing is asked".to_owned()))?;
        let seed = self.dialect == Dialect::Seed;
        let failed = self.asked.replace(view.answers()) == Some(view.answers());
        let mut said = json!({ "board": self.board(view) });
        let path = if frame.phase == self.words.placement {
            said["status"] = self.dialect.status(true, failed);
            said["armiesRemaining"] = json!(view.counter(self.words.reserve, Some(view.me())));
            if seed { "placeArmy" } else { "deployArmy" }
        } else if frame.phase == self.words.assault {
            said["status"] = self.dialect.status(false, failed);
            "beginAttack"
        } else if frame.phase == self.words.press_on && seed {
            "continueAttack"
        } else if frame.phase == self.words.press_on {
            for (key, at) in [
                ("attackingTerritorry", frame.args[1]),
                ("defendingTerritorry", frame.args[2]),
            ] {
                let at = Territory::from_index(at as usize);
                said[key] =
                    json!({ "location": location(view.board(), at), "armies": view.armies(at) });
            }
            "continueAttacking"
        } else {
            let text = "the protocol has no words for what is to be decided here";
            return Err((FaultKind::Illegal, text.to_owned()));
        };
        let text = self.wire.ask(path, wire::json(&said))?;
        answer(&self.words, view, ask, &text).map_err(|wrong| {
            (
                FaultKind::Illegal,
                format!("{wrong}; the answer was {}", quoted(&text)),
            )
        })
    }
}

/// An answer in the words of the protocol, in either dialect, as an action of the game.
///
/// # Errors
/// What is wrong with it.
pub fn answer(words: &Words, view: &View, ask: &Options, text: &str) -> Result<Answer, String> {
    let said = wire_json::parse_unique_keys(text, "answer")?;
    let board = view.board();
    let frame = view.frame().ok_or("nothing is asked")?;
    let number = |at: Territory| i32::from(at.0);
    let action = if frame.phase == words.placement {
        Action::new(words.place, &[number(placed(board, &said)?), 1])
    } else if frame.phase == words.assault {
        match attack(board, &said)? {
            Some((from, to)) => Action::new(words.attack, &[number(from), number(to)]),
            None if ask.has(words.pass) => Action::new(words.pass, &[]),
            None => return Err("the answer attacks nothing, and passing is not allowed".to_owned()),
        }
    } else if goes_on(&said)? {
        Action::new(words.attack, &frame.args[1..3])
    } else {
        Action::new(words.stop, &[])
    };
    Ok(Answer::One(action))
}

impl Bot for Caller {
    fn meet(&mut self, names: &[String]) {
        self.names = names::on_wire(names);
    }

    fn start(&mut self, view: &View, _: Stream) {
        if self.names.len() != view.players() {
            self.names = (1..=view.players())
                .map(|seat| format!("player {seat}"))
                .collect();
        }
        self.asked = None;
        self.began = Instant::now();
        self.wire.begin();
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        self.ask(view, ask)
            .map_err(|(kind, text)| BotFault::strike(kind, text))
    }

    fn exchange(&mut self) -> Option<Exchange> {
        self.wire.exchange()
    }

    /// The score is armies and twice the territories; of several who have the highest, the one who
    /// sits first.
    fn finish(&mut self, view: &View) {
        let scores: Vec<i64> = (0..view.players())
            .map(|seat| {
                let who = Some(Player::from_index(seat));
                let own = view
                    .board()
                    .territories()
                    .filter(|&at| view.owner(at) == who);
                own.map(|at| i64::from(view.armies(at).unwrap_or_default()) + 2)
                    .sum()
            })
            .collect();
        let best = scores.iter().copied().max().unwrap_or_default();
        let winner = scores
            .iter()
            .position(|&score| score == best)
            .map(|seat| self.names[seat].clone());
        let told: Vec<String> = self
            .names
            .iter()
            .zip(&scores)
            .map(|(name, score)| format!("{name} ({score})"))
            .collect();
        let time = self.began.elapsed();
        let (seconds, thousandths) = (time.as_secs(), time.subsec_millis());
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        let duration = format!(
            "{hours:02}:{minutes:02}:{:02}.{thousandths:03}",
            seconds % 60
        );
        let over = json!({ "winnerName": winner, "finalBoard": self.board(view), "finalScores": told, "gameDuration": duration });
        self.wire.tell("gameOver", wire::json(&over));
    }
}
