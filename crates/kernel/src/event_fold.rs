//! The values of a game as the events describe them. The events of one hook arrive together, after
//! the state has already changed. The values in this module are those at the moment of each event.

use super::event::{Capture, Event, PileOf, Status};
use super::id::{Card, Counter, Group, Mark, Phase, Pile, Player, Territory, Unit};
use super::state::GameState;
use super::view::in_sight;

/// A fold of a game's events, starting from a state ([`EventFold::new`]). It must receive all later
/// events, and no part of them may be hidden. The loop folds the events for all sinks:
/// [`Moment`](super::Moment).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFold {
    owners: Vec<Option<Player>>,
    /// The units by territory and kind.
    units: Vec<i32>,
    kinds: usize,
    /// The values by counter and holder. The table comes last.
    counters: Vec<i64>,
    /// The values by territory and mark.
    marks: Vec<i32>,
    /// The cards from bottom to top, by pile and holder. The table comes last.
    piles: Vec<Vec<Card>>,
    /// The pairs of territories between which the borders are closed, in the order in which rules
    /// closed them.
    pub closed: Vec<(Territory, Territory)>,
    status: Vec<Status>,
    strikes: Vec<u32>,
    /// The number of orders in the book, by seat.
    orders: Vec<usize>,
    /// The number of answers so far.
    pub answers: u64,
    /// The number of the round, from 1; 0 before the first round.
    pub round: u32,
    /// The number of the player-turn, from 1; 0 before the first turn.
    pub turn: u32,
    /// The player whose turn it is; `None` if there is none or all players play simultaneously.
    pub mover: Option<Player>,
    /// The phase of the last answer, or the one that has begun since then.
    pub phase: Option<Phase>,
}

impl EventFold {
    /// Creates the values of a state: an empty board, or a game that goes on.
    #[must_use]
    pub fn new(game: &GameState) -> Self {
        let decl = game.decl();
        let holders = || game.seats().map(Some).chain([None]);
        let kinds = decl.units.len();
        let units = |at| (0..kinds).map(move |unit| game.units(at, Unit::from_index(unit)));
        let counters = (0..decl.counters.len()).map(Counter::from_index);
        let piles = (0..decl.piles.len()).map(Pile::from_index);
        let mut orders = vec![0; game.players()];
        for order in game.book() {
            orders[order.player.index()] += 1;
        }
        Self {
            owners: game
                .board()
                .territories()
                .map(|at| game.owner(at))
                .collect(),
            units: game.board().territories().flat_map(units).collect(),
            kinds,
            counters: counters
                .flat_map(|counter| holders().map(move |of| game.counter(counter, of)))
                .collect(),
            marks: game.marks.clone(),
            piles: piles
                .flat_map(|pile| holders().map(move |of| game.pile(pile, of).to_vec()))
                .collect(),
            closed: game
                .closed_borders()
                .map(|(from, to)| (from.min(to), from.max(to)))
                .collect(),
            status: game.seats().map(|player| game.status(player)).collect(),
            strikes: game.seats().map(|player| game.strikes(player)).collect(),
            orders,
            answers: game.answers(),
            round: game.round(),
            turn: game.turn(),
            mover: game.mover(),
            phase: game.frame().map(|frame| frame.phase),
        }
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
            Event::Counter {
                counter, of, now, ..
            } => {
                let at = self.holder(counter.index(), *of);
                self.counters[at] = *now;
            }
            Event::Mark { at, mark, now, .. } => {
                let marks = self.marks.len() / self.owners.len();
                self.marks[at.index() * marks + mark.index()] = *now;
            }
            &Event::Border { from, to, open } => {
                let border = (from.min(to), from.max(to));
                self.closed.retain(|it| *it != border);
                self.closed.extend((!open).then_some(border));
            }
            Event::Status { player, now } => self.status[player.index()] = *now,
            Event::Stored { player, .. } => self.orders[player.index()] += 1,
            Event::Unstored { player, .. } => self.orders[player.index()] -= 1,
            Event::Faulted {
                player, strikes, ..
            } => self.strikes[player.index()] = *strikes,
            Event::PhaseBegan { phase, .. } => self.phase = Some(*phase),
            &Event::TurnBegan {
                player,
                turn,
                round,
            } => (self.mover, self.turn, self.round) = (player, turn, round),
            &Event::Answered { phase, number, .. } => {
                (self.phase, self.answers) = (Some(phase), number);
            }
            _ => self.take_cards(event),
        }
    }

    fn take_cards(&mut self, event: &Event) {
        match event {
            Event::Filled { pile, cards, .. } => {
                let cards = cards.iter().flatten();
                self.pile_at(*pile).extend(cards);
            }
            Event::Shuffled { pile, cards } => {
                *self.pile_at(*pile) = cards.clone().unwrap_or_default();
            }
            &Event::Card {
                card: Some(card),
                from,
                to,
                under,
            } => {
                let left = self.pile_at(from);
                if let Some(at) = left.iter().rposition(|&it| it == card) {
                    left.remove(at);
                }
                let reached = self.pile_at(to);
                let at = if under { 0 } else { reached.len() };
                reached.insert(at, card);
            }
            // Other events change no values.
            _ => {}
        }
    }

    fn at(&mut self, at: Territory, unit: Unit) -> &mut i32 {
        &mut self.units[at.index() * self.kinds + unit.index()]
    }

    fn pile_at(&mut self, pile_of: PileOf) -> &mut Vec<Card> {
        let (pile, of) = pile_of;
        let at = self.holder(pile.index(), of);
        &mut self.piles[at]
    }

    fn holder(&self, index: usize, of: Option<Player>) -> usize {
        let players = self.status.len();
        index * (players + 1) + of.map_or(players, Player::index)
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

    /// Returns the cards on a pile, from bottom to top. For the table's pile, `of` is `None`.
    #[must_use]
    pub fn pile(&self, pile: Pile, of: Option<Player>) -> &[Card] {
        &self.piles[self.holder(pile.index(), of)]
    }

    /// Returns the value of a counter. For the table's counter, `of` is `None`.
    #[must_use]
    pub fn counter(&self, counter: Counter, of: Option<Player>) -> i64 {
        self.counters[self.holder(counter.index(), of)]
    }

    /// Returns the value of a mark of a territory.
    #[must_use]
    pub fn mark(&self, at: Territory, mark: Mark) -> i32 {
        self.marks[at.index() * (self.marks.len() / self.owners.len()) + mark.index()]
    }

    /// Returns the number of a player's strikes.
    #[must_use]
    pub fn strikes(&self, player: Player) -> u32 {
        self.strikes[player.index()]
    }

    /// Returns the number of a player's orders in the book.
    #[must_use]
    pub fn orders(&self, player: Player) -> usize {
        self.orders[player.index()]
    }

    /// Returns a player's status.
    #[must_use]
    pub fn status(&self, player: Player) -> Status {
        self.status[player.index()]
    }

    /// Reports whether a player sees the owner of this territory, and whether it sees its units,
    /// under the rules of fog of `game`.
    #[must_use]
    pub fn sees(&self, game: &GameState, player: Player, at: Territory) -> [bool; 2] {
        let owns = |at| self.owner(at) == Some(player);
        [game.decl().owners_seen, game.decl().units_seen]
            .map(|sight| in_sight(game.board(), owns, at, sight))
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

    /// Returns the names of the groups that a player holds.
    #[must_use]
    pub fn held<'a>(&self, game: &'a GameState, player: Player) -> Vec<&'a str> {
        let board = game.board();
        let owns = |at| self.owner(at) == Some(player);
        let all = (0..board.groups().len()).map(Group::from_index);
        let held = all.filter(|&group| board.is_held_by(group, owns));
        held.map(|group| board.group(group).name.as_str()).collect()
    }
}
