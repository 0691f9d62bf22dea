//! The state as the events tell it: a fold that knows nothing of the mutators.

use std::collections::BTreeMap;

use risk_kernel::event::{Capture, Event, PileOf, Status};
use risk_kernel::id::{Card, Counter, Pile, Player, Territory, Unit};
use risk_kernel::state::GameState;

/// The state as the events tell it.
#[derive(Default)]
pub struct Fold {
    owner: BTreeMap<Territory, Player>,
    units: BTreeMap<(Territory, Unit), i32>,
    counters: BTreeMap<(Counter, Option<Player>), i64>,
    piles: BTreeMap<PileOf, Vec<Card>>,
    out: BTreeMap<Player, Status>,
    turn: u32,
    answers: u64,
    ended: bool,
}

impl Fold {
    pub fn step(&mut self, event: &Event) {
        match event {
            Event::TurnBegan { turn, .. } => self.turn = *turn,
            Event::Answered { number, .. } => self.answers = *number,
            Event::Owner { at, from, to } => {
                assert_eq!(self.owner.get(at), from.as_ref());
                match to {
                    Some(who) => drop(self.owner.insert(*at, *who)),
                    None => drop(self.owner.remove(at)),
                }
            }
            Event::Units { at, unit, by, now } => {
                let units = self.units.entry((*at, *unit)).or_default();
                *units += by;
                assert_eq!(units, now);
            }
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => {
                *self.units.entry((*from, *unit)).or_default() -= count;
                *self.units.entry((*to, *unit)).or_default() += count;
            }
            Event::Captured(Capture {
                from,
                to,
                by,
                loser,
                unit,
                killed,
                moved,
            }) => {
                assert_eq!(self.owner.insert(*to, *by), *loser);
                assert_eq!(self.owner.get(from), Some(by));
                *self.units.entry((*from, *unit)).or_default() -= moved;
                assert_eq!(
                    self.units.insert((*to, *unit), *moved).unwrap_or(0),
                    *killed
                );
            }
            Event::Status { player: who, now } => drop(self.out.insert(*who, *now)),
            Event::Ended { .. } => self.ended = true,
            _ => self.step_of_stores(event),
        }
    }

    /// Counters and cards.
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
        for at in game.board().territories() {
            assert_eq!(self.owner.get(&at).copied(), game.owner(at));
            for unit in (0..decl.units.len()).map(Unit::from_index) {
                assert_eq!(
                    self.units.get(&(at, unit)).copied().unwrap_or(0),
                    game.units(at, unit)
                );
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
            }
        }
        for who in game.seats() {
            assert_eq!(
                self.out.get(&who).copied().unwrap_or(Status::Playing),
                game.status(who)
            );
        }
        assert_eq!(
            (self.turn, self.answers, self.ended),
            (game.turn(), game.answers(), game.ending().is_some())
        );
    }
}
