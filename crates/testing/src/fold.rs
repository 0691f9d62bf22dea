//! A fold of events to a state, independent of the mutators, that checks each event against the
//! state before it.

use std::collections::BTreeMap;

use risk_kernel::EventFold;
use risk_kernel::event::{Capture, Event, PileOf};
use risk_kernel::id::{Card, Counter, Pile, Player, Unit};
use risk_kernel::state::GameState;

#[derive(Default)]
pub struct Fold {
    /// `None` before the first event.
    board: Option<EventFold>,
    counters: BTreeMap<(Counter, Option<Player>), i64>,
    piles: BTreeMap<PileOf, Vec<Card>>,
    turn: u32,
    answers: u64,
    ended: bool,
}

impl Fold {
    pub fn step(&mut self, game: &GameState, event: &Event) {
        let board = self.board.get_or_insert_with(|| EventFold::before(game));
        match event {
            Event::TurnBegan { turn, .. } => self.turn = *turn,
            Event::Answered { number, .. } => self.answers = *number,
            Event::Owner { at, from, .. } => assert_eq!(board.owner(*at), *from),
            Event::Units { at, unit, by, now } => assert_eq!(board.units(*at, *unit) + by, *now),
            Event::Captured(Capture {
                from,
                to,
                by,
                loser,
                unit,
                killed,
                ..
            }) => {
                assert_eq!(board.owner(*to), *loser);
                assert_eq!(board.owner(*from), Some(*by));
                assert_eq!(board.units(*to, *unit), *killed);
            }
            Event::Ended { .. } => self.ended = true,
            _ => {}
        }
        board.take(event);
        self.step_of_stores(event);
    }

    /// Applies the events of counters and cards.
    fn step_of_stores(&mut self, event: &Event) {
        match event {
            Event::Counter {
                counter,
                of,
                by,
                now,
            } => {
                let value = self.counters.entry((*counter, *of)).or_default();
                *value += by;
                assert_eq!(value, now);
            }
            Event::Filled {
                pile,
                cards: Some(cards),
                count,
            } => {
                assert_eq!(cards.len(), *count);
                self.piles.entry(*pile).or_default().extend(cards);
            }
            Event::Card {
                card: Some(card),
                from,
                to,
                under,
            } => {
                let source = self.piles.entry(*from).or_default();
                let at = source
                    .iter()
                    .position(|other| other == card)
                    .expect("the card was there");
                source.remove(at);
                let target = self.piles.entry(*to).or_default();
                target.insert(if *under { 0 } else { target.len() }, *card);
            }
            Event::Shuffled {
                pile,
                cards: Some(cards),
            } => {
                let mut before = self.piles.insert(*pile, cards.clone()).unwrap_or_default();
                let mut after = cards.clone();
                before.sort_unstable();
                after.sort_unstable();
                assert_eq!(before, after, "a shuffle keeps the cards");
            }
            _ => {}
        }
    }

    pub fn check(&self, game: &GameState) {
        let decl = game.decl();
        let board = self.board.clone();
        let board = board.unwrap_or_else(|| EventFold::before(game));
        for at in game.board().territories() {
            assert_eq!(board.owner(at), game.owner(at));
            for unit in (0..decl.units.len()).map(Unit::from_index) {
                assert_eq!(board.units(at, unit), game.units(at, unit));
            }
        }
        let holders = || game.seats().map(Some).chain([None]);
        for counter in (0..decl.counters.len()).map(Counter::from_index) {
            for of in holders() {
                assert_eq!(
                    self.counters.get(&(counter, of)).copied().unwrap_or(0),
                    game.counter(counter, of)
                );
            }
        }
        for pile in (0..decl.piles.len()).map(Pile::from_index) {
            for of in holders() {
                assert_eq!(
                    self.piles.get(&(pile, of)).map_or(&[][..], Vec::as_slice),
                    game.pile(pile, of)
                );
                assert_eq!(board.cards(pile, of), game.pile(pile, of).len());
            }
        }
        for who in game.seats() {
            assert_eq!(board.status(who), game.status(who));
        }
        assert_eq!(
            (self.turn, self.answers, self.ended),
            (game.turn(), game.answers(), game.ending().is_some())
        );
    }
}
