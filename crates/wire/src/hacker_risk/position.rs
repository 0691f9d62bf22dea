//! The bot's side of the protocol. Converts an arena's state into a position.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

use super::board_graph::country;
use super::offered::OfferedActions;
use super::vocabulary::{DecisionKind, Vocabulary};
use crate::decl_lookup::DeclLookup;
use crate::error::ProtocolError;
use crate::json;
use crate::quote::brief;
use risk_engine::empty_game;
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::{Card, Pile, Player, Unit};
use risk_kernel::state::GameState;

/// The owner of a free territory, as named in the protocol.
const FREE: &str = "none";
/// The maximum number of armies that a state may contain for one territory.
const MOST_ARMIES: i64 = 1_000_000;
/// The highest turn number that a state may contain.
const MOST_TURNS: i64 = 10_000_000;
/// The maximum length of an arena's game identifier, in characters. Longer identifiers are
/// truncated.
const LONGEST_UID: usize = 80;
/// The likely reason for countries that do not match the map.
const OTHER_MAP: &str = "the arena plays on another map";

/// A position, as described by an arena.
pub struct ArenaPosition {
    /// The game as seen by the player. Hidden parts have arbitrary values.
    pub game: GameState,
    /// The player who has to decide.
    pub me: Player,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// The arena's identifier of the game.
    pub uid: String,
    /// The kind of decision, or `None` if the arena offers no known action.
    pub decision: Option<DecisionKind>,
    /// The actions that the arena offers.
    pub offered: OfferedActions,
}

/// Returns the state in a request, in any of the three encodings.
///
/// # Errors
/// Returns an error if the request is not JSON.
pub fn request(text: &str) -> Result<Value, ProtocolError> {
    let form = form_urlencoded::parse(text.as_bytes()).find(|(key, _)| key == "risk");
    let json = match &form {
        Some((_, value)) if !text.trim_start().starts_with('{') => value,
        _ => text,
    };
    let mut value = json::parse_unique_keys(json, "request")?;
    match value.get_mut("risk") {
        Some(inner @ Value::Object(_)) => Ok(inner.take()),
        _ => Ok(value),
    }
}

/// Returns the ruleset's phase for a decision. During the set-up, players place one army at a time.
fn phase(decision: Option<DecisionKind>, turn: u32, reserve: i64) -> &'static str {
    match decision {
        Some(DecisionKind::Claim) => "claim",
        Some(DecisionKind::Place) if turn == 0 && reserve <= 1 => "muster",
        Some(DecisionKind::Place) => "deploy",
        Some(DecisionKind::Trade) => "trade",
        Some(DecisionKind::Attack) => "attack",
        Some(DecisionKind::Fortify) | None => "fortify",
    }
}

/// Returns the players' names in the order of the state, and the index of the player who has to
/// decide.
///
/// # Errors
/// Returns an error if the state is malformed.
pub fn players(state: &Value) -> Result<(Vec<String>, usize), ProtocolError> {
    let Some(Value::Object(players)) = state.pointer("/game/players") else {
        return Err("missing object `game.players`".into());
    };
    let names: Vec<String> = players.keys().cloned().collect();
    let me = state
        .pointer("/you/name")
        .and_then(Value::as_str)
        .ok_or("missing string `you.name`")?;
    let index = names.iter().position(|name| name == me);
    Ok((
        names,
        index.ok_or("`you.name` must be one of `game.players`")?,
    ))
}

fn fault(fault: &RuleFault) -> String {
    fault.to_string()
}

impl ArenaPosition {
    /// Parses a state.
    ///
    /// # Errors
    /// Returns an error if the state is invalid.
    pub fn read(
        state: &Value,
        vocabulary: &Vocabulary,
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
    ) -> Result<Self, ProtocolError> {
        let (names, me) = players(state)?;
        let me = Player::from_index(me);
        let mut game = empty_game(board, decl, names.len());
        settle(&mut game, state, &names)?;
        let turn = number(state.pointer("/game/turn"), "game.turn", MOST_TURNS)? as u32;
        let you = state.get("you").ok_or("missing object `you`")?;
        let reserve = you.get("troops_to_deploy");
        let reserve = number(reserve, "you.troops_to_deploy", MOST_ARMIES)?;
        game.set_counter(vocabulary.reserve, Some(me), reserve)
            .map_err(|found| fault(&found))?;
        let earned = you.get("earned_cards_this_turn");
        let earned = flag(earned, "you.earned_cards_this_turn")?;
        game.set_counter(vocabulary.conquered, Some(me), i64::from(earned))
            .map_err(|found| fault(&found))?;
        deal(&mut game, state, vocabulary, &names, me)?;
        retire(&mut game, state, &names)?;
        let offered = OfferedActions::read(you)?;
        let decision = offered.decision();
        let phase = DeclLookup(decl).phase(phase(decision, turn, reserve))?;
        game.resume(turn, me, phase, [0; 3]);
        let uid = state.pointer("/game/uid").and_then(Value::as_str);
        let uid = uid.unwrap_or_default().chars().take(LONGEST_UID).collect();
        Ok(Self {
            game,
            me,
            names,
            uid,
            decision,
            offered,
        })
    }
}

fn settle(game: &mut GameState, state: &Value, names: &[String]) -> Result<(), String> {
    let find = |name: &str| {
        let index = names.iter().position(|known| known == name);
        index.map(Player::from_index)
    };
    let Some(Value::Object(countries)) = state.pointer("/game/countries") else {
        return Err("missing object `game.countries`".to_owned());
    };
    let board = Arc::clone(game.board());
    for at in board.territories() {
        let name = country(&board, at);
        let entry = countries
            .get(&*name)
            .ok_or_else(|| format!("missing country `{name}`: {OTHER_MAP}"))?;
        let owner = entry
            .get("owner")
            .and_then(Value::as_str)
            .ok_or_else(|| format!("missing string `owner` of `{name}`"))?;
        let troops = number(entry.get("troops"), "troops", MOST_ARMIES)?;
        // Free territories have no troops. A territory with troops belongs to a player with this
        // name.
        let named_so = || troops > 0 && find(owner).is_some();
        if owner != FREE || named_so() {
            let player = find(owner).ok_or_else(|| {
                let owner = brief(owner);
                format!("the owner of `{name}` must be a player or {FREE}, found `{owner}`")
            })?;
            game.set_owner(at, Some(player));
        }
        game.add_units(at, Unit::FIRST, troops as i32)
            .map_err(|found| fault(&found))?;
    }
    if countries.len() != board.len() {
        return Err(format!(
            "expected {} countries, found {}: {OTHER_MAP}",
            board.len(),
            countries.len()
        ));
    }
    Ok(())
}

/// Marks eliminated and neutral players.
fn retire(game: &mut GameState, state: &Value, names: &[String]) -> Result<(), String> {
    for (index, name) in names.iter().enumerate() {
        let player = Player::from_index(index);
        let entry = &state["game"]["players"][name];
        if flag(entry.get("is_eliminated"), "is_eliminated")? {
            game.eliminate(player);
        } else if flag(entry.get("is_neutral"), "is_neutral")? {
            game.neutralise(player);
        }
    }
    Ok(())
}

/// Distributes the cards whose location is known.
fn deal(
    game: &mut GameState,
    state: &Value,
    vocabulary: &Vocabulary,
    names: &[String],
    me: Player,
) -> Result<(), String> {
    let mut left: VecDeque<Card> = (0..game.decl().cards.len()).map(Card::from_index).collect();
    let Some(Value::Array(cards)) = state.pointer("/you/cards") else {
        return Err("missing list `you.cards`".to_owned());
    };
    let mut hand = Vec::new();
    for card in cards {
        let name = card
            .get("country_name")
            .and_then(Value::as_str)
            .ok_or("missing string `country_name` of a card")?;
        let is_it = |of: &Card| {
            let info = &game.decl().cards[of.index()];
            let wild = name == "wild" && info.at.is_none();
            wild || info
                .at
                .map_or(info.name == name, |at| country(game.board(), at) == name)
        };
        let index = left
            .iter()
            .position(is_it)
            .ok_or_else(|| format!("unknown or duplicate card `{}`", brief(name)))?;
        hand.extend(left.remove(index));
    }
    game.fill(vocabulary.hand, Some(me), &hand)
        .map_err(|found| fault(&found))?;
    let most = left.len() as i64;
    let mut take = |game: &mut GameState, pile: Pile, of: Option<Player>, count: i64| {
        let cards: Vec<Card> = left.drain(..(count as usize).min(left.len())).collect();
        game.fill(pile, of, &cards).map_err(|found| fault(&found))
    };
    for (index, name) in names
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != me.index())
    {
        let count = number(state["game"]["players"][name].get("cards"), "cards", most)?;
        take(
            game,
            vocabulary.hand,
            Some(Player::from_index(index)),
            count,
        )?;
    }
    let count = number(state.pointer("/game/cards_left"), "game.cards_left", most)?;
    take(game, vocabulary.deck, None, count)
}

fn number(value: Option<&Value>, what: &str, most: i64) -> Result<i64, String> {
    let read = |it| json::whole_number(it).filter(|number| (0..=most).contains(number));
    json::fitting(what, &format!("an integer from 0 to {most}"), value, read)
}

fn flag(value: Option<&Value>, what: &str) -> Result<bool, String> {
    json::fitting(what, "true or false", value, Value::as_bool)
}
