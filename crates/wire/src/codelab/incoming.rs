//! What a player says.

use serde_json::{Map, Value};

use crate::error::ProtocolError;
use crate::json::{parse_unique_keys, whole_number};
use crate::quote::brief;

/// The longest name, avatar or colour, in characters.
const LONGEST: usize = 200;

/// The longest event, in bytes.
const LONGEST_EVENT: usize = 4_096;

/// An event of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// Who says it, by the id that came with `Welcome`.
    pub player: u64,
    /// What is said.
    pub said: PlayerMessage,
}

/// What a player says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerMessage {
    /// That they want to play.
    JoinGame {
        /// How they are called.
        name: String,
        /// A picture, as the pages of the code lab name it.
        avatar: String,
        /// A colour, as pages write it.
        color: String,
    },
    /// That the game is to begin.
    StartGame,
    /// What they do in the game.
    Play(Deed),
}

/// What a player does in a game. Countries are written as the code lab writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// One army is placed.
    PlaceArmy(String),
    /// One roll of dice, with so many armies.
    Attack(String, String, i32),
    /// Armies move: into what was conquered, or at the end of the turn.
    MoveArmy(String, String, i32),
    /// No more attacks.
    EndAttack,
    /// The turn is over.
    EndTurn,
}

impl Incoming {
    /// Reads a frame.
    ///
    /// # Errors
    /// Why it is dropped, as a sentence without its full stop.
    pub fn read(text: &str) -> Result<Self, ProtocolError> {
        if text.len() > LONGEST_EVENT {
            return Err(format!("an event has at most {LONGEST_EVENT} bytes").into());
        }
        let value = parse_unique_keys(text, "event")?;
        let name = value.get("event").and_then(Value::as_str);
        let name = name.ok_or("the frame has no `event`")?;
        let data = value.get("data").and_then(Value::as_object);
        let data = data.ok_or_else(|| format!("`{}` has no `data`", brief(name)))?;
        let id = data.get("playerId").and_then(whole_number);
        let player = id.and_then(|id| u64::try_from(id).ok());
        let player = player.ok_or_else(|| format!("`{}` has no `playerId`", brief(name)))?;
        let said = match name {
            "JoinGame" => PlayerMessage::JoinGame {
                name: text_of(data, "name")?,
                avatar: text_of(data, "avatar")?,
                color: text_of(data, "color")?,
            },
            "StartGame" => PlayerMessage::StartGame,
            "PlaceArmy" => PlayerMessage::Play(Deed::PlaceArmy(text_of(data, "country")?)),
            "Attack" => {
                let (from, to, armies) = between(data)?;
                PlayerMessage::Play(Deed::Attack(from, to, armies))
            }
            "MoveArmy" => {
                let (from, to, armies) = between(data)?;
                PlayerMessage::Play(Deed::MoveArmy(from, to, armies))
            }
            "EndAttack" => PlayerMessage::Play(Deed::EndAttack),
            "EndTurn" => PlayerMessage::Play(Deed::EndTurn),
            other => return Err(format!("there is no event `{}`", brief(other)).into()),
        };
        Ok(Self { player, said })
    }
}

fn text_of(data: &Map<String, Value>, key: &str) -> Result<String, String> {
    let text = data.get(key).and_then(Value::as_str);
    let text = text.ok_or_else(|| format!("`{key}` is not a text"))?;
    if text.chars().count() > LONGEST {
        return Err(format!("`{key}` has more than {LONGEST} characters"));
    }
    Ok(text.to_owned())
}

fn between(data: &Map<String, Value>) -> Result<(String, String, i32), String> {
    let armies = data.get("armies").and_then(whole_number);
    let armies = armies.and_then(|armies| i32::try_from(armies).ok());
    let armies = armies.ok_or("`armies` is not a whole number")?;
    Ok((text_of(data, "from")?, text_of(data, "to")?, armies))
}
