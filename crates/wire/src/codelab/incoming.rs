//! Events that players send.

use serde_json::{Map, Value};

use crate::error::ProtocolError;
use crate::json::{fitting, parse_unique_keys, whole_number};
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
        let name = fitting("event", "a string", value.get("event"), Value::as_str)?;
        let data = fitting("data", "an object", value.get("data"), Value::as_object)?;
        let read = |id: &Value| u64::try_from(whole_number(id)?).ok();
        let player = fitting("playerId", "a player's id", data.get("playerId"), read)?;
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
    let text = fitting(key, "a string", data.get(key), Value::as_str)?;
    if text.chars().count() > LONGEST {
        return Err(format!("`{key}` exceeds {LONGEST} characters"));
    }
    Ok(text.to_owned())
}

fn between(data: &Map<String, Value>) -> Result<(String, String, i32), String> {
    let read = |armies: &Value| i32::try_from(whole_number(armies)?).ok();
    let armies = fitting("armies", "an integer", data.get("armies"), read)?;
    Ok((text_of(data, "from")?, text_of(data, "to")?, armies))
}
