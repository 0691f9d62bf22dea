//! The bot's side of the protocol: from the state that an arena tells to a position of the game.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

use super::board_graph::country;
use super::offered::Offered;
use super::vocabulary::{DecisionKind, Vocabulary};
use crate::error::ProtocolError;
use crate::json;
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::{Card, Pile, Player, Unit};
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;

/// What the owner of free land is called on the wire.
const FREE: &str = "none";
/// The most armies that a state may tell of in one place.
const MOST_ARMIES: i64 = 1_000_000;
/// The highest turn that a state may tell of.
const MOST_TURNS: i64 = 10_000_000;
/// How much is kept of an arena's word for a game, in characters.
const LONGEST_UID: usize = 80;

/// What an arena tells, as a position.
pub struct ArenaPosition {
    /// The game as far as the player sees it; what it does not see is filled in somehow.
    pub game: GameState,
    /// Who is asked.
    pub me: Player,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// The word for the game.
    pub uid: String,
    /// What the decision is about. `None` when nothing is offered that is known.
    pub decision: Option<DecisionKind>,
    /// What the arena offers.
    pub offered: Offered,
}

/// The state in a request, in whichever of the three encodings.
///
/// # Errors
/// When it is not JSON.
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

/// The phase of the ruleset in which this is decided. While the board is set up armies come
/// one by one.
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

/// The names of the players that a state tells of, in its order, and which of them is asked.
///
/// # Errors
/// What is wrong with the state.
pub fn players(state: &Value) -> Result<(Vec<String>, usize), ProtocolError> {
    let Some(Value::Object(players)) = state.pointer("/game/players") else {
        return Err("the state has no object `game.players`".into());
    };
    let names: Vec<String> = players.keys().cloned().collect();
    let me = state
        .pointer("/you/name")
        .and_then(Value::as_str)
        .ok_or("the state has no text `you.name`")?;
    let index = names.iter().position(|name| name == me);
    Ok((
        names,
        index.ok_or("`you.name` is not among `game.players`")?,
    ))
}

/// A ruleset's fault in its words.
fn fault(fault: &RuleFault) -> String {
    fault.to_string()
}

impl ArenaPosition {
    /// Reads a state.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(
        state: &Value,
        vocabulary: &Vocabulary,
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
    ) -> Result<Self, ProtocolError> {
        let (names, me) = players(state)?;
        let me = Player::from_index(me);
        let mut game = GameState::new(
            Arc::clone(board),
            Arc::clone(decl),
            names.len(),
            GameKey::of_numbers(0, 0),
        );
        settle(&mut game, state, &names)?;
        let turn = number(state.pointer("/game/turn"), "game.turn", MOST_TURNS)? as u32;
        let you = state.get("you").ok_or("the state has no `you`")?;
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
        let offered = Offered::read(you)?;
        let decision = offered.decision();
        let phase = decl
            .phase(phase(decision, turn, reserve))
            .ok_or("the ruleset lost a phase")?;
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

/// Puts owners and troops on the board.
fn settle(game: &mut GameState, state: &Value, names: &[String]) -> Result<(), String> {
    let find = |name: &str| {
        let index = names.iter().position(|known| known == name);
        index.map(Player::from_index)
    };
    let Some(Value::Object(countries)) = state.pointer("/game/countries") else {
        return Err("the state has no object `game.countries`".to_owned());
    };
    let board = Arc::clone(game.board());
    for at in board.territories() {
        let name = country(&board, at);
        let entry = countries
            .get(&*name)
            .ok_or_else(|| format!("the state has no country `{name}`: is it another map?"))?;
        let owner = entry
            .get("owner")
            .and_then(Value::as_str)
            .ok_or("a country has no text `owner`")?;
        let troops = number(entry.get("troops"), "troops", MOST_ARMIES)?;
        // Free land has no troops: where it has some, a player is called so at that arena.
        let named_so = || troops > 0 && find(owner).is_some();
        if owner != FREE || named_so() {
            let owner =
                find(owner).ok_or_else(|| format!("the owner of `{name}` is not a player"))?;
            game.set_owner(at, Some(owner));
        }
        game.add_units(at, Unit::FIRST, troops as i32)
            .map_err(|found| fault(&found))?;
    }
    if countries.len() != board.len() {
        return Err(format!(
            "the state has {} countries, and the map {}",
            countries.len(),
            board.len()
        ));
    }
    Ok(())
}

/// Takes those out who are out.
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

/// Puts the cards where they are, as far as that is known.
fn deal(
    game: &mut GameState,
    state: &Value,
    vocabulary: &Vocabulary,
    names: &[String],
    me: Player,
) -> Result<(), String> {
    let mut left: VecDeque<Card> = (0..game.decl().cards.len()).map(Card::from_index).collect();
    let Some(Value::Array(cards)) = state.pointer("/you/cards") else {
        return Err("the state has no list `you.cards`".to_owned());
    };
    let mut hand = Vec::new();
    for card in cards {
        let name = card
            .get("country_name")
            .and_then(Value::as_str)
            .ok_or("a card has no text `country_name`")?;
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
            .ok_or_else(|| format!("there is no card `{name}`, or it is twice"))?;
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
    let number = value
        .and_then(json::whole_number)
        .filter(|number| (0..=most).contains(number));
    number.ok_or_else(|| format!("`{what}` is not a whole number from 0 to {most}"))
}

fn flag(value: Option<&Value>, what: &str) -> Result<bool, String> {
    value
        .and_then(Value::as_bool)
        .ok_or_else(|| format!("`{what}` is neither true nor false"))
}
