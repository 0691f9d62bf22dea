//! A game at the moment of one event. Events arrive after the state has changed, so that a state
//! alone would show effects before their causes.

use risk_kernel::EventFold;
use risk_kernel::event::{Event, PileOf};
use risk_kernel::id::{Card, Counter, Phase, Pile, Player, Territory, Unit};
use risk_kernel::state::GameState;

/// The values of a game that frames show, after the events so far.
pub(super) struct Moment {
    pub(super) board: EventFold,
    players: usize,
    /// The values by counter and holder. The table comes last.
    counters: Vec<i64>,
    /// The cards from bottom to top, by pile and holder. The table comes last.
    piles: Vec<Vec<Card>>,
    pub(super) strikes: Vec<u32>,
    /// The number of waiting orders, by seat.
    pub(super) orders: Vec<usize>,
    pub(super) answers: u64,
    pub(super) round: u32,
    pub(super) turn: u32,
    pub(super) mover: Option<Player>,
    pub(super) phase: Option<Phase>,
}

impl Moment {
    /// Creates the moment before the first event of a game.
    pub(super) fn before(game: &GameState) -> Self {
        let (decl, players) = (game.decl(), game.players());
        Self {
            board: EventFold::before(game),
            players,
            counters: vec![0; decl.counters.len() * (players + 1)],
            piles: vec![Vec::new(); decl.piles.len() * (players + 1)],
            strikes: vec![0; players],
            orders: vec![0; players],
            answers: 0,
            round: 0,
            turn: 0,
            mover: None,
            phase: None,
        }
    }

    /// Creates the moment of the latest state of a game.
    pub(super) fn of(game: &GameState) -> Self {
        let mut moment = Self::before(game);
        moment.board = EventFold::from_game(game);
        let holders = || game.seats().map(Some).chain([None]);
        for counter in (0..game.decl().counters.len()).map(Counter::from_index) {
            for of in holders() {
                *moment.counter_at(counter, of) = game.counter(counter, of);
            }
        }
        for pile in (0..game.decl().piles.len()).map(Pile::from_index) {
            for of in holders() {
                *moment.pile_at((pile, of)) = game.pile(pile, of).to_vec();
            }
        }
        for player in game.seats() {
            moment.strikes[player.index()] = game.strikes(player);
        }
        for order in game.book() {
            moment.orders[order.player.index()] += 1;
        }
        moment.answers = game.answers();
        moment.round = game.round();
        moment.turn = game.turn();
        moment.mover = game.mover();
        moment.phase = game.frame().map(|frame| frame.phase);
        moment
    }

    /// Applies an event. No part of it may be hidden.
    pub(super) fn take(&mut self, event: &Event) {
        self.board.take(event);
        match event {
            &Event::PhaseBegan { phase, .. } => self.phase = Some(phase),
            &Event::TurnBegan {
                player,
                turn,
                round,
            } => (self.mover, self.turn, self.round) = (player, turn, round),
            &Event::Answered { phase, number, .. } => {
                (self.phase, self.answers) = (Some(phase), number);
            }
            &Event::Faulted {
                player, strikes, ..
            } => self.strikes[player.index()] = strikes,
            &Event::Counter {
                counter, of, now, ..
            } => *self.counter_at(counter, of) = now,
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
            } => self.move_card(card, from, to, under),
            Event::Stored { player, .. } => self.orders[player.index()] += 1,
            Event::Unstored { player, .. } => {
                let orders = &mut self.orders[player.index()];
                *orders = orders.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn move_card(&mut self, card: Card, from: PileOf, to: PileOf, under: bool) {
        let left = self.pile_at(from);
        if let Some(at) = left.iter().rposition(|&it| it == card) {
            left.remove(at);
        }
        let reached = self.pile_at(to);
        let at = if under { 0 } else { reached.len() };
        reached.insert(at, card);
    }

    fn holder(&self, index: usize, of: Option<Player>) -> usize {
        index * (self.players + 1) + of.map_or(self.players, Player::index)
    }

    fn counter_at(&mut self, counter: Counter, of: Option<Player>) -> &mut i64 {
        let at = self.holder(counter.index(), of);
        &mut self.counters[at]
    }

    fn pile_at(&mut self, of: PileOf) -> &mut Vec<Card> {
        let (pile, of) = of;
        let at = self.holder(pile.index(), of);
        &mut self.piles[at]
    }

    /// Returns the players, by seat.
    pub(super) fn seats(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.players).map(Player::from_index)
    }

    /// Returns the holders of counters and piles: the seats, followed by the table.
    pub(super) fn holders(&self) -> impl Iterator<Item = Option<Player>> + use<> {
        self.seats().map(Some).chain([None])
    }

    pub(super) fn counter(&self, counter: Counter, of: Option<Player>) -> i64 {
        self.counters[self.holder(counter.index(), of)]
    }

    pub(super) fn pile(&self, pile: Pile, of: Option<Player>) -> &[Card] {
        &self.piles[self.holder(pile.index(), of)]
    }

    /// Returns the owner of a territory, and its units by kind.
    pub(super) fn territory(&self, at: Territory, kinds: usize) -> (Option<Player>, Vec<i32>) {
        let units = (0..kinds).map(|kind| self.board.units(at, Unit::from_index(kind)));
        (self.board.owner(at), units.collect())
    }
}
