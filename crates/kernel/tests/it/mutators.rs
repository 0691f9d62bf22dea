//! Single changes of a state, on a board that is wider than a word: what they do and what they
//! refuse.

use std::sync::Arc;

use risk_kernel::board::{Board, TerritoryInfo};
use risk_kernel::declare::{CounterDecl, Declaration, Visibility};
use risk_kernel::fault::RuleFault;
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::{Counter, Group, Phase, Pile, Player, PlayerSet, Territory, Unit};
use risk_kernel::phases::{self, deals};
use risk_kernel::rng::GameKey;
use risk_kernel::state::{GameState, MOST};
use risk_kernel::view::{Facts, View};

use risk_testing::facts::has_words;
use risk_testing::toy::{LENIENT, declaration};

const LAND: u16 = 200;
const A: Player = Player(0);
const B: Player = Player(1);
const C: Player = Player(2);
const ARMY: Unit = Unit(0);
const SHIP: Unit = Unit(1);

/// Returns a ring of 200 territories, of which the first 70 are one continent and the last one is
/// another; the third is empty.
pub(crate) fn ring() -> Arc<Board> {
    let land = |at: u16| TerritoryInfo {
        id: format!("t{at}"),
        name: format!("t{at}"),
        continent: if at < 70 {
            Some(Group(0))
        } else {
            (at == LAND - 1).then_some(Group(1))
        },
        ..TerritoryInfo::default()
    };
    let continent = |id: &str, bonus: i32| GroupInfo {
        id: id.to_owned(),
        bonus,
        ..GroupInfo::default()
    };
    let around = (0..LAND).map(|at| (Territory(at), Territory((at + 1) % LAND)));
    let borders: Vec<_> = around.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    let continents = vec![
        continent("big", 7),
        continent("end", 2),
        continent("void", 100),
    ];
    Arc::new(Board::new(
        "ring".to_owned(),
        "round".to_owned(),
        (0..LAND).map(land).collect(),
        continents,
        &borders,
    ))
}

fn decl(max_turns: u32) -> Declaration {
    let kept = |name: &str| CounterDecl {
        name: name.to_owned(),
        seen: Visibility::All,
    };
    Declaration {
        units: vec!["army".to_owned(), "ship".to_owned()],
        counters: vec![kept("one"), kept("two")],
        piles: vec![kept("deck")],
        last_standing: None,
        max_turns,
        ..declaration(LENIENT)
    }
}

fn fresh(max_turns: u32) -> GameState {
    GameState::new(
        ring(),
        Arc::new(decl(max_turns)),
        3,
        GameKey::of_numbers(1, 0),
    )
}

fn lands(game: &GameState, who: Player) -> Vec<u16> {
    game.owned(who).map(|at| at.0).collect()
}

#[test]
fn land_is_known_by_owner_on_boards_of_any_width() {
    let mut game = fresh(0);
    let steps: Vec<(u16, Option<Player>)> = (0..LAND)
        .map(|at| (at * 37 % LAND, Some(Player((at % 3) as u8))))
        .chain([
            (63, Some(B)),
            (64, Some(B)),
            (65, Some(B)),
            (64, None),
            (127, Some(C)),
            (128, Some(A)),
            (199, Some(B)),
        ])
        .collect();
    let mut owners = [None; LAND as usize];
    for (at, to) in steps {
        game.set_owner(Territory(at), to);
        owners[usize::from(at)] = to;
        for who in [A, B, C] {
            let wanted: Vec<u16> = (0..LAND)
                .filter(|&at| owners[usize::from(at)] == Some(who))
                .collect();
            assert_eq!(lands(&game, who), wanted, "after {at}");
            assert_eq!(game.territory_count(who) as usize, wanted.len());
        }
        for here in 0..LAND {
            let owner = |at: u16| owners[usize::from(at % LAND)];
            let front = owner(here + 1) != owner(here) || owner(here + LAND - 1) != owner(here);
            assert_eq!(game.is_front(Territory(here)), front, "{here} after {at}");
        }
    }
    let facts = Facts::new(game.clone());
    for (who, start) in [A, B, C]
        .into_iter()
        .flat_map(|who| (0..=LAND).map(move |start| (who, start)))
    {
        let found: Vec<u16> = View::new(&facts, who)
            .owned_from(Territory(start))
            .map(|at| at.0)
            .collect();
        let wanted: Vec<u16> = lands(&game, who)
            .into_iter()
            .filter(|&at| at >= start)
            .collect();
        // A start beyond the board lists everything, but no caller uses one.
        assert!(found == wanted || start >= LAND, "{who:?} from {start}");
    }
}

#[test]
fn continents_are_counted_by_owner() {
    let mut game = fresh(0);
    let big = Group(0);
    let end = Group(1);
    let void = Group(2);
    for at in 0..69 {
        game.set_owner(Territory(at), Some(B));
    }
    assert_eq!(
        (
            game.owned_in(B, big),
            game.holds(B, big),
            phases::bonus(&game, B)
        ),
        (69, false, 0)
    );
    game.set_owner(Territory(69), Some(B));
    game.set_owner(Territory(LAND - 1), Some(C));
    assert_eq!(
        (
            game.owned_in(B, big),
            game.holds(B, big),
            phases::bonus(&game, B)
        ),
        (70, true, 7)
    );
    assert_eq!(
        (
            game.owned_in(C, big),
            game.owned_in(C, end),
            game.holds(C, end),
            phases::bonus(&game, C)
        ),
        (0, 1, true, 2)
    );
    assert!(
        [A, B, C]
            .into_iter()
            .all(|who| !game.holds(who, void) && game.owned_in(who, void) == 0)
    );
    game.set_owner(Territory(3), Some(A));
    assert_eq!(
        (
            game.owned_in(B, big),
            game.holds(B, big),
            game.owned_in(A, big)
        ),
        (69, false, 1)
    );
    game.set_owner(Territory(3), None);
    assert_eq!(game.owned_in(A, big), 0);
}

#[test]
fn units_are_counted_by_kind() {
    let mut game = fresh(0);
    for (at, unit, by) in [
        (1, ARMY, 5),
        (1, SHIP, 2),
        (2, ARMY, 11),
        (2, SHIP, 17),
        (199, SHIP, 3),
    ] {
        game.add_units(Territory(at), unit, by).unwrap();
    }
    game.set_owner(Territory(2), Some(B));
    game.set_owner(Territory(199), Some(B));
    let all = [0, 1, 2, 199].map(|at| game.all_units(Territory(at)));
    assert_eq!(
        (all, game.strength(B), game.strength(A)),
        ([0, 7, 28, 3], 31, 0)
    );
    let most = MOST as i32;
    game.add_units(Territory(5), ARMY, most).unwrap();
    game.add_units(Territory(5), SHIP, most).unwrap();
    game.add_units(Territory(6), ARMY, most).unwrap();
    assert_eq!(game.all_units(Territory(5)), 2_000_000_000);
}

type Change = fn(&mut GameState) -> Result<(), RuleFault>;

/// A change tried with 5 armies on t1 (the first player's), 1,000,000,000 on t2 (the second's) and
/// none on t3 (unowned); and what the error names, or "" where the change is done.
const TRIED: &[(&str, Change, &str)] = &[
    (
        "all move",
        |game| game.move_units(Territory(1), Territory(3), ARMY, 5),
        "",
    ),
    (
        "more than there are move",
        |game| game.move_units(Territory(1), Territory(3), ARMY, 6),
        "6 t1 5 t3",
    ),
    (
        "none move",
        |game| game.move_units(Territory(1), Territory(3), ARMY, 0),
        "0 t1 5 t3",
    ),
    (
        "less than none move",
        |game| game.move_units(Territory(1), Territory(3), ARMY, -1),
        "-1 t1 5 t3",
    ),
    (
        "units move to where they are",
        |game| game.move_units(Territory(1), Territory(1), ARMY, 2),
        "2 t1 5",
    ),
    (
        "units move to where the most are",
        |game| game.move_units(Territory(1), Territory(2), ARMY, 1),
        "1 t1 5 t2",
    ),
    (
        "units fill up to the most",
        |game| {
            game.add_units(Territory(2), ARMY, -5)?;
            game.move_units(Territory(1), Territory(2), ARMY, 5)
        },
        "",
    ),
    (
        "one more than the most are added",
        |game| game.add_units(Territory(2), ARMY, 1),
        "1 1000000000 t2 0",
    ),
    (
        "one is captured with all",
        |game| game.capture(Territory(1), Territory(2), ARMY, 5),
        "",
    ),
    (
        "free land is captured",
        |game| game.capture(Territory(1), Territory(3), ARMY, 1),
        "",
    ),
    (
        "a capture with none",
        |game| game.capture(Territory(1), Territory(2), ARMY, 0),
        "t2 0 5 t1",
    ),
    (
        "a capture with more than there are",
        |game| game.capture(Territory(1), Territory(2), ARMY, 6),
        "t2 6 5 t1",
    ),
    (
        "a capture of one's own",
        |game| {
            game.set_owner(Territory(2), Some(A));
            game.capture(Territory(1), Territory(2), ARMY, 1)
        },
        "t2 1 5 t1",
    ),
    (
        "a capture from nobody's land",
        |game| game.capture(Territory(3), Territory(2), ARMY, 1),
        "t2 1 0 t3",
    ),
    (
        "the most counted",
        |game| game.set_counter(Counter(1), Some(C), MOST),
        "",
    ),
    (
        "the least counted",
        |game| game.set_counter(Counter(1), Some(C), -MOST),
        "",
    ),
    (
        "more than the most counted",
        |game| game.set_counter(Counter(1), Some(C), MOST + 1),
        "two 1000000001 1000000000",
    ),
    (
        "less than the least counted",
        |game| game.set_counter(Counter(1), Some(C), -MOST - 1),
        "two -1000000001 1000000000",
    ),
    ("the most dice", |game| game.throw(6, 5, 2).map(drop), ""),
    (
        "dice of the attacker alone",
        |game| game.throw(6, 7, 0).map(drop),
        "",
    ),
    ("too many dice", |game| game.throw(6, 5, 3).map(drop), "5 3"),
    (
        "no dice of the attacker",
        |game| game.throw(6, 0, 2).map(drop),
        "0 2",
    ),
    (
        "the most dice in one roll",
        |game| game.roll(6, 60, 40).map(drop),
        "",
    ),
    (
        "more dice than in one roll",
        |game| game.roll(6, 60, 41).map(drop),
        "100 60 41",
    ),
    (
        "a roll of the defender alone",
        |game| game.roll(6, 0, 2).map(drop),
        "",
    ),
    (
        "a roll without dice",
        |game| game.roll(6, 0, 0).map(drop),
        "0",
    ),
    ("one side", |game| game.roll(1, 1, 1).map(drop), "1"),
    (
        "more sides than a hundred",
        |game| game.roll(101, 1, 1).map(drop),
        "101",
    ),
    (
        "a million tries",
        |game| game.try_chance(1_000_000, 100).map(drop),
        "",
    ),
    (
        "more tries than a million",
        |game| game.try_chance(1_000_001, 50).map(drop),
        "50 1000001",
    ),
    (
        "more percent than a hundred",
        |game| game.try_chance(1, 101).map(drop),
        "101 1",
    ),
    (
        "less than no chance",
        |game| game.try_chance(1, -1).map(drop),
        "-1 1",
    ),
    ("chance of nothing", |game| game.random(0).map(drop), "0"),
    (
        "nothing scattered without land",
        |game| deals::scatter(game, C, ARMY, 0),
        "",
    ),
    (
        "units scattered without land",
        |game| deals::scatter(game, C, ARMY, 1),
        "3 1",
    ),
    (
        "less than none scattered",
        |game| deals::scatter(game, A, ARMY, -1),
        "-1 1000000",
    ),
    (
        "fewer than there are for everybody",
        |game| {
            game.set_owner(Territory(2), None);
            deals::scatter_all(game, ARMY, 4)
        },
        "-1 1000000",
    ),
    (
        "far fewer than there are for everybody",
        |game| {
            game.set_owner(Territory(3), Some(B));
            game.add_units(Territory(3), ARMY, MOST as i32)?;
            game.add_units(Territory(4), ARMY, MOST as i32)?;
            game.set_owner(Territory(4), Some(B));
            game.add_units(Territory(1), ARMY, -5)?;
            deals::scatter_all(game, ARMY, 0)
        },
        "-1 1000000",
    ),
];

#[test]
fn changes_are_done_or_refused() {
    for (name, change, facts) in TRIED {
        let mut game = fresh(0);
        game.set_owner(Territory(1), Some(A));
        game.set_owner(Territory(2), Some(B));
        game.add_units(Territory(1), ARMY, 5).unwrap();
        game.add_units(Territory(2), ARMY, MOST as i32).unwrap();
        match change(&mut game) {
            Ok(()) => assert_eq!(*facts, "", "{name}"),
            Err(fault) => assert!(
                !facts.is_empty() && has_words(fault.text(), facts),
                "{name}: {fault}"
            ),
        }
        let sum = game.cells().into_iter().fold(0_u64, |sum, (cell, value)| {
            sum.wrapping_add(cell.term(value))
        });
        assert_eq!(game.digest(), sum, "{name}");
    }
}

#[test]
fn a_roll_of_many_dice_is_several_throws() {
    let (mut whole, mut parts) = (fresh(0), fresh(0));
    let (attack, defend) = whole.roll(6, 12, 4).unwrap();
    let mut thrown = parts.roll(6, 7, 0).unwrap().0;
    let (second, third) = parts.roll(6, 5, 2).unwrap();
    thrown.extend(second);
    assert_eq!(attack, thrown);
    // A throw of the defender's last dice has no dice of the attacker.
    let last = parts.roll(6, 2, 0).unwrap().0;
    assert_eq!(defend, [third, last].concat());
    assert_eq!(whole.digest(), parts.digest());
    assert_eq!(whole.battle_rounds(), 3);
}

#[test]
fn rounds_of_fights_are_counted() {
    let mut game = fresh(0);
    assert_eq!(game.battle_rounds(), 0);
    game.throw(6, 3, 2).unwrap();
    game.roll(6, 1, 0).unwrap();
    game.try_chance(10, 50).unwrap();
    assert_eq!(game.battle_rounds(), 3);
    game.random(5).unwrap();
    assert_eq!(game.battle_rounds(), 3);
}

fn standing(game: &GameState) -> (Option<&str>, u32, u32) {
    (
        game.ending().map(|ending| ending.reason.as_str()),
        game.round(),
        game.turn(),
    )
}

#[test]
fn turns_end_at_the_declared_limit_and_not_without_one() {
    let mut game = fresh(4);
    for (after, wanted) in [
        (None, (None, 1, 1)),
        (Some(A), (None, 1, 2)),
        (Some(B), (None, 1, 3)),
        (Some(C), (None, 2, 4)),
        // No turn begins after the limit.
        (Some(A), (Some("limit"), 2, 4)),
        (Some(B), (Some("limit"), 2, 4)),
    ] {
        game.next_turn(after).unwrap();
        assert_eq!(standing(&game), wanted, "after {after:?}");
    }
    let mut game = fresh(3);
    for after in [None, Some(A), Some(B), Some(C)] {
        game.next_turn(after).unwrap();
    }
    assert_eq!(
        standing(&game),
        (Some("limit"), 1, 3),
        "the limit is at the end of a round"
    );
    let mut game = fresh(0);
    for after in [None, Some(A), Some(B), Some(C)] {
        game.next_turn(after).unwrap();
    }
    assert_eq!(standing(&game), (None, 2, 4), "there is no limit");
}

#[test]
fn rounds_of_everybody_end_at_the_declared_limit_and_not_without_one() {
    for (limit, rounds) in [
        (
            6,
            [
                (None, 1, 3),
                (None, 2, 6),
                (Some("limit"), 2, 6),
                (Some("limit"), 2, 6),
            ],
        ),
        (
            5,
            [
                (None, 1, 3),
                (None, 2, 6),
                (Some("limit"), 2, 6),
                (Some("limit"), 2, 6),
            ],
        ),
        (0, [(None, 1, 3), (None, 2, 6), (None, 3, 9), (None, 4, 12)]),
    ] {
        let mut game = fresh(limit);
        for wanted in rounds {
            game.next_round().unwrap();
            assert_eq!(standing(&game), wanted, "limit {limit}");
        }
    }
}

#[test]
fn a_resumed_game_has_one_frame() {
    let mut game = fresh(0);
    game.resume(5, B, Phase(1), [7, 8, 9]);
    let frame = game.frame().unwrap();
    assert_eq!(game.stack(), [*frame]);
    assert_eq!(
        (frame.phase, frame.players, frame.opened_for, frame.args),
        (Phase(1), PlayerSet::one(B), Some(B), [7, 8, 9])
    );
    assert_eq!((game.round(), game.turn(), game.mover()), (2, 5, Some(B)));
    assert!(game.pile(Pile(0), None).is_empty() && game.strikes(A) == 0);
}

#[test]
fn a_board_is_what_it_was_made_of() {
    let board = ring();
    assert_eq!(
        (board.name(), board.about(), board.len(), board.is_empty()),
        ("ring", "round", 200, false)
    );
    let empty = Board::new(String::new(), String::new(), Vec::new(), Vec::new(), &[]);
    assert!(empty.is_empty() && empty.edges().next().is_none());
    let graph = board.graph();
    assert_eq!(
        (graph.node_count(), graph.edge_count(), board.border_count()),
        (200, 400, 200)
    );
    assert!(
        board.borders(Territory(0), Territory(199)) && !board.borders(Territory(0), Territory(2))
    );
    // Each border once, from the lower number; a one-way border from where it starts.
    let land = || TerritoryInfo::default();
    let pairs = [(0, 1), (1, 0), (2, 1), (0, 2)].map(|(a, b)| (Territory(a), Territory(b)));
    let board = Board::new(
        String::new(),
        String::new(),
        vec![land(), land(), land()],
        Vec::new(),
        &pairs,
    );
    let edges: Vec<_> = board
        .edges()
        .map(|(from, to, one_way)| (from.0, to.0, one_way))
        .collect();
    assert_eq!(edges, [(0, 1, false), (0, 2, true), (2, 1, true)]);
}
