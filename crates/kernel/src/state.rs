//! The state of a game as flat integers, and the functions that read it.

use std::sync::Arc;

use super::action::Action;
use super::board::Board;
use super::declare::Declaration;
use super::event::{Event, Status};
use super::event_filter::EventFilter;
use super::id::{Card, Counter, MAX_PLAYERS, Phase, Pile, Player, PlayerSet, Territory, Unit};
use super::rng::{GameKey, Purpose, SecretStream};

/// The maximum number of units of one kind on a territory, and the maximum value of a counter.
pub const MOST: i64 = 1_000_000_000;

/// A phase on the stack, with the players who still decide in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The phase.
    pub phase: Phase,
    /// The players who still decide.
    pub players: PlayerSet,
    /// The player that the frame was opened for; `None` if it was opened for several players or for
    /// none.
    pub opened_for: Option<Player>,
    /// The numbers that the frame was opened with, for the rules of its phase.
    pub args: [i32; 3],
    pub(super) entered: bool,
}

impl Frame {
    /// Creates a frame in which one player decides, to ask rules what they would offer.
    #[must_use]
    pub fn of(phase: Phase, player: Player) -> Self {
        Self {
            phase,
            players: PlayerSet::one(player),
            opened_for: Some(player),
            args: [0; 3],
            entered: true,
        }
    }
}

/// An order in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The player who gave the order.
    pub player: Player,
    /// The action to execute.
    pub action: Action,
}

/// The reason for the end of the game and the winners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The reason as one word: `conquest`, `limit` …
    pub reason: String,
    /// The winners. An empty set is a draw of all players.
    pub winners: PlayerSet,
}

/// A player's territories, read from a bit set.
#[derive(Clone, Debug)]
pub struct OwnedTerritories<'a> {
    words: std::slice::Iter<'a, i64>,
    word: u64,
    /// The index of the territory at the word's lowest bit.
    base: usize,
}

impl OwnedTerritories<'_> {
    /// Skips the territories before `start`.
    pub(super) fn from(mut self, start: Territory) -> Self {
        let word = start.index() / 64;
        let bit = start.index() % 64;
        if let Some(&first) = self.words.as_slice().get(word) {
            self.words = self.words.as_slice()[word + 1..].iter();
            self.word = first as u64 & (u64::MAX << bit);
            self.base = word * 64;
        }
        self
    }
}

impl Iterator for OwnedTerritories<'_> {
    type Item = Territory;

    #[inline]
    fn next(&mut self) -> Option<Territory> {
        while self.word == 0 {
            self.word = *self.words.next()? as u64;
            self.base = self.base.wrapping_add(64);
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(Territory::from_index(self.base + bit))
    }
}

/// The state of a territory, apart from its units.
#[derive(Clone, Copy, Debug)]
pub(super) struct TerritoryState {
    /// The seat of the owner; [`GameState::NOBODY`] if there is none.
    pub(super) owner: u8,
    /// The number of neighbours that the owner does not own, derived from the owners.
    pub(super) foes: u16,
}

/// A game in progress. It is cheap to clone. Only the [mutators](super::mutators) change it, and
/// each of them pushes one [`Event`].
#[derive(Clone, Debug)]
pub struct GameState {
    pub(super) board: Arc<Board>,
    pub(super) decl: Arc<Declaration>,
    pub(super) players: usize,
    /// The owner and the number of foreign neighbours of each territory.
    pub(super) places: Vec<TerritoryState>,
    /// The units by territory and kind.
    pub(super) units: Vec<i32>,
    pub(super) kinds: usize,
    /// The values of marks, by territory and mark.
    pub(super) marks: Vec<i32>,
    /// Several tables in one allocation, so that a copy is quick. The 3 parts are the counters by
    /// counter and holder, the table last; the number of territories that each player owns in each
    /// continent; and a bit set of each player's territories. The last 2 parts are derived from the
    /// owners.
    pub(super) numbers: Vec<i64>,
    /// The starts of the second and the third part of `numbers`.
    pub(super) members_at: usize,
    pub(super) territories_at: usize,
    /// The piles by pile and holder, the table last. The top card of a pile is the last one. Copies
    /// share the piles until a card moves.
    pub(super) piles: Arc<Vec<Vec<Card>>>,
    /// The borders that rules closed, in the order of the board; empty if there are none. Copies
    /// share the list until it changes.
    pub(super) closed: Arc<[bool]>,
    /// Whether all borders are open to all players, for attacks and for moves.
    pub(super) plain_borders: bool,
    pub(super) book: Vec<Order>,
    /// The status of each player by seat. Entries beyond the last player have no meaning.
    pub(super) status: [Status; MAX_PLAYERS],
    pub(super) strikes: [u32; MAX_PLAYERS],
    pub(super) out_order: Vec<Player>,
    /// The round of each elimination in `out_order`.
    pub(super) out_rounds: Vec<u32>,
    pub(super) stack: Vec<Frame>,
    pub(super) round: u32,
    pub(super) turn: u32,
    pub(super) mover: Option<Player>,
    pub(super) answers: u64,
    pub(super) rolls: u64,
    pub(super) ending: Option<Ending>,
    pub(super) dice: SecretStream,
    pub(super) decks: SecretStream,
    pub(super) setup: SecretStream,
    /// The fingerprint of the key of these 3 streams.
    pub(super) fingerprint: u64,
    /// The piles that [`GameState::deal_among`] has dealt while a game is imagined.
    pub(super) dealt: Vec<usize>,
    // The following fields are derived from the fields above.
    pub(super) territories: [u32; MAX_PLAYERS],
    /// `table_sum` and `fingerprint` are up to date. If not, they are computed when the digest is
    /// read, which happens to few imagined games.
    pub(super) is_summed: bool,
    /// The part of the digest that comes from the tables.
    pub(super) table_sum: u64,
    /// The number of orders at the start of the book that `table_sum` includes.
    pub(super) book_summed: usize,
    // The following fields are for the loop.
    pub(super) pending: Vec<Frame>,
    pub(super) fallen: Vec<(Player, Option<Player>)>,
    pub(super) events: Vec<Event>,
    /// The number of events so far, including the events that no sink wanted.
    pub(super) event_count: u64,
    pub(super) wanted: EventFilter,
    pub(super) drew: bool,
}

impl GameState {
    pub(super) const NOBODY: u8 = u8::MAX;

    /// Creates a game with `players` players and an empty board, before the ruleset's set-up.
    ///
    /// # Panics
    /// Panics with no players or with more than [`super::id::MAX_PLAYERS`] players.
    #[must_use]
    pub fn new(board: Arc<Board>, decl: Arc<Declaration>, players: usize, key: GameKey) -> Self {
        assert!(
            (1..=MAX_PLAYERS).contains(&players),
            "a game has 1 to 32 players"
        );
        let holders = players + 1;
        let members_at = decl.counters.len() * holders;
        let territories_at = members_at + board.groups().len() * players;
        let empty = TerritoryState {
            owner: Self::NOBODY,
            foes: 0,
        };
        Self {
            players,
            places: vec![empty; board.len()],
            units: vec![0; board.len() * decl.units.len()],
            kinds: decl.units.len(),
            marks: vec![0; board.len() * decl.marks.len()],
            numbers: vec![0; territories_at + players * board.len().div_ceil(64)],
            members_at,
            territories_at,
            piles: Arc::new(vec![Vec::new(); decl.piles.len() * holders]),
            closed: Arc::default(),
            plain_borders: Self::begins_plain(&board, &decl),
            book: Vec::new(),
            status: [Status::Playing; MAX_PLAYERS],
            strikes: [0; MAX_PLAYERS],
            out_order: Vec::new(),
            out_rounds: Vec::new(),
            stack: Vec::new(),
            round: 0,
            turn: 0,
            mover: None,
            answers: 0,
            rolls: 0,
            ending: None,
            dice: SecretStream::new(key, Purpose::Dice),
            decks: SecretStream::new(key, Purpose::Decks),
            setup: SecretStream::new(key, Purpose::Setup),
            fingerprint: key.fingerprint(),
            dealt: Vec::new(),
            territories: [0; MAX_PLAYERS],
            is_summed: true,
            table_sum: 0,
            book_summed: 0,
            pending: Vec::new(),
            fallen: Vec::new(),
            events: Vec::new(),
            event_count: 0,
            wanted: EventFilter::All,
            drew: false,
            board,
            decl,
        }
    }

    /// Returns the board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Returns the declarations of the ruleset.
    #[inline]
    #[must_use]
    pub fn decl(&self) -> &Arc<Declaration> {
        &self.decl
    }

    /// Returns the number of players at the start.
    #[inline]
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// Returns all seats in order.
    pub fn seats(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.players).map(Player::from_index)
    }

    /// Returns the owner of a territory.
    #[inline]
    #[must_use]
    pub fn owner(&self, at: Territory) -> Option<Player> {
        let owner = self.places[at.index()].owner;
        (owner != Self::NOBODY).then_some(Player(owner))
    }

    /// Reports whether a player owns a territory.
    #[inline]
    #[must_use]
    pub fn owns(&self, player: Player, at: Territory) -> bool {
        self.places[at.index()].owner == player.0
    }

    /// Returns the units of one kind on a territory.
    #[inline]
    #[must_use]
    pub fn units(&self, at: Territory, unit: Unit) -> i32 {
        self.units[at.index() * self.kinds + unit.index()]
    }

    /// Returns the units of the first kind, [`Unit::FIRST`].
    #[inline]
    #[must_use]
    pub fn armies(&self, at: Territory) -> i32 {
        self.units(at, Unit::FIRST)
    }

    /// Returns the units of all kinds on a territory.
    #[must_use]
    pub fn all_units(&self, at: Territory) -> i32 {
        self.units[at.index() * self.kinds..][..self.kinds]
            .iter()
            .fold(0, |sum, &units| sum.saturating_add(units))
    }

    /// Returns the value of a counter. For the table's value, `of` is `None`.
    #[inline]
    #[must_use]
    pub fn counter(&self, counter: Counter, of: Option<Player>) -> i64 {
        self.numbers[self.holder(counter.index(), of)]
    }

    /// Returns the cards of a pile, the top card last. For the table's pile, `of` is `None`.
    #[inline]
    #[must_use]
    pub fn pile(&self, pile: Pile, of: Option<Player>) -> &[Card] {
        &self.piles[self.holder(pile.index(), of)]
    }

    #[inline]
    pub(super) fn holder(&self, index: usize, of: Option<Player>) -> usize {
        index * (self.players + 1) + of.map_or(self.players, Player::index)
    }

    /// Returns a player's team, including the player: the players with the same number in the
    /// ruleset's counter for teams.
    #[must_use]
    pub fn team(&self, player: Player) -> PlayerSet {
        self.seats()
            .filter(|&other| other == player || self.allied(player, other))
            .fold(PlayerSet::default(), PlayerSet::with)
    }

    /// Reports whether two players are in the same team. A player is in a team only if the number
    /// in the counter for teams is above 0.
    #[must_use]
    pub fn allied(&self, one: Player, other: Player) -> bool {
        self.decl.teams.is_some_and(|teams| {
            let team = self.counter(teams, Some(one));
            one != other && team > 0 && team == self.counter(teams, Some(other))
        })
    }

    /// Reports whether a player may attack a territory: neither the player nor a partner owns it.
    #[inline]
    #[must_use]
    pub fn is_foe(&self, player: Player, at: Territory) -> bool {
        !self.owns(player, at)
            && (self.decl.teams.is_none()
                || self
                    .owner(at)
                    .is_none_or(|owner| !self.allied(player, owner)))
    }

    /// Returns the number of territories that a player owns.
    #[inline]
    #[must_use]
    pub fn territory_count(&self, player: Player) -> u32 {
        self.territories[player.index()]
    }

    /// Returns a player's territories in file order.
    #[inline]
    pub fn owned(&self, player: Player) -> OwnedTerritories<'_> {
        let words = self.places.len().div_ceil(64);
        let words = &self.numbers[self.territories_at + player.index() * words..][..words];
        OwnedTerritories {
            words: words.iter(),
            word: 0,
            base: usize::MAX - 63,
        }
    }

    /// Returns the units of all kinds on a player's territories.
    #[must_use]
    pub fn strength(&self, player: Player) -> i64 {
        let kinds = self.decl.units.len();
        self.owned(player)
            .flat_map(|at| &self.units[at.index() * kinds..][..kinds])
            .map(|&units| i64::from(units))
            .sum()
    }

    /// Returns a player's status.
    #[inline]
    #[must_use]
    pub fn status(&self, player: Player) -> Status {
        self.status[player.index()]
    }

    /// Returns the round in which a player was eliminated; `None` if the player was not eliminated.
    /// Rounds count from 1, and 0 is the set-up.
    #[must_use]
    pub fn out_in_round(&self, player: Player) -> Option<u32> {
        let place = self.out_order.iter().position(|&out| out == player)?;
        self.out_rounds.get(place).copied()
    }

    /// Returns the players who still decide.
    #[must_use]
    pub fn playing(&self) -> PlayerSet {
        self.with_status(|status| status == Status::Playing)
    }

    /// Returns the players who are not eliminated, including neutral players.
    #[must_use]
    pub fn standing(&self) -> PlayerSet {
        self.with_status(|status| status != Status::Eliminated)
    }

    pub(super) fn with_status(&self, fits: impl Fn(Status) -> bool) -> PlayerSet {
        self.seats()
            .filter(|&player| fits(self.status(player)))
            .fold(PlayerSet::default(), PlayerSet::with)
    }

    /// Returns the number of a player's faults so far.
    #[must_use]
    pub fn strikes(&self, player: Player) -> u32 {
        self.strikes[player.index()]
    }

    /// Returns the stored orders, the oldest first.
    #[must_use]
    pub fn book(&self) -> &[Order] {
        &self.book
    }

    /// Returns the open frames. The frame being decided comes last.
    #[must_use]
    pub fn stack(&self) -> &[Frame] {
        &self.stack
    }

    /// Returns the frame being decided.
    #[must_use]
    pub fn frame(&self) -> Option<&Frame> {
        self.stack.last()
    }

    /// Returns the number of the round, 0 during the set-up.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round
    }

    /// Returns the number of the player-turn, 0 during the set-up.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        self.turn
    }

    /// Returns the player whose turn it is.
    #[must_use]
    pub const fn mover(&self) -> Option<Player> {
        self.mover
    }

    /// Returns the number of answers.
    #[must_use]
    pub const fn answers(&self) -> u64 {
        self.answers
    }

    /// Returns the number of dice rolls and tried chances.
    #[must_use]
    pub const fn battle_rounds(&self) -> u64 {
        self.rolls
    }

    /// Returns the number of random words drawn so far for dice, decks and set-up.
    #[must_use]
    pub const fn words_drawn(&self) -> u64 {
        self.dice.drawn() + self.decks.drawn() + self.setup.drawn()
    }

    /// Returns the ending; `None` before the end of the game.
    #[must_use]
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }
}
