//! Thousands of games in which everything is checked after every hook: the state against a fold of
//! the events that knows nothing of the mutators, land against armies, cards against cards.

use std::collections::BTreeMap;

use risk_engine::matches::{Setup, Worker};
use risk_kernel::Sink;
use risk_kernel::event::{Capture, Event, PileOf, Status};
use risk_kernel::id::{Card, Counter, Pile, Player, Territory, Unit};
use risk_kernel::state::GameState;

use crate::by_case::{each, share};
use crate::support;

/// The state as the events tell it.
#[derive(Default)]
pub(crate) struct Fold {
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
    pub(crate) fn step(&mut self, event: &Event) {
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

    pub(crate) fn check(&self, game: &GameState) {
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

/// Checks a game of Hasbro's after every hook. Events of one hook come together, so the state is
/// compared when the next hook's first event comes, with the state as it was then.
#[derive(Default)]
struct Inspector {
    fold: Fold,
    last_digest: u64,
    hooks: u64,
    eliminated: u32,
    reshuffled: u32,
}

impl Inspector {
    fn look(&mut self, game: &GameState) {
        self.hooks += 1;
        for at in game.board().territories() {
            let armies = game.armies(at);
            assert_eq!(
                game.owner(at).is_some(),
                armies >= 1,
                "owned land holds at least one army, free land none"
            );
        }
        let cards: usize = game
            .seats()
            .map(Some)
            .chain([None])
            .flat_map(|of| {
                (0..game.decl().piles.len())
                    .map(move |pile| game.pile(Pile::from_index(pile), of).len())
            })
            .sum();
        assert_eq!(cards, game.decl().cards.len(), "no card is lost or made");
        for who in game.seats() {
            assert_eq!(game.owned(who).count() as u32, game.territory_count(who));
            let out = game.status(who) == Status::Eliminated;
            assert!(!out || game.territory_count(who) == 0);
            let bonus: i64 = game
                .board()
                .continents()
                .iter()
                .enumerate()
                .filter(|(index, _)| {
                    let members = game
                        .board()
                        .members(risk_kernel::id::Continent::from_index(*index));
                    members.iter().all(|&at| game.owns(who, at))
                })
                .map(|(_, continent)| i64::from(continent.bonus))
                .sum();
            assert_eq!(bonus, risk_kernel::phases::bonus(game, who));
        }
    }
}

impl Sink for Inspector {
    fn event(&mut self, game: &GameState, event: &Event) {
        self.fold.step(event);
        match event {
            Event::Status {
                now: Status::Eliminated,
                ..
            } => self.eliminated += 1,
            Event::Shuffled { .. } if game.turn() > 0 => self.reshuffled += 1,
            _ => {}
        }
        if game.digest() != self.last_digest {
            self.last_digest = game.digest();
            self.look(game);
        }
    }
}

/// What came of some games.
#[derive(Default)]
struct Came {
    reasons: BTreeMap<String, u64>,
    eliminated: u32,
    reshuffled: u32,
}

/// Plays these games; `None` where one alone was asked for.
fn play(setup: &Setup, games: std::ops::Range<u64>) -> Option<Came> {
    let mut came = Came::default();
    let mut worker = Worker::new(setup).unwrap();
    let all = each(games, |&number| {
        let mut inspector = Inspector::default();
        let finished = worker.play(number, &mut inspector);
        inspector.fold.check(&finished.game);
        assert!(inspector.hooks > 0);
        let reason = finished.outcome.unwrap().reason;
        *came.reasons.entry(reason).or_default() += 1;
        came.eliminated += inspector.eliminated;
        came.reshuffled += inspector.reshuffled;
    });
    all.then_some(came)
}

/// Random games with so many players on the world, and as many on a small map where
/// they are decided.
fn random_games(players: usize) {
    let bots = vec!["random"; players];
    let big = support::setup("hasbro", None, &bots, 11, &[("max_turns", "100")]);
    if let Some(came) = play(&big, 0..share(1250)) {
        assert_eq!(came.reasons.values().sum::<u64>(), share(1250));
    }
    let folder = support::tiny();
    let map = folder.path().join("tiny.yaml");
    let small = support::setup("hasbro", map.to_str(), &bots, 12, &[("max_turns", "150")]);
    let Some(came) = play(&small, 0..share(1250)) else {
        return;
    };
    let reasons = came.reasons;
    assert!(
        reasons.contains_key("conquest") && came.eliminated > 0,
        "{reasons:?}"
    );
    assert!(came.reshuffled > 0, "with eight cards the deck runs out");
    assert!(
        reasons
            .keys()
            .all(|reason| ["conquest", "limit"].contains(&reason.as_str())),
        "{reasons:?}"
    );
}

#[test]
fn random_games_of_3_keep_all_laws() {
    random_games(3);
}

#[test]
fn random_games_of_4_keep_all_laws() {
    random_games(4);
}

#[test]
fn random_games_of_5_keep_all_laws() {
    random_games(5);
}

#[test]
fn random_games_of_6_keep_all_laws() {
    random_games(6);
}

#[test]
fn whole_games_of_better_bots_keep_all_laws() {
    let setup = support::setup(
        "hasbro",
        None,
        &[
            "outnumber",
            "holder",
            "odds",
            "random",
            "outnumber",
            "holder",
        ],
        13,
        &[],
    );
    if let Some(came) = play(&setup, 0..60) {
        assert!(came.eliminated > 200, "{:?}", came.reasons);
    }
}
