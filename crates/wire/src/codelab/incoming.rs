//! Events that players send.

use serde_json::{Map, Value};

use crate::error::ProtocolError;
use crate::json::{parse_unique_keys, whole_number};
use crate::quote::brief;

/// Longest name, avatar or colour, in characters.
const LONGEST: usize = 200;

/// Longest event, in bytes.
const LONGEST_EVENT: usize = 4_096;

/// An event of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// The player, by the id that came with `Welcome`.
    pub player: u64,
    /// The content.
    pub said: PlayerMessage,
}

/// The content of a player's event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerMessage {
    /// The player wants to play.
    JoinGame {
        /// The player's name.
        name: String,
        /// A picture, as the pages of the code lab name it.
        avatar: String,
        /// A colour, as pages write it.
        color: String,
    },
    /// The player wants the game to begin.
    StartGame,
    /// The player acts in the game.
    Play(Deed),
}

/// A player's action in a game, with countries as the code lab writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Places one army.
    PlaceArmy(String),
    /// Attacks with one roll of dice: from, to, and the number of armies.
    Attack(String, String, i32),
    /// Moves armies into a conquest, or at the end of the turn: from, to, and the number of armies.
    MoveArmy(String, String, i32),
    /// Ends the attacks.
    EndAttack,
    /// Ends the turn.
    EndTurn,
}

impl Incoming {
    /// Parses a frame.
    ///
    /// # Errors
    /// Returns why the frame is dropped, as a sentence without its full stop.
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
