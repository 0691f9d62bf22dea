//! Events that players send.

use serde_json::{Map, Value};

use crate::error::ProtocolError;
use crate::json::{parse_unique_keys, unfit, whole_number};
use crate::quote::brief;

/// The maximum length of a name, an avatar or a colour, in characters.
const LONGEST: usize = 200;

/// The maximum length of an event, in bytes.
const LONGEST_EVENT: usize = 4_096;

/// An event from a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerEvent {
    /// The player's id from `Welcome`.
    pub player: u64,
    /// The content of the event.
    pub said: PlayerMessage,
}

/// The content of a player's event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerMessage {
    /// The player wants to play.
    JoinGame {
        /// The player's name.
        name: String,
        /// The player's picture, in the notation of the code lab's pages.
        avatar: String,
        /// The player's colour, in the notation of web pages.
        color: String,
    },
    /// The player wants the game to begin.
    StartGame,
    /// The player takes an action in the game.
    Play(PlayerAction),
}

/// A player's action in a game. Countries have the code lab's spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerAction {
    /// Places one army.
    PlaceArmy(String),
    /// Attacks with one roll of the dice: source, target and number of armies.
    Attack(String, String, i32),
    /// Moves armies into a conquest or at the end of the turn: source, target and number of armies.
    MoveArmy(String, String, i32),
    /// Ends the player's attacks.
    EndAttack,
    /// Ends the turn.
    EndTurn,
}

impl PlayerEvent {
    /// Parses a frame.
    ///
    /// # Errors
    /// Returns an error if the frame must be dropped. The text gives the reason, as a sentence
    /// without a full stop.
    pub fn read(text: &str) -> Result<Self, ProtocolError> {
        if text.len() > LONGEST_EVENT {
            return Err(format!("the event exceeds {LONGEST_EVENT} bytes").into());
        }
        let value = parse_unique_keys(text, "event")?;
        let found = value.get("event");
        let name = found.and_then(Value::as_str);
        let name = name.ok_or_else(|| unfit("event", "a string", found))?;
        let found = value.get("data");
        let data = found.and_then(Value::as_object);
        let data = data.ok_or_else(|| unfit("data", "an object", found))?;
        let found = data.get("playerId");
        let player = found
            .and_then(whole_number)
            .and_then(|id| u64::try_from(id).ok());
        let player = player.ok_or_else(|| unfit("playerId", "a player's id", found))?;
        let said = match name {
            "JoinGame" => PlayerMessage::JoinGame {
                name: text_of(data, "name")?,
                avatar: text_of(data, "avatar")?,
                color: text_of(data, "color")?,
            },
            "StartGame" => PlayerMessage::StartGame,
            "PlaceArmy" => PlayerMessage::Play(PlayerAction::PlaceArmy(text_of(data, "country")?)),
            "Attack" => {
                let (from, to, armies) = between(data)?;
                PlayerMessage::Play(PlayerAction::Attack(from, to, armies))
            }
            "MoveArmy" => {
                let (from, to, armies) = between(data)?;
                PlayerMessage::Play(PlayerAction::MoveArmy(from, to, armies))
            }
            "EndAttack" => PlayerMessage::Play(PlayerAction::EndAttack),
            "EndTurn" => PlayerMessage::Play(PlayerAction::EndTurn),
            other => return Err(format!("unknown event `{}`", brief(other)).into()),
        };
        Ok(Self { player, said })
    }
}

fn text_of(data: &Map<String, Value>, key: &str) -> Result<String, String> {
    let found = data.get(key);
    let text = found.and_then(Value::as_str);
    let text = text.ok_or_else(|| unfit(key, "a string", found))?;
    if text.chars().count() > LONGEST {
        return Err(format!("`{key}` exceeds {LONGEST} characters"));
    }
    Ok(text.to_owned())
}

fn between(data: &Map<String, Value>) -> Result<(String, String, i32), String> {
    let found = data.get("armies");
    let armies = found
        .and_then(whole_number)
        .and_then(|armies| i32::try_from(armies).ok());
    let armies = armies.ok_or_else(|| unfit("armies", "an integer", found))?;
    Ok((text_of(data, "from")?, text_of(data, "to")?, armies))
}
