//! The board as the events tell it: whose each territory is, what stands there, who still
//! plays. The story reads its numbers here, so that they are those of the moment and not those
//! of a later state.

use risk_kernel::event::{Capture, Event, PileOf, Status};
use risk_kernel::id::{Continent, Pile, Player, Territory, Unit};
use risk_kernel::state::GameState;

/// A fold of a game's events.
#[derive(Clone, Debug)]
pub struct Ledger {
    owners: Vec<Option<Player>>,
    /// By territory and kind.
    units: Vec<i32>,
    kinds: usize,
    /// How many cards, by pile and holder, the table last.
    cards: Vec<usize>,
    status: Vec<Status>,
}

impl Ledger {
    /// An empty board. Of the game only what never changes is looked at: the map, and
    /// what is declared.
    #[must_use]
    pub fn new(game: &GameState) -> Self {
        let board = game.board();
        let decl = game.decl();
        Self {
            owners: vec![None; board.len()],
            units: vec![0; board.len() * decl.units.len()],
            kinds: decl.units.len(),
            cards: vec![0; decl.piles.len() * (game.players() + 1)],
            status: vec![Status::Playing; game.players()],
        }
    }

    /// The board of a game as it stands.
    #[must_use]
    pub fn from_game(game: &GameState) -> Self {
        let mut ledger = Self::new(game);
        for at in game.board().territories() {
            ledger.owners[at.index()] = game.owner(at);
            for unit in (0..ledger.kinds).map(Unit::from_index) {
                *ledger.at(at, unit) = game.units(at, unit);
            }
        }
        for player in game.seats() {
            ledger.status[player.index()] = game.status(player);
            for pile in (0..game.decl().piles.len()).map(Pile::from_index) {
                *ledger.pile((pile, Some(player))) = game.pile(pile, Some(player)).len();
            }
        }
        ledger
    }

    /// Takes in what happened.
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
            _ => {}
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

    /// Who owns a territory.
    #[must_use]
    pub fn owner(&self, at: Territory) -> Option<Player> {
        self.owners[at.index()]
    }

    /// All players, by seat.
    pub fn players(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.status.len()).map(Player::from_index)
    }

    /// How many units of all kinds stand on a territory.
    #[must_use]
    pub fn armies(&self, at: Territory) -> i32 {
        let first = at.index() * self.kinds;
        let kinds = self.units[first..first + self.kinds].iter();
        kinds.fold(0, |sum, &units| sum.saturating_add(units))
    }

    /// How many cards a player has on a pile.
    #[must_use]
    pub fn cards(&self, pile: Pile, player: Player) -> usize {
        self.cards[self.holder(pile, Some(player))]
    }

    /// A player's status.
    #[must_use]
    pub fn status(&self, player: Player) -> Status {
        self.status[player.index()]
    }

    /// A player's territories.
    pub fn owned(&self, player: Player) -> impl Iterator<Item = Territory> + '_ {
        let owned = self
            .owners
            .iter()
            .enumerate()
            .filter(move |(_, owner)| **owner == Some(player));
        owned.map(|(index, _)| Territory::from_index(index))
    }

    /// A player's units of one kind.
    #[must_use]
    pub fn units_of(&self, player: Player, unit: Unit) -> i64 {
        self.owned(player)
            .map(|at| i64::from(self.units[at.index() * self.kinds + unit.index()]))
            .sum()
    }

    /// A player's units of all kinds.
    #[must_use]
    pub fn strength(&self, player: Player) -> i64 {
        (0..self.kinds)
            .map(|kind| self.units_of(player, Unit::from_index(kind)))
            .sum()
    }

    /// The names of the continents that are all a player's.
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
