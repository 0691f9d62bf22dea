//! The state of a game as seen by a player.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::NamedValues;
use super::offers::{Lexicon, Word, WordList};
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Card, Counter, Mark, Pile, Player, Unit};
use risk_kernel::state::Frame;
use risk_kernel::view::View;

/// A state of the game. Lists of territories and players follow the order of the message `game`.
/// Values hidden from the bot are `null`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct State<'a> {
    /// The round number, or 0 during the set-up.
    pub(super) round: u32,
    /// The number of the player-turn, or 0 during the set-up.
    pub(super) turn: u32,
    /// The owner of each territory, or -1 if it has none.
    pub(super) owners: Vec<Option<i32>>,
    /// The number of units in each territory, by kind of unit.
    #[serde(borrow)]
    pub(super) units: NamedValues<'a, Vec<Option<i32>>>,
    /// The status of each player: `playing`, `neutral`, `forfeited` or `eliminated`.
    #[serde(borrow)]
    pub(super) statuses: Vec<Cow<'a, str>>,
    /// The ruleset's counters by name.
    #[serde(borrow)]
    pub(super) counters: NamedValues<'a, ByHolder<Option<i64>>>,
    /// The piles of cards by name.
    #[serde(borrow)]
    pub(super) piles: NamedValues<'a, ByHolder<PileOut<'a>>>,
    /// The value of each mark in each territory, by name, if the ruleset has marks.
    #[serde(borrow, default, skip_serializing_if = "NamedValues::is_empty")]
    pub(super) marks: NamedValues<'a, Vec<Option<i32>>>,
    /// The pairs of territories between which the borders are closed now, if there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) closed: Vec<[u16; 2]>,
    /// The bot's own pending orders, in order of execution.
    #[serde(borrow)]
    pub(super) orders: Vec<WordList<'a>>,
    /// The course of the game, for bots that want `course`.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(super) course: Option<Course<'a>>,
}

/// The public course of the game, which the rules need to continue from the state.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct Course<'a> {
    /// The number of answers so far.
    pub(super) answers: u64,
    /// The player whose turn it is.
    pub(super) mover: Option<u8>,
    /// The number of faults of each player.
    pub(super) strikes: Vec<u32>,
    /// The eliminated players in order, each with the round of elimination.
    pub(super) out: Vec<(u8, u32)>,
    /// The open phases, ending with the current phase.
    #[serde(borrow)]
    pub(super) frames: Vec<FrameOut<'a>>,
}

/// An open phase.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct FrameOut<'a> {
    /// The phase.
    #[serde(borrow)]
    pub(super) phase: Cow<'a, str>,
    /// The players who still have a decision.
    pub(super) players: Vec<u8>,
    /// The player for whom the phase was opened, or `null` if it was not opened for a single
    /// player.
    pub(super) opened_for: Option<u8>,
    /// The numbers with which the phase was opened.
    pub(super) args: [i32; 3],
    /// Whether the rules have entered the phase.
    pub(super) entered: bool,
}

/// A value for the table and for each player.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct ByHolder<T> {
    /// The table's value.
    pub(super) table: T,
    /// The players' values, by seat.
    pub(super) players: Vec<T>,
}

impl<T> ByHolder<T> {
    /// Returns the players' values, followed by the table's value.
    pub(super) fn holders(&self) -> impl Iterator<Item = &T> {
        self.players.iter().chain([&self.table])
    }
}

/// A pile of cards.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct PileOut<'a> {
    /// The number of cards.
    pub(super) count: usize,
    /// The names of the cards, ending with the top card.
    #[serde(borrow)]
    pub(super) cards: Option<Vec<Word<'a>>>,
}

fn course<'a>(view: &'a View, lexicon: Lexicon<'a>) -> Course<'a> {
    let frame = |frame: &Frame| FrameOut {
        phase: Cow::Borrowed(&lexicon.decl.phases[frame.phase.index()].name),
        players: frame.players.iter().map(|player| player.0).collect(),
        opened_for: frame.opened_for.map(|player| player.0),
        args: frame.args,
        entered: frame.is_entered(),
    };
    let out = view.eliminated();
    Course {
        answers: view.answers(),
        mover: view.mover().map(|player| player.0),
        strikes: (0..view.players())
            .map(|seat| view.strikes(Player::from_index(seat)))
            .collect(),
        out: out.map(|(player, round)| (player.0, round)).collect(),
        frames: view.frames().iter().map(frame).collect(),
    }
}

/// Returns the state that a player sees. `with_course` adds the course of the game.
pub(super) fn state<'a>(view: &'a View, lexicon: Lexicon<'a>, with_course: bool) -> State<'a> {
    let decl = lexicon.decl;
    let seats = || (0..view.players()).map(Player::from_index);
    let owner = |at| match view.owner(at) {
        Some(player) => Some(i32::from(player.0)),
        None => view.sees_owner(at).then_some(-1),
    };
    let units = |unit| {
        let unit = Unit::from_index(unit);
        let here = |at| view.units(at, unit);
        lexicon.board.territories().map(here).collect()
    };
    let mark = |mark| {
        let here = |at| view.mark(at, Mark::from_index(mark));
        lexicon.board.territories().map(here).collect()
    };
    let counter = |counter: usize| {
        let value = |of| view.counter(Counter::from_index(counter), of);
        ByHolder {
            table: value(None),
            players: seats().map(|seat| value(Some(seat))).collect(),
        }
    };
    let pile = |pile: usize| {
        let pile = Pile::from_index(pile);
        let word = |card: &Card| lexicon.word(SlotKind::Card, i32::from(card.0));
        let named = |cards: &[Card]| cards.iter().map(word).collect();
        let one = |of| PileOut {
            count: view.pile_len(pile, of),
            cards: view.pile(pile, of).map(named),
        };
        ByHolder {
            table: one(None),
            players: seats().map(|seat| one(Some(seat))).collect(),
        }
    };
    let orders = view.orders().map(|order| lexicon.action(*order));
    State {
        round: view.round(),
        turn: view.turn(),
        owners: lexicon.board.territories().map(owner).collect(),
        units: NamedValues::new(decl.units.iter().map(String::as_str), units),
        statuses: seats()
            .map(|seat| view.status(seat).as_str().into())
            .collect(),
        counters: NamedValues::new(decl.counters.iter().map(|info| info.name.as_str()), counter),
        piles: NamedValues::new(decl.piles.iter().map(|info| info.name.as_str()), pile),
        marks: NamedValues::new(decl.marks.iter().map(|info| info.name.as_str()), mark),
        closed: (view.closed_borders())
            .map(|(from, to)| [from.0, to.0])
            .collect(),
        orders: orders.collect(),
        course: with_course.then(|| course(view, lexicon)),
    }
}
