//! The state in a message to a bot.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::board_graph::country;
use super::vocabulary::Vocabulary;
use super::wire_action::WireAction;
use risk_kernel::event::Status;
use risk_kernel::id::{Card, Player};
use risk_kernel::view::{Facts, View, view_in_public};

/// Data sent in addition to a player's view of the game.
#[derive(Clone, Debug, Default)]
pub struct GameContext {
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// An identifier of the game.
    pub uid: String,
    /// A description of the last event.
    pub last_action: String,
    /// The number of decisions and faults broadcast so far.
    pub broadcasts: u64,
}

#[derive(Serialize)]
struct StateJson<'a> {
    game: GameJson<'a>,
    you: OwnPlayer<'a>,
}

#[derive(Serialize)]
struct GameJson<'a> {
    countries: KeyedObject<Cow<'a, str>, Country<'a>>,
    players: KeyedObject<&'a str, OtherPlayer>,
    cards_left: usize,
    turn: u32,
    uid: &'a str,
    last_action: &'a str,
    broadcast_count: u64,
}

#[derive(Serialize)]
struct Country<'a> {
    owner: &'a str,
    troops: i32,
}

#[derive(Serialize)]
struct OtherPlayer {
    cards: usize,
    is_eliminated: bool,
    is_neutral: bool,
}

#[derive(Serialize)]
struct OwnPlayer<'a> {
    name: &'a str,
    is_eliminated: bool,
    earned_cards_this_turn: bool,
    cards: Vec<HandCard<'a>>,
    countries: Vec<Cow<'a, str>>,
    troops_to_deploy: i64,
    available_actions: Vec<&'static str>,
}

#[derive(Serialize)]
struct HandCard<'a> {
    country_name: Cow<'a, str>,
    value: Option<&'a str>,
}

/// An object with arbitrary keys.
struct KeyedObject<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for KeyedObject<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

fn hand_card<'a>(view: &'a View, card: Card) -> HandCard<'a> {
    let info = &view.decl().cards[card.index()];
    let country_name = info.at.map_or(Cow::Borrowed(info.name.as_str()), |at| {
        country(view.board(), at)
    });
    let kind = usize::try_from(info.kind)
        .ok()
        .and_then(|kind| view.decl().card_kinds.get(kind));
    HandCard {
        country_name,
        value: kind.map(String::as_str),
    }
}

/// Returns the state that a player sees as JSON, with the available actions.
///
/// # Panics
/// Never panics, because the state is plain data.
#[must_use]
pub fn state(
    vocabulary: &Vocabulary,
    view: &View,
    context: &GameContext,
    available: &[WireAction],
) -> String {
    let state = StateJson {
        game: game(vocabulary, view, context),
        you: you(vocabulary, view, context, available),
    };
    serde_json::to_string(&state).expect("a state is plain data")
}

/// Returns the public state of a game as JSON.
///
/// # Panics
/// Never panics, because the state is plain data.
#[must_use]
pub fn broadcast(vocabulary: &Vocabulary, facts: &Facts, context: &GameContext) -> String {
    let view = view_in_public(facts);
    let game = game(vocabulary, &view, context);
    serde_json::to_string(&game).expect("a state is plain data")
}

fn game<'a>(vocabulary: &Vocabulary, view: &'a View, context: &'a GameContext) -> GameJson<'a> {
    let board = view.board();
    let name = |player: Player| context.names[player.index()].as_str();
    let countries = board.territories().map(|at| {
        let value = Country {
            owner: view.owner(at).map_or("none", name),
            troops: view.armies(at).unwrap_or_default(),
        };
        (country(board, at), value)
    });
    let players = (0..view.players()).map(Player::from_index).map(|player| {
        let status = view.status(player);
        let value = OtherPlayer {
            cards: view.pile_len(vocabulary.hand, Some(player)),
            is_eliminated: status == Status::Eliminated,
            is_neutral: status == Status::Neutral || status == Status::Forfeited,
        };
        (name(player), value)
    });
    GameJson {
        countries: KeyedObject(countries.collect()),
        players: KeyedObject(players.collect()),
        cards_left: view.pile_len(vocabulary.deck, None),
        turn: view.turn(),
        uid: &context.uid,
        last_action: &context.last_action,
        broadcast_count: context.broadcasts,
    }
}

fn you<'a>(
    vocabulary: &Vocabulary,
    view: &'a View,
    context: &'a GameContext,
    available: &[WireAction],
) -> OwnPlayer<'a> {
    let me = view.me();
    let conquered = view.counter(vocabulary.conquered, Some(me));
    let hand = view.pile(vocabulary.hand, Some(me)).unwrap_or_default();
    let countries = view.owned().map(|at| country(view.board(), at));
    OwnPlayer {
        name: &context.names[me.index()],
        is_eliminated: view.status(me) == Status::Eliminated,
        earned_cards_this_turn: conquered.unwrap_or_default() > 0,
        cards: hand.iter().map(|&card| hand_card(view, card)).collect(),
        countries: countries.collect(),
        troops_to_deploy: vocabulary.due(view),
        available_actions: available.iter().map(|action| action.as_str()).collect(),
    }
}
