//! The other side of the protocol: from the state that an arena tells to a position of the game.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

use super::{Asked, Words, country};
use crate::kernel::board::Board;
use crate::kernel::declare::Declaration;
use crate::kernel::id::{Card, Pile, Player, Unit};
use crate::kernel::state::GameState;
use crate::players::served::rule;
use crate::players::wire_json;

/// What the owner of free land is called on the wire.
const FREE: &str = "none";
/// The most actions of an arena's list that are looked at, and the most characters of one.
const MOST_OFFERED: usize = 32;
const LONGEST_OFFERED: usize = 100;
/// The most armies that a state may tell of in one place.
const MOST_ARMIES: i64 = 1_000_000;

/// What an arena tells, as a position.
pub struct Position {
    /// The game as far as the player sees it; what it does not see is filled in somehow.
    pub game: GameState,
    /// Who is asked.
    pub me: Player,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// The word for the game.
    pub uid: String,
    /// What the decision is about; nothing that is known, perhaps.
    pub(super) asked: Option<Asked>,
    pub(super) offered: Offered,
}

/// The names of the actions that an arena offers.
pub(super) struct Offered(Vec<String>);

impl Offered {
    fn read(you: &Value) -> Result<Self, String> {
        let actions = you.get("available_actions").and_then(Value::as_array);
        let actions = actions.ok_or("the state has no list `you.available_actions`")?;
        let words = actions.iter().take(MOST_OFFERED).filter_map(Value::as_str);
        let words: Vec<String> = words
            .filter(|word| word.chars().count() <= LONGEST_OFFERED)
            .map(str::to_owned)
            .collect();
        if words.is_empty() {
            return Err("`you.available_actions` offers nothing".to_owned());
        }
        Ok(Self(words))
    }

    pub(super) fn has(&self, action: &str) -> bool {
        self.0.iter().any(|word| word == action)
    }

    /// The first of these actions that is offered.
    pub(super) fn first_of<'a>(&self, actions: &[&'a str]) -> Option<&'a str> {
        actions.iter().copied().find(|action| self.has(action))
    }

    /// What is offered first.
    pub(super) fn first(&self) -> &str {
        &self.0[0]
    }

    /// What the decision is about.
    fn asked(&self) -> Option<Asked> {
        let kinds = [
            (Asked::Claim, &["choose_country"][..]),
            (Asked::Place, &["deploy_troops"]),
            (Asked::Trade, &["spend_cards", "pass"]),
            (Asked::Attack, &["attack", "end_attack_phase"]),
            (Asked::Fortify, &["reinforce", "end_turn"]),
        ];
        kinds
            .into_iter()
            .find(|(_, actions)| self.first_of(actions).is_some())
            .map(|(asked, _)| asked)
    }
}

/// The phase of the ruleset in which this is decided. While the board is set up armies come one by
/// one.
fn phase(asked: Option<Asked>, turn: u32, reserve: i64) -> &'static str {
    match asked {
        Some(Asked::Claim) => "claim",
        Some(Asked::Place) if turn == 0 && reserve <= 1 => "muster",
        Some(Asked::Place) => "deploy",
        Some(Asked::Trade) => "trade",
        Some(Asked::Attack) => "attack",
        Some(Asked::Fortify) | None => "fortify",
    }
}

/// The names of the players that a state tells of, in its order, and which of them is asked.
///
/// # Errors
/// What is wrong with the state.
pub fn players(state: &Value) -> Result<(Vec<String>, usize), String> {
    let Some(Value::Object(players)) = state.pointer("/game/players") else {
        return Err("the state has no object `game.players`".to_owned());
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

fn number(value: Option<&Value>, what: &str, most: i64) -> Result<i64, String> {
    let number = value
        .and_then(wire_json::whole)
        .filter(|number| (0..=most).contains(number));
    number.ok_or_else(|| format!("`{what}` is not a whole number from 0 to {most}"))
}

fn flag(value: Option<&Value>, what: &str) -> Result<bool, String> {
    value
        .and_then(Value::as_bool)
        .ok_or_else(|| format!("`{what}` is neither true nor false"))
}

impl Position {
    /// Reads a state.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(
        state: &Value,
        words: &Words,
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
    ) -> Result<Self, String> {
        let (names, me) = players(state)?;
        let me = Player::from_index(me);
        let mut game = GameState::new(Arc::clone(board), Arc::clone(decl), names.len(), 0, 0);
        let find = |name: &str| {
            names
                .iter()
                .position(|known| known == name)
                .map(Player::from_index)
        };
        let Some(Value::Object(lands)) = state.pointer("/game/countries") else {
            return Err("the state has no object `game.countries`".to_owned());
        };
        for at in board.territories() {
            let name = country(board, at);
            let land = lands
                .get(&*name)
                .ok_or_else(|| format!("the state has no country `{name}`: is it another map?"))?;
            let owner = land
                .get("owner")
                .and_then(Value::as_str)
                .ok_or("a country has no text `owner`")?;
            let troops = number(land.get("troops"), "troops", MOST_ARMIES)?;
            // Free land has no troops: where it has some, a player is called so at that arena.
            let named_so = || troops > 0 && find(owner).is_some();
            if owner != FREE || named_so() {
                let owner =
                    find(owner).ok_or_else(|| format!("the owner of `{name}` is no player"))?;
                game.set_owner(at, Some(owner));
            }
            rule(game.add_units(at, Unit(0), troops as i32))?;
        }
        if lands.len() != board.len() {
            return Err(format!(
                "the state has {} countries, and the map {}",
                lands.len(),
                board.len()
            ));
        }
        let turn = number(state.pointer("/game/turn"), "game.turn", 10_000_000)? as u32;
        let you = state.get("you").ok_or("the state has no `you`")?;
        let reserve = number(
            you.get("troops_to_deploy"),
            "you.troops_to_deploy",
            MOST_ARMIES,
        )?;
        rule(game.set_counter(words.reserve, Some(me), reserve))?;
        let earned = flag(
            you.get("earned_cards_this_turn"),
            "you.earned_cards_this_turn",
        )?;
        rule(game.set_counter(words.conquered, Some(me), i64::from(earned)))?;
        deal(&mut game, state, words, (&names, me))?;
        for (index, name) in names.iter().enumerate() {
            let (who, of) = (Player::from_index(index), &state["game"]["players"][name]);
            if flag(of.get("is_eliminated"), "is_eliminated")? {
                game.eliminate(who);
            } else if flag(of.get("is_neutral"), "is_neutral")? {
                game.neutralise(who);
            }
        }
        let offered = Offered::read(you)?;
        let asked = offered.asked();
        let phase = decl
            .phase(phase(asked, turn, reserve))
            .ok_or("the ruleset lost a phase")?;
        game.resume(turn, me, phase, [0; 3]);
        let uid = state
            .pointer("/game/uid")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .chars()
            .take(80)
            .collect();
        Ok(Self {
            game,
            me,
            names,
            uid,
            asked,
            offered,
        })
    }
}

/// Puts the cards where they are, as far as that is known.
fn deal(
    game: &mut GameState,
    state: &Value,
    words: &Words,
    (names, me): (&[String], Player),
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
    rule(game.fill(words.hand, Some(me), &hand))?;
    let most = left.len() as i64;
    let mut take = |game: &mut GameState, pile: Pile, of: Option<Player>, count: i64| {
        let cards: Vec<Card> = left.drain(..(count as usize).min(left.len())).collect();
        rule(game.fill(pile, of, &cards))
    };
    for (index, name) in names
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != me.index())
    {
        let count = number(state["game"]["players"][name].get("cards"), "cards", most)?;
        take(game, words.hand, Some(Player::from_index(index)), count)?;
    }
    let count = number(state.pointer("/game/cards_left"), "game.cards_left", most)?;
    take(game, words.deck, None, count)
}
