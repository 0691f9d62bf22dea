//! The state as a bot is told it.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::board_graph::country;
use super::vocabulary::Vocabulary;
use crate::kernel::event::Status;
use crate::kernel::id::{Card, Player, Territory};
use crate::kernel::view::View;

/// What is told beside what a player sees of the game.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// A word for the game.
    pub uid: String,
    /// What happened last.
    pub last_action: String,
    /// How often something was context.
    pub broadcasts: u64,
}

#[derive(Serialize)]
struct State<'a> {
    game: Game<'a>,
    you: You<'a>,
}

#[derive(Serialize)]
struct Game<'a> {
    countries: Keyed<Cow<'a, str>, Country<'a>>,
    players: Keyed<&'a str, OtherPlayer>,
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
struct You<'a> {
    name: &'a str,
    is_eliminated: bool,
    earned_cards_this_turn: bool,
    cards: Vec<HandCard<'a>>,
    countries: Vec<Cow<'a, str>>,
    troops_to_deploy: i64,
    available_actions: &'a [&'a str],
}

#[derive(Serialize)]
struct HandCard<'a> {
    country_name: Cow<'a, str>,
    value: Option<&'a str>,
}

/// An object whose keys are data.
struct Keyed<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Keyed<K, V> {
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

/// The state as a player sees it, with the actions it may choose from, as JSON.
///
/// # Panics
/// Never: all of it is plain data.
#[must_use]
pub fn state(
    vocabulary: &Vocabulary,
    view: &View,
    context: &Context,
    available: &[&str],
) -> String {
    let board = view.board();
    let name = |who: Option<Player>| who.map_or("none", |who| context.names[who.index()].as_str());
    let land = |at: Territory| Country {
        owner: name(view.owner(at)),
        troops: view.armies(at).unwrap_or_default(),
    };
    let other = |who: Player| {
        let status = view.status(who);
        let value = OtherPlayer {
            cards: view.pile_len(vocabulary.hand, Some(who)),
            is_eliminated: status == Status::Eliminated,
            is_neutral: status == Status::Neutral || status == Status::Forfeited,
        };
        (context.names[who.index()].as_str(), value)
    };
    let me = view.me();
    let state = State {
        game: Game {
            countries: Keyed(
                board
                    .territories()
                    .map(|at| (country(board, at), land(at)))
                    .collect(),
            ),
            players: Keyed(
                (0..view.players())
                    .map(Player::from_index)
                    .map(other)
                    .collect(),
            ),
            cards_left: view.pile_len(vocabulary.deck, None),
            turn: view.turn(),
            uid: &context.uid,
            last_action: &context.last_action,
            broadcast_count: context.broadcasts,
        },
        you: You {
            name: &context.names[me.index()],
            is_eliminated: view.status(me) == Status::Eliminated,
            earned_cards_this_turn: view
                .counter(vocabulary.conquered, Some(me))
                .unwrap_or_default()
                > 0,
            cards: view
                .pile(vocabulary.hand, Some(me))
                .unwrap_or_default()
                .iter()
                .map(|&of| hand_card(view, of))
                .collect(),
            countries: view.owned().map(|at| country(board, at)).collect(),
            troops_to_deploy: vocabulary.due(view),
            available_actions: available,
        },
    };
    serde_json::to_string(&state).expect("a state is plain data")
}
