//! The description of a game, and its comparison with the local game.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand_xoshiro::rand_core::SeedableRng;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::position::position;
use super::{ReadResult, list, number, object, text};
use crate::error::ProtocolError;
use crate::json::{no_object, unfit, whole_number};
use crate::line_json::game::game;
use crate::line_json::offers::Lexicon;
use crate::line_json::state::State;
use crate::quote::brief;
use risk_engine::empty_game;
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::id::{MAX_PLAYERS, Player};
use risk_kernel::rng::Stream;
use risk_kernel::view::{Facts, View};
use risk_text::plural::counted;

/// A game, as described by the message `game`.
#[derive(Debug)]
pub struct GameMessage {
    /// The ruleset's name.
    pub ruleset: String,
    /// The names and values of the options in effect.
    pub options: Vec<(String, String)>,
    /// The players' names, by seat.
    pub players: Vec<String>,
    /// The bot's own player.
    pub you: Player,
    /// The seed for the bot's own dice.
    pub seed: u64,
    /// The bot's own random stream, if the message includes it.
    pub stream: Option<Stream>,
    /// The map in the format of this program's map files.
    pub map: String,
    /// The whole message.
    message: Map<String, Value>,
}

impl GameMessage {
    /// Parses the message `game`.
    ///
    /// # Errors
    /// Returns an error if the message is invalid.
    pub fn read(message: Map<String, Value>) -> Result<Self, ProtocolError> {
        let options = object(&message, "options")?.iter();
        let word = |(name, value): (&String, &Value)| {
            let value = match value {
                Value::String(word) => word.clone(),
                other => other.to_string(),
            };
            (name.clone(), value)
        };
        let players = list(&message, "players")?.iter();
        let players: Vec<String> = players
            .map(|name| name.as_str().unwrap_or_default().to_owned())
            .collect();
        let you: usize = number(&message, "you")?;
        if players.len() > MAX_PLAYERS || you >= players.len() {
            let players = counted(players.len(), "player");
            return Err(format!("no player {you}: the game has {players}").into());
        }
        Ok(Self {
            ruleset: text(&message, "ruleset")?.to_owned(),
            options: options.map(word).collect(),
            you: Player::from_index(you),
            seed: message.get("seed").and_then(whole_number).unwrap_or(0) as u64,
            stream: stream(&message)?,
            map: map_file(object(&message, "map")?)?.to_string(),
            players,
            message,
        })
    }

    /// Returns the bot's view at the start of the game. Without a state in the message, the view
    /// shows the board before the set-up.
    ///
    /// # Errors
    /// Returns an error if the state in the message is invalid.
    pub fn view(&self, board: &Arc<Board>, decl: &Arc<Declaration>) -> Result<View, ProtocolError> {
        let players = self.players.len();
        if let Some(view) = state_view(board, decl, self.you, players, &self.message)? {
            return Ok(view);
        }
        let game = empty_game(board, decl, players);
        Ok(View::new(&Facts::new(game), self.you))
    }

    /// Returns the state in a message of this game, if the message has one.
    ///
    /// # Errors
    /// Returns an error if the state is invalid.
    pub fn state(
        &self,
        view: &View,
        message: &Map<String, Value>,
    ) -> Result<Option<View>, ProtocolError> {
        let board = Arc::clone(view.shared_board());
        let players = self.players.len();
        Ok(state_view(&board, view.decl(), self.you, players, message)?)
    }

    /// Checks that the described game agrees with the local game.
    ///
    /// # Errors
    /// Returns an error that names the difference.
    pub fn fits(&self, view: &View) -> Result<(), ProtocolError> {
        let lexicon = Lexicon::new(view.board(), view.decl());
        let ours = serde_json::to_value(game(lexicon, view, &self.players));
        let ours = ours.map_err(|error| error.to_string())?;
        for key in [
            "options", "map", "verbs", "phases", "units", "counters", "marks", "piles", "cards",
        ] {
            if !agrees(&ours[key], self.message.get(key).unwrap_or(&Value::Null)) {
                return Err(format!(
                    "`{key}` differs from this program's ruleset {}: use the same version",
                    brief(&self.ruleset)
                )
                .into());
            }
        }
        Ok(())
    }
}

/// Returns the player's view of the state in a message, if the message has one.
fn state_view(
    board: &Arc<Board>,
    decl: &Arc<Declaration>,
    me: Player,
    players: usize,
    message: &Map<String, Value>,
) -> ReadResult<Option<View>> {
    if message.get("state").is_none_or(Value::is_null) {
        return Ok(None);
    }
    let lexicon = Lexicon::new(board, decl);
    let state = message.get("state").unwrap_or(&Value::Null);
    let state = State::deserialize(state).map_err(|error| format!("invalid `state`: {error}"))?;
    let seen = position(lexicon, me, players, &state, None)?.facts(board, decl);
    let seen = seen.map_err(String::from)?;
    Ok(Some(View::new(&seen, me)))
}

fn stream(message: &Map<String, Value>) -> ReadResult<Option<Stream>> {
    let Some(words) = message.get("stream").filter(|words| !words.is_null()) else {
        return Ok(None);
    };
    let wrong = || "`stream` must have 64 hexadecimal digits".to_owned();
    let digits = words.as_str().filter(|digits| digits.len() == 64);
    let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let mut seed = Vec::new();
    for word in digits.ok_or_else(wrong)?.as_bytes().chunks_exact(16) {
        let word = std::str::from_utf8(word).map_err(|_| wrong())?;
        let word = u64::from_str_radix(word, 16).map_err(|_| wrong())?;
        seed.extend(word.to_le_bytes());
    }
    let seed: [u8; 32] = seed.try_into().map_err(|_| wrong())?;
    Ok(Some(Stream::from_generator(SeedableRng::from_seed(seed))))
}

/// Reports whether the other description agrees with ours. The other description may contain
/// additional data.
fn agrees(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => ours
            .iter()
            .all(|(key, value)| theirs.get(key).is_some_and(|other| agrees(value, other))),
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len()
                && ours
                    .iter()
                    .zip(theirs)
                    .all(|(one, other)| agrees(one, other))
        }
        (Value::Number(_), Value::Number(_)) => {
            ours == theirs || whole_number(ours) == whole_number(theirs)
        }
        _ => ours == theirs,
    }
}

/// Returns the id of the object with this number in a list.
fn id(all: &[Value], index: &Value) -> Option<Value> {
    let index = whole_number(index).and_then(|index| usize::try_from(index).ok());
    index.and_then(|index| all.get(index)?.get("id").cloned())
}

/// Replaces numbers by ids in the fields of a group, or of a territory with armies each turn.
fn with_ids(
    object: &Map<String, Value>,
    territories: &[Value],
    groups: &[Value],
) -> ReadResult<Map<String, Value>> {
    let mut written = Map::new();
    const COPIED: [&str; 9] = [
        "id",
        "name",
        "bonus",
        "needs",
        "steps",
        "each_turn",
        "strength",
        "neutral",
        "resets",
    ];
    for key in COPIED {
        written.extend(object.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    for (key, all) in [
        ("deploys", territories),
        ("territories", territories),
        ("groups", groups),
        ("overrides", groups),
    ] {
        let unknown = |index: &Value| unfit(key, "numbers of the map", Some(index));
        let value = match object.get(key) {
            None | Some(Value::Null) => continue,
            Some(Value::Array(list)) => {
                let ids = list.iter();
                let ids = ids.map(|index| id(all, index).ok_or_else(|| unknown(index)));
                Value::Array(ids.collect::<ReadResult<_>>()?)
            }
            Some(index) => id(all, index).ok_or_else(|| unknown(index))?,
        };
        written.insert(key.to_owned(), value);
    }
    Ok(written)
}

/// Returns the data of a border, a group or the whole map, which may be left out.
fn data(object: &Map<String, Value>) -> Map<String, Value> {
    let data = object.get("data").and_then(Value::as_object);
    data.cloned().unwrap_or_default()
}

/// Converts a continent or another group to the format of map files.
fn group(found: &Value, territories: &[Value], groups: &[Value]) -> ReadResult<Map<String, Value>> {
    let object = found.as_object().ok_or_else(|| no_object(found))?;
    let mut written = with_ids(object, territories, groups)?;
    written.insert("data".to_owned(), data(object).into());
    Ok(written)
}

/// Converts the data of a border to the format of map files.
fn special_border(
    said: &Map<String, Value>,
    to: Value,
    territories: &[Value],
    groups: &[Value],
) -> ReadResult<Value> {
    let mut border = data(said);
    border.insert("to".to_owned(), to);
    for key in ["kind", "strength"] {
        let value = said.get(key).filter(|value| !value.is_null());
        border.extend(value.map(|value| (key.to_owned(), value.clone())));
    }
    for (key, all) in [
        ("open_if_territory", territories),
        ("open_if_group", groups),
    ] {
        if let Some(index) = said.get(key).filter(|index| !index.is_null()) {
            let unknown = || unfit(key, "a number of the map", Some(index));
            let holds = id(all, index).ok_or_else(unknown)?;
            border.insert("open_if".to_owned(), json!({ "holds": holds }));
        }
    }
    Ok(border.into())
}

/// Converts a map to the format of this program's map files.
fn map_file(map: &Map<String, Value>) -> ReadResult<Value> {
    let continents = list(map, "continents")?;
    let territories = list(map, "territories")?;
    let groups = map.get("groups").and_then(Value::as_array);
    let all_groups = [continents, groups.map_or(&[][..], Vec::as_slice)].concat();
    let mut crossings: BTreeSet<(i64, i64)> = BTreeSet::new();
    for (from, territory) in (0..).zip(territories) {
        let borders = territory.get("borders").and_then(Value::as_array);
        let borders = borders.into_iter().flatten().filter_map(whole_number);
        crossings.extend(borders.map(|to| (from, to)));
    }
    let mut written = Vec::new();
    for (index, territory) in (0..).zip(territories) {
        let found = territory;
        let territory = found.as_object().ok_or_else(|| no_object(found))?;
        let mut borders = Vec::new();
        let mut one_way = Vec::new();
        let special = territory.get("special").and_then(Value::as_array);
        let special = special.map_or(&[][..], Vec::as_slice);
        for number in list(territory, "borders")? {
            let back = whole_number(number).is_some_and(|next| crossings.contains(&(next, index)));
            let found = id(territories, number);
            let unknown = || unfit("borders", "territories of the map", Some(number));
            let next = found.ok_or_else(unknown)?;
            let mut specials = special.iter().filter_map(Value::as_object);
            let said =
                specials.find(|it| it.get("to").and_then(whole_number) == whole_number(number));
            let next = match said {
                Some(said) => special_border(said, next, territories, &all_groups)?,
                None => next,
            };
            if back { &mut borders } else { &mut one_way }.push(next);
        }
        let mut described = object(territory, "data")?.clone();
        text(territory, "id")?;
        text(territory, "name")?;
        described.extend(with_ids(territory, territories, &[])?);
        described.insert("borders".to_owned(), borders.into());
        described.insert("one_way".to_owned(), one_way.into());
        if let Some(continent) = territory.get("continent").filter(|index| !index.is_null()) {
            let found = id(continents, continent);
            let unknown = || unfit("continent", "a continent of the map", Some(continent));
            let continent = found.ok_or_else(unknown)?;
            described.insert("continent".to_owned(), continent);
        }
        written.push(Value::Object(described));
    }
    let described = all_groups.iter();
    let described = described.map(|found| group(found, territories, &all_groups));
    let mut described = described.collect::<ReadResult<Vec<_>>>()?;
    let groups = described.split_off(continents.len());
    Ok(json!({
        "name": text(map, "name")?,
        "data": data(map),
        "continents": described,
        "groups": groups,
        "territories": written,
    }))
}
