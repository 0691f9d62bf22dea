//! The state of a game: flat integers, and what can be read from them.

use std::sync::Arc;

use super::action::Action;
use super::board::Board;
use super::declare::Declaration;
use super::event::{Event, EventFilter, Status};
use super::id::{
    Card, Continent, Counter, MAX_PLAYERS, Phase, Pile, Player, PlayerSet, Territory, Unit,
};
use super::rng::{GameKey, Purpose, SecretStream};

/// The most units of one kind on one territory, and the greatest value of a counter.
pub const MOST: i64 = 1_000_000_000;

/// A phase on the stack and the players who still decide in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The phase that this frame is of.
    pub phase: Phase,
    /// Who still decides.
    pub players: PlayerSet,
    /// The player it was opened for; `None` if for several, or for nobody.
    pub opened_for: Option<Player>,
    /// The numbers it was opened with.
    pub args: [i32; 3],
    pub(super) entered: bool,
}

/// An order in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The player who gave it.
    pub player: Player,
    /// What is to be executed.
    pub action: Action,
}

/// Why and for whom the game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The reason in a word: `conquest`, `limit` …
    pub reason: String,
    /// The winners; nobody for a draw of all.
    pub winners: PlayerSet,
}

/// A player's territories, from their bits.
#[derive(Clone, Debug)]
pub struct OwnedTerritories<'a> {
    words: std::slice::Iter<'a, i64>,
    word: u64,
    /// The territory of the word's lowest bit.
    base: usize,
}

impl OwnedTerritories<'_> {
    /// Those from this one on.
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

/// What the state keeps of a territory beside its units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The seat of its owner, [`GameState::NOBODY`] for none.
    pub(super) owner: u8,
    /// How many neighbours its owner does not own: follows from the owners.
    pub(super) foes: u16,
}

/// A game under way. Cheap to clone; changed only through the [mutators](super::mutators), each of
/// which pushes one [`Event`].
#[derive(Clone, Debug)]
pub struct GameState {
    pub(super) board: Arc<Board>,
    pub(super) decl: Arc<Declaration>,
    pub(super) players: usize,
    /// Who holds each territory, by territory.
    pub(super) places: Vec<Place>,
    /// Units by territory and kind.
    pub(super) units: Vec<i32>,
    /// How many kinds of units there are.
    pub(super) kinds: usize,
    /// In one piece, so that a copy is quick: the counters by counter and holder, the table last;
    /// how many of each continent each player owns; a bit for each territory, so many words for
    /// each player. The last two follow from the owners.
    pub(super) numbers: Vec<i64>,
    /// Where the second and the third of these begin.
    pub(super) members_at: usize,
    pub(super) territories_at: usize,
    /// Piles by pile and holder, the table last; the top card is the last. Copies share them until
    /// a card moves.
    pub(super) piles: Arc<Vec<Vec<Card>>>,
    pub(super) book: Vec<Order>,
    /// By seat; those beyond the players mean nothing.
    pub(super) status: [Status; MAX_PLAYERS],
    pub(super) strikes: [u32; MAX_PLAYERS],
    pub(super) out_order: Vec<Player>,
    /// The round in which each of these was out.
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
    /// Of the key that the three are of.
    pub(super) fingerprint: u64,
    /// While a game is imagined: the places of the piles that have cards of the right kind.
    pub(super) dealt: Vec<usize>,
    // Derived from the above.
    /// How many each player owns.
    pub(super) territories: [u32; MAX_PLAYERS],
    /// The share of the tables in the digest.
    pub(super) table_sum: u64,
    /// How many orders of the book, from the first on, are in this sum.
    pub(super) book_summed: usize,
    // Of the loop.
    pub(super) pending: Vec<Frame>,
    pub(super) fallen: Vec<(Player, Option<Player>)>,
    pub(super) events: Vec<Event>,
    /// How many there were, whether anybody listened or not.
    pub(super) event_count: u64,
    pub(super) wanted: EventFilter,
    pub(super) drew: bool,
}

impl GameState {
    pub(super) const NOBODY: u8 = u8::MAX;

    /// An empty board with `players` players, before the ruleset's set-up.
    ///
    /// # Panics
    /// With more players than [`super::id::MAX_PLAYERS`], or none.
    #[must_use]
    pub fn new(board: Arc<Board>, decl: Arc<Declaration>, players: usize, key: GameKey) -> Self {
        assert!(
            (1..=MAX_PLAYERS).contains(&players),
            "a game has 1 to 32 players"
        );
        let holders = players + 1;
        let members_at = decl.counters.len() * holders;
        let territories_at = members_at + board.continents().len() * players;
        let empty = Place {
            owner: Self::NOBODY,
            foes: 0,
        };
        Self {
            players,
            places: vec![empty; board.len()],
            units: vec![0; board.len() * decl.units.len()],
            kinds: decl.units.len(),
            numbers: vec![0; territories_at + players * board.len().div_ceil(64)],
            members_at,
            territories_at,
            piles: Arc::new(vec![Vec::new(); decl.piles.len() * holders]),
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

    /// The board that is played on.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// What the ruleset declares.
    #[inline]
    #[must_use]
    pub fn decl(&self) -> &Arc<Declaration> {
        &self.decl
    }

    /// How many players sat down.
    #[inline]
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// All seats in order.
    pub fn seats(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.players).map(Player::from_index)
    }

    /// Who owns a territory.
    #[inline]
    #[must_use]
    pub fn owner(&self, at: Territory) -> Option<Player> {
        let owner = self.places[at.index()].owner;
        (owner != Self::NOBODY).then_some(Player(owner))
    }

    /// Does this player own it?
    #[inline]
    #[must_use]
    pub fn owns(&self, player: Player, at: Territory) -> bool {
        self.places[at.index()].owner == player.0
    }

    /// Units of one kind on a territory.
    #[inline]
    #[must_use]
    pub fn units(&self, at: Territory, unit: Unit) -> i32 {
        self.units[at.index() * self.kinds + unit.index()]
    }

    /// Units of the first kind, [`Unit::FIRST`].
    #[inline]
    #[must_use]
    pub fn armies(&self, at: Territory) -> i32 {
        self.units(at, Unit::FIRST)
    }

    /// Units of every kind on a territory.
    #[must_use]
    pub fn all_units(&self, at: Territory) -> i32 {
        self.units[at.index() * self.kinds..][..self.kinds]
            .iter()
            .fold(0, |sum, &units| sum.saturating_add(units))
    }

    /// A counter's value; `None` is the table's.
    #[inline]
    #[must_use]
    pub fn counter(&self, counter: Counter, of: Option<Player>) -> i64 {
        self.numbers[self.holder(counter.index(), of)]
    }

    /// A pile, the top card last; `None` is the table's.
    #[inline]
    #[must_use]
    pub fn pile(&self, pile: Pile, of: Option<Player>) -> &[Card] {
        &self.piles[self.holder(pile.index(), of)]
    }

    #[inline]
    pub(super) fn holder(&self, index: usize, of: Option<Player>) -> usize {
        index * (self.players + 1) + of.map_or(self.players, Player::index)
    }

    /// The players of a player's team, with that player: those with the same number in the counter
    /// that the ruleset declares for teams.
    #[must_use]
    pub fn team(&self, player: Player) -> PlayerSet {
        self.seats()
            .filter(|&other| other == player || self.allied(player, other))
            .fold(PlayerSet::default(), PlayerSet::with)
    }

    /// Are these two players of one team? Whoever has no number above 0 is of none.
    #[must_use]
    pub fn allied(&self, one: Player, other: Player) -> bool {
        self.decl.teams.is_some_and(|teams| {
            let team = self.counter(teams, Some(one));
            one != other && team > 0 && team == self.counter(teams, Some(other))
        })
    }

    /// May this player attack a territory: is it nobody's, or of somebody who is no partner?
    #[inline]
    #[must_use]
    pub fn is_foe(&self, player: Player, at: Territory) -> bool {
        !self.owns(player, at)
            && (self.decl.teams.is_none()
                || self
                    .owner(at)
                    .is_none_or(|owner| !self.allied(player, owner)))
    }

    /// How many territories a player owns.
    #[inline]
    #[must_use]
    pub fn territory_count(&self, player: Player) -> u32 {
        self.territories[player.index()]
    }

    /// A player's territories in file order.
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

    /// Does land that its owner does not own lie next to this one?
    #[inline]
    #[must_use]
    pub fn is_front(&self, at: Territory) -> bool {
        self.places[at.index()].foes > 0
    }

    /// How many of the territories next to this one its owner does not own.
    #[inline]
    #[must_use]
    pub fn foes_near(&self, at: Territory) -> usize {
        self.places[at.index()].foes.into()
    }

    /// Does a player own all of a continent? An empty continent is nobody's.
    #[inline]
    #[must_use]
    pub fn holds(&self, player: Player, continent: Continent) -> bool {
        let size = self.board.members(continent).len() as u32;
        size > 0 && self.owned_in(player, continent) == size
    }

    /// How many territories of a continent a player owns.
    #[inline]
    #[must_use]
    pub fn owned_in(&self, player: Player, continent: Continent) -> u32 {
        self.numbers[self.members_of(player, continent)] as u32
    }

    /// Where the number of a continent's territories that a player owns stands.
    #[inline]
    pub(super) const fn members_of(&self, player: Player, continent: Continent) -> usize {
        self.members_at + continent.index() * self.players + player.index()
    }

    /// All units of a player's land, of every kind.
    #[must_use]
    pub fn strength(&self, player: Player) -> i64 {
        let kinds = self.decl.units.len();
        self.owned(player)
            .flat_map(|at| &self.units[at.index() * kinds..][..kinds])
            .map(|&units| i64::from(units))
            .sum()
    }

    /// A player's status.
    #[inline]
    #[must_use]
    pub fn status(&self, player: Player) -> Status {
        self.status[player.index()]
    }

    /// The round in which a player was eliminated, from 1; 0 before the first round, `None` of a
    /// player who was not.
    #[must_use]
    pub fn out_in_round(&self, player: Player) -> Option<u32> {
        let place = self.out_order.iter().position(|&out| out == player)?;
        self.out_rounds.get(place).copied()
    }

    /// The players who still decide.
    #[must_use]
    pub fn playing(&self) -> PlayerSet {
        self.with_status(|status| status == Status::Playing)
    }

    /// The players who are not eliminated: those who play and the neutral ones.
    #[must_use]
    pub fn standing(&self) -> PlayerSet {
        self.with_status(|status| status != Status::Eliminated)
    }

    pub(super) fn with_status(&self, fits: impl Fn(Status) -> bool) -> PlayerSet {
        self.seats()
            .filter(|&player| fits(self.status(player)))
            .fold(PlayerSet::default(), PlayerSet::with)
    }

    /// A player's faults so far.
    #[must_use]
    pub fn strikes(&self, player: Player) -> u32 {
        self.strikes[player.index()]
    }

    /// The book of stored orders, oldest first.
    #[must_use]
    pub fn book(&self) -> &[Order] {
        &self.book
    }

    /// The frames, the one being decided last.
    #[must_use]
    pub fn stack(&self) -> &[Frame] {
        &self.stack
    }

    /// The frame being decided.
    #[must_use]
    pub fn frame(&self) -> Option<&Frame> {
        self.stack.last()
    }

    /// The number of the round, 0 during the set-up.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round
    }

    /// The number of the player-turn, 0 during the set-up.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        self.turn
    }

    /// Whose turn it is.
    #[must_use]
    pub const fn mover(&self) -> Option<Player> {
        self.mover
    }

    /// How many answers were given.
    #[must_use]
    pub const fn answers(&self) -> u64 {
        self.answers
    }

    /// How many rounds of fights were rolled.
    #[must_use]
    pub const fn battle_rounds(&self) -> u64 {
        self.rolls
    }

    /// How many random words were drawn so far, of dice, decks and set-up.
    #[must_use]
    pub const fn words_drawn(&self) -> u64 {
        self.dice.drawn() + self.decks.drawn() + self.setup.drawn()
    }

    /// Why the game is over, if it is.
    #[must_use]
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }
}
