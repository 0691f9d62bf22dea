//! The board as the events describe it: the owners and units of territories, the number of cards on
//! each pile, and the players' statuses. The events of one hook arrive together, after the state
//! has already changed. The numbers in this module are those at the moment of each event.

use super::board::Board;
use super::declare::Declaration;
use super::event::{Capture, Event, PileOf, Status};
use super::id::{Continent, Pile, Player, Territory, Unit};
use super::state::GameState;

/// A fold of a game's events, starting before the first event ([`EventFold::new`]) or from a given
/// state ([`EventFold::from_game`]). It must receive all events that change owners, units, cards
/// and statuses.
#[derive(Clone, Debug)]
pub struct EventFold {
    owners: Vec<Option<Player>>,
    /// The units by territory and kind.
    units: Vec<i32>,
    kinds: usize,
    /// The number of cards by pile and holder. The table comes last.
    cards: Vec<usize>,
    status: Vec<Status>,
}

impl EventFold {
    /// Creates the empty board before the first event of a game with `players` players.
    #[must_use]
    pub fn new(board: &Board, decl: &Declaration, players: usize) -> Self {
        Self {
            owners: vec![None; board.len()],
            units: vec![0; board.len() * decl.units.len()],
            kinds: decl.units.len(),
            cards: vec![0; decl.piles.len() * (players + 1)],
            status: vec![Status::Playing; players],
        }
    }

    /// Creates the empty board before the first event of this game.
    #[must_use]
    pub fn before(game: &GameState) -> Self {
        Self::new(game.board(), game.decl(), game.players())
    }

    /// Resets the fold to the empty board for another game.
    pub fn clear(&mut self) {
        self.owners.fill(None);
        self.units.fill(0);
        self.cards.fill(0);
        self.status.fill(Status::Playing);
    }

    /// Creates the board from the current state of a game.
    #[must_use]
    pub fn from_game(game: &GameState) -> Self {
        let mut fold = Self::before(game);
        for at in game.board().territories() {
            fold.owners[at.index()] = game.owner(at);
            for unit in (0..fold.kinds).map(Unit::from_index) {
                *fold.at(at, unit) = game.units(at, unit);
            }
        }
        for player in game.seats() {
            fold.status[player.index()] = game.status(player);
        }
        let holders = || game.seats().map(Some).chain([None]);
        for pile in (0..game.decl().piles.len()).map(Pile::from_index) {
            for of in holders() {
                *fold.pile((pile, of)) = game.pile(pile, of).len();
            }
        }
        fold
    }

    /// Applies an event.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Owner { at, to, .. } => self.owners[at.index()] = *to,
            Event::Units { at, unit, now, .. } => *self.at(*at, *unit) = *now,
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => {
                *self.at(*from, *unit) -= count;
                *self.at(*to, *unit) += count;
            }
            Event::Captured(Capture {
                from,
                to,
                by,
                unit,
                moved,
                ..
            }) => {
                *self.at(*from, *unit) -= moved;
                *self.at(*to, *unit) = *moved;
                self.owners[to.index()] = Some(*by);
            }
            Event::Filled { pile, count, .. } => *self.pile(*pile) += count,
            Event::Card { from, to, .. } => {
                let left = self.pile(*from);
                *left = left.saturating_sub(1);
                *self.pile(*to) += 1;
            }
            Event::Status { player, now } => self.status[player.index()] = *now,
            // These events don't change the board.
            Event::PhaseBegan { .. }
            | Event::TurnBegan { .. }
            | Event::Answered { .. }
            | Event::Faulted { .. }
            | Event::Counter { .. }
            | Event::Shuffled { .. }
            | Event::Rolled { .. }
            | Event::Tried { .. }
            | Event::Executed { .. }
            | Event::Fought(_)
            | Event::Stored { .. }
            | Event::Unstored { .. }
            | Event::Said { .. }
            | Event::Ended { .. } => {}
        }
    }

    fn at(&mut self, at: Territory, unit: Unit) -> &mut i32 {
        &mut self.units[at.index() * self.kinds + unit.index()]
    }

    fn pile(&mut self, pile: PileOf) -> &mut usize {
        let index = self.holder(pile.0, pile.1);
        &mut self.cards[index]
    }

    fn holder(&self, pile: Pile, of: Option<Player>) -> usize {
        let players = self.status.len();
        pile.index() * (players + 1) + of.map_or(players, Player::index)
    }

    /// Returns the owner of a territory.
    #[must_use]
    pub fn owner(&self, at: Territory) -> Option<Player> {
        self.owners[at.index()]
    }

    /// Returns all players, by seat.
    pub fn players(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.status.len()).map(Player::from_index)
    }

    /// Returns the number of units of one kind on a territory.
    #[must_use]
    pub fn units(&self, at: Territory, unit: Unit) -> i32 {
        self.units[at.index() * self.kinds + unit.index()]
    }

    /// Returns the number of units of all kinds on a territory.
    #[must_use]
    pub fn armies(&self, at: Territory) -> i32 {
        let first = at.index() * self.kinds;
        let kinds = self.units[first..first + self.kinds].iter();
        kinds.fold(0, |sum, &units| sum.saturating_add(units))
    }

    /// Returns the number of cards on a pile. For the table's pile, `of` is `None`.
    #[must_use]
    pub fn cards(&self, pile: Pile, of: Option<Player>) -> usize {
        self.cards[self.holder(pile, of)]
    }

    /// Returns a player's status.
    #[must_use]
    pub fn status(&self, player: Player) -> Status {
        self.status[player.index()]
    }

    /// Returns a player's territories.
    pub fn owned(&self, player: Player) -> impl Iterator<Item = Territory> + '_ {
        let owned = self
            .owners
            .iter()
            .enumerate()
            .filter(move |(_, owner)| **owner == Some(player));
        owned.map(|(index, _)| Territory::from_index(index))
    }

    /// Returns the number of a player's units of one kind.
    #[must_use]
    pub fn units_of(&self, player: Player, unit: Unit) -> i64 {
        self.owned(player)
            .map(|at| i64::from(self.units(at, unit)))
            .sum()
    }

    /// Returns the number of a player's units of all kinds.
    #[must_use]
    pub fn strength(&self, player: Player) -> i64 {
        (0..self.kinds)
            .map(|kind| self.units_of(player, Unit::from_index(kind)))
            .sum()
    }

    /// Returns the names of the continents that a player owns completely.
    #[must_use]
    pub fn held<'a>(&self, game: &'a GameState, player: Player) -> Vec<&'a str> {
        let continents = game.board().continents().iter().enumerate();
        let held = continents.filter(|(index, _)| {
            let members = game.board().members(Continent::from_index(*index));
            !members.is_empty() && members.iter().all(|&at| self.owner(at) == Some(player))
        });
        held.map(|(_, continent)| continent.name.as_str()).collect()
    }
}
