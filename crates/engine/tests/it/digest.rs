//! The digest of a state covers every field and is updated by differences.

use std::collections::BTreeMap;
use std::sync::Arc;

use risk_engine::Worker;
use risk_kernel::action::{Action, Domain, LegalAction, Options};
use risk_kernel::declare::{CardInfo, CounterDecl, Declaration, Visibility};
use risk_kernel::digest::{CellKind, StateCell};
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, FaultKind, RuleFault};
use risk_kernel::id::{Card, Counter, Phase, Pile, Player, PlayerSet, Territory, Unit, Verb};
use risk_kernel::phases::Asked;
use risk_kernel::rng::GameKey;
use risk_kernel::state::{Frame, GameState};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Limits, Moment, Rules, Sink, play};

use risk_testing::games as support;
use risk_testing::toy::{LENIENT, board, declaration};

const A: Phase = Phase(0);
const B: Phase = Phase(1);
const NOBODY: PlayerSet = PlayerSet(0);

/// Two kinds of units, two counters, three piles and four cards; turns have no phases.
fn decl() -> Declaration {
    let kept = |name: &str| CounterDecl {
        name: name.to_owned(),
        seen: Visibility::All,
    };
    let card = |name: &str| CardInfo {
        name: name.to_owned(),
        kind: 0,
        at: None,
        title: None,
        tell: None,
        data: BTreeMap::new(),
    };
    Declaration {
        turn: Vec::new(),
        units: vec!["army".to_owned(), "ship".to_owned()],
        counters: vec![kept("one"), kept("two")],
        piles: vec![kept("deck"), kept("hand"), kept("away")],
        card_kinds: vec!["card".to_owned()],
        cards: ["a", "b", "c", "d"].map(card).to_vec(),
        last_standing: None,
        ..declaration(LENIENT)
    }
}

fn fresh(seed: u64, players: usize) -> GameState {
    GameState::new(
        board(),
        Arc::new(decl()),
        players,
        GameKey::of_numbers(seed, 0),
    )
}

/// Computes the digest from scratch, as the documentation defines it.
fn sum(game: &GameState) -> u64 {
    game.cells()
        .into_iter()
        .fold(0, |sum, (cell, value)| sum.wrapping_add(cell.term(value)))
}

fn differences(one: &GameState, two: &GameState) -> Vec<StateCell> {
    let (one, two): (BTreeMap<_, _>, BTreeMap<_, _>) = (
        one.cells().into_iter().collect(),
        two.cells().into_iter().collect(),
    );
    let mut all: Vec<StateCell> = one.keys().chain(two.keys()).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|cell| one.get(cell) != two.get(cell));
    all
}

/// A name, two changes of a state, and the only values in which the results differ: kind, first and
/// second number.
type Row = (
    &'static str,
    fn(&mut GameState),
    fn(&mut GameState),
    &'static [(CellKind, u32, u32)],
);

fn done(result: Result<(), RuleFault>) {
    result.unwrap();
}

fn order(number: i32) -> Action {
    Action::new(Verb(0), &[number])
}

const FIRST: Player = Player(0);
const SECOND: Player = Player(1);

const ROWS: &[Row] = &[
    (
        "owner",
        |game| game.set_owner(Territory(1), Some(FIRST)),
        |game| game.set_owner(Territory(1), Some(SECOND)),
        &[(CellKind::Owner, 0, 1)],
    ),
    (
        "units",
        |game| done(game.add_units(Territory(2), Unit(0), 1)),
        |game| done(game.add_units(Territory(2), Unit(0), 2)),
        &[(CellKind::Units, 0, 2)],
    ),
    (
        "another kind of unit",
        |game| done(game.add_units(Territory(2), Unit(0), 1)),
        |game| done(game.add_units(Territory(2), Unit(1), 1)),
        &[(CellKind::Units, 0, 2), (CellKind::Units, 1, 2)],
    ),
    (
        "counter of a player",
        |game| done(game.set_counter(Counter(1), Some(SECOND), 7)),
        |game| done(game.set_counter(Counter(1), Some(SECOND), -7)),
        &[(CellKind::Counter, 1, 2)],
    ),
    (
        "counter of the table",
        |_| (),
        |game| done(game.set_counter(Counter(0), None, 1)),
        &[(CellKind::Counter, 0, 0)],
    ),
    (
        "cards in another order",
        |game| done(game.fill(Pile(1), Some(SECOND), &[Card(0), Card(1), Card(2)])),
        |game| done(game.fill(Pile(1), Some(SECOND), &[Card(1), Card(0), Card(2)])),
        &[(CellKind::Pile, 66, 0), (CellKind::Pile, 66, 1)],
    ),
    (
        "card on another pile",
        |game| done(game.fill(Pile(0), None, &[Card(3)])),
        |game| done(game.fill(Pile(2), None, &[Card(3)])),
        &[(CellKind::Pile, 0, 0), (CellKind::Pile, 128, 0)],
    ),
    (
        "stored orders",
        |game| done(game.store(FIRST, order(1))),
        |game| done(game.store(FIRST, order(2))),
        &[(CellKind::Book, 0, 3)],
    ),
    (
        "whose order",
        |game| done(game.store(FIRST, order(1))),
        |game| done(game.store(SECOND, order(1))),
        &[(CellKind::Book, 0, 0)],
    ),
    (
        "number of parameters",
        |game| done(game.store(FIRST, Action::new(Verb(0), &[]))),
        |game| done(game.store(FIRST, Action::new(Verb(0), &[0]))),
        &[(CellKind::Book, 0, 2)],
    ),
    (
        "verb of an order",
        |game| done(game.store(FIRST, Action::new(Verb(0), &[1]))),
        |game| done(game.store(FIRST, Action::new(Verb(1), &[1]))),
        &[(CellKind::Book, 0, 1)],
    ),
    (
        "status",
        |game| game.neutralise(SECOND),
        |game| game.forfeit(SECOND),
        &[(CellKind::Status, 0, 1)],
    ),
    (
        "order of elimination",
        |game| {
            game.eliminate(FIRST);
            game.eliminate(SECOND);
        },
        |game| {
            game.eliminate(SECOND);
            game.eliminate(FIRST);
        },
        &[(CellKind::Eliminated, 0, 0), (CellKind::Eliminated, 0, 1)],
    ),
    (
        "round",
        |_| (),
        |game| game.new_round().unwrap(),
        &[(CellKind::Progress, 0, 0)],
    ),
    (
        "turn",
        |game| game.resume(1, FIRST, A, [0; 3]),
        |game| game.resume(2, FIRST, A, [0; 3]),
        &[(CellKind::Progress, 0, 1)],
    ),
    (
        "mover",
        |game| done(game.turn_of(FIRST)),
        |game| done(game.turn_of(SECOND)),
        &[(CellKind::Progress, 0, 2)],
    ),
    (
        "rounds of fights",
        |_| (),
        |game| drop(game.try_chance(0, 50)),
        &[(CellKind::Progress, 0, 4)],
    ),
    (
        "phase",
        |game| game.resume(1, FIRST, A, [0; 3]),
        |game| game.resume(1, FIRST, B, [0; 3]),
        &[(CellKind::Frame, 0, 0)],
    ),
    (
        "who still decides",
        |game| game.resume(1, FIRST, A, [0; 3]),
        |game| {
            game.resume(1, FIRST, A, [0; 3]);
            game.leave(FIRST);
        },
        &[(CellKind::Frame, 0, 1)],
    ),
    (
        "numbers of a frame",
        |game| game.resume(1, FIRST, A, [4, 5, 6]),
        |game| game.resume(1, FIRST, A, [-4, -5, -6]),
        &[
            (CellKind::Frame, 0, 3),
            (CellKind::Frame, 0, 4),
            (CellKind::Frame, 0, 5),
        ],
    ),
    (
        "whom a frame was opened for",
        |game| done(game.push(A, NOBODY, None, [0; 3])),
        |game| done(game.push(A, NOBODY, Some(Player(1)), [0; 3])),
        &[(CellKind::Pending, 0, 2)],
    ),
    (
        "reason of the end",
        |game| game.end("limit", NOBODY),
        |game| game.end("draw", NOBODY),
        &[(CellKind::Ending, 0, 1)],
    ),
    (
        "winners",
        |game| game.end("draw", NOBODY),
        |game| game.end("draw", PlayerSet::one(SECOND)),
        &[(CellKind::Ending, 0, 2)],
    ),
    (
        "end without a word",
        |_| (),
        |game| game.end("", NOBODY),
        &[(CellKind::Ending, 0, 0)],
    ),
    (
        "dice",
        |game| drop(game.try_chance(0, 50)),
        |game| drop(game.throw(6, 1, 0)),
        &[(CellKind::Stream, 1, 0)],
    ),
    (
        "decks",
        |game| {
            done(game.fill(Pile(0), None, &[Card(0), Card(1)]));
            game.shuffle(Pile(0), None);
            while game.pile(Pile(0), None) != [Card(0), Card(1)] {
                game.shuffle(Pile(0), None);
            }
        },
        |game| done(game.fill(Pile(0), None, &[Card(0), Card(1)])),
        &[(CellKind::Stream, 2, 0)],
    ),
    (
        "set-up",
        |_| (),
        |game| drop(game.random(3)),
        &[(CellKind::Stream, 3, 0)],
    ),
];

#[test]
fn every_field_of_a_state_is_in_the_digest() {
    for (name, one, two, expected) in ROWS {
        let mut a = fresh(1, 3);
        let mut b = fresh(1, 3);
        one(&mut a);
        two(&mut b);
        let found: Vec<_> = differences(&a, &b)
            .into_iter()
            .map(|cell| (cell.kind, cell.a, cell.b))
            .collect();
        assert_eq!(&found, expected, "{name}");
        assert_ne!(a.digest(), b.digest(), "{name}");
        assert_eq!((a.digest(), b.digest()), (sum(&a), sum(&b)), "{name}");
    }
}

/// Takes the first option or fails as scripted, then halts.
struct FaultScriptBot(std::vec::IntoIter<Result<(), BotFault>>);

impl Bot for FaultScriptBot {
    fn answer(&mut self, _: &View, ask: &Options) -> Result<Answer, BotFault> {
        self.0
            .next()
            .unwrap_or(Err(BotFault::Halt))
            .map(|()| Answer::One(ask.nth(0)))
    }
}

/// Asks one player forever, without any effect.
struct IdleRules;

impl Rules for IdleRules {
    fn setup(&mut self, game: &mut GameState) -> Result<(), RuleFault> {
        game.push_for(A, FIRST, [0; 3])
    }
    fn enter(&mut self, _: &mut GameState, _: &Frame) -> Result<(), RuleFault> {
        Ok(())
    }
    fn options(&mut self, _: Asked<'_>, out: &mut Options) -> Result<(), RuleFault> {
        out.offer(Verb(0), &[Domain::Is(1)]);
        Ok(())
    }
    fn apply(
        &mut self,
        _: &mut GameState,
        _: &Frame,
        _: Player,
        _: LegalAction,
    ) -> Result<(), RuleFault> {
        Ok(())
    }
}

#[test]
fn what_the_loop_counts_is_in_the_digest() {
    let played = |says: Vec<Result<(), BotFault>>, idle: u32| {
        let mut bots: Vec<Box<dyn Bot>> = vec![Box::new(FaultScriptBot(says.into_iter()))];
        let limits = Limits {
            idle,
            ..Limits::default()
        };
        play(
            fresh(1, 1),
            GameKey::of_numbers(1, 0),
            &mut IdleRules,
            &mut bots,
            &mut risk_kernel::NullSink,
            limits,
        )
        .game
    };
    let asked = played(vec![], 9);
    let rows = [
        (
            "answers",
            played(vec![Ok(())], 9),
            (CellKind::Progress, 0, 3),
        ),
        (
            "strikes",
            played(vec![Err(BotFault::strike(FaultKind::Illegal, "no"))], 9),
            (CellKind::Strikes, 0, 0),
        ),
        ("entered", played(vec![], 0), (CellKind::Frame, 0, 6)),
    ];
    for (name, game, expected) in rows {
        let found: Vec<_> = differences(&asked, &game)
            .into_iter()
            .map(|cell| (cell.kind, cell.a, cell.b))
            .collect();
        assert_eq!(found, [expected], "{name}");
        assert_ne!(asked.digest(), game.digest(), "{name}");
    }
}

#[test]
fn the_key_of_the_streams_is_in_the_digest() {
    let found: Vec<_> = differences(&fresh(1, 2), &fresh(2, 2))
        .into_iter()
        .map(|cell| (cell.a, cell.b))
        .collect();
    assert_eq!(found, [(0, 0)], "other keys, nothing drawn");
}

#[test]
fn the_digest_knows_states_and_not_histories() {
    let mut a = fresh(1, 2);
    let mut b = fresh(1, 2);
    assert_eq!(a.digest(), b.digest());
    a.add_units(Territory(0), Unit(0), 2).unwrap();
    b.add_units(Territory(0), Unit(0), 5).unwrap();
    b.add_units(Territory(0), Unit(0), -3).unwrap();
    assert_eq!(a.digest(), b.digest());
    a.fill(Pile(0), None, &[Card(0), Card(1), Card(2)]).unwrap();
    b.fill(Pile(0), None, &[Card(1), Card(2), Card(0)]).unwrap();
    b.move_card(Card(0), (Pile(0), None), (Pile(1), Some(SECOND)), false)
        .unwrap();
    b.move_card(Card(0), (Pile(1), Some(SECOND)), (Pile(0), None), true)
        .unwrap();
    assert_eq!(a.digest(), b.digest());
    a.store(FIRST, order(2)).unwrap();
    b.store(SECOND, order(1)).unwrap();
    b.store(FIRST, order(2)).unwrap();
    b.unstore(0).unwrap();
    assert_eq!(a.digest(), b.digest());
}

/// The old keys collided at the 64th holder: 21 players with three piles.
#[test]
fn no_two_values_of_a_full_table_share_a_term() {
    let mut terms: Vec<u64> = Vec::new();
    let mut add =
        |game: &GameState| terms.extend(game.cells().iter().map(|&(cell, value)| cell.term(value)));
    for pile in 0..3 {
        for seat in 0..=32 {
            for card in 0..4 {
                let mut game = fresh(1, 32);
                let of = (seat < 32).then_some(Player(seat));
                let before = game.cells().len();
                game.fill(Pile(pile), of, &[Card(card)]).unwrap();
                game.set_counter(Counter(0), of, i64::from(card) + 1 + i64::from(pile) * 4)
                    .unwrap();
                assert_eq!(game.cells().len(), before + 2);
                add(&game);
            }
        }
    }
    // Terms of the key, the same in every state.
    let streams = 1;
    terms.sort_unstable();
    let all = terms.len() - streams * 3 * 33 * 4;
    terms.dedup();
    assert_eq!(
        terms.len() - streams,
        all,
        "every card of every pile and every counter has a term of its own"
    );
}

/// Checks that the digest that the mutators update equals the sum.
#[derive(Default)]
struct DigestChecker {
    last: u64,
    looked: u64,
}

impl Sink for DigestChecker {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        if game.digest() != self.last {
            self.last = game.digest();
            self.looked += 1;
            assert_eq!(self.last, sum(game), "after {event:?}");
        }
    }
}

#[test]
fn the_digest_is_kept_by_differences_in_every_ruleset() {
    for (ruleset, bots) in [
        ("hasbro", &["random"; 4][..]),
        ("codelab", &["outnumber"; 2]),
        ("simplified", &["random"; 3]),
        ("warzone", &["random"; 2]),
        ("warlight1", &["random"; 2]),
        ("warlight2", &["random"; 2]),
        ("starwars", &["random"; 2]),
    ] {
        let option: &[_] = if ruleset == "simplified" {
            &[]
        } else {
            &[("max_turns", "60")]
        };
        let setup = support::setup(ruleset, None, bots, 5, option);
        let mut adder = DigestChecker::default();
        Worker::new(&setup)
            .unwrap()
            .play(0, &mut adder)
            .outcome
            .unwrap();
        assert!(adder.looked > 20, "{ruleset}: {}", adder.looked);
    }
}
