//! What players and the public see of events: whole, in part, or not at all.

use std::sync::Arc;

use risk_kernel::action::Action;
use risk_kernel::declare::{
    CounterDecl, Declaration, MarkDecl, Sight, SlotKind, VerbInfo, Visibility,
};
use risk_kernel::event::{Capture, Dice, Event, FightRound};
use risk_kernel::fault::{Exchange, FaultKind};
use risk_kernel::id::{Card, Counter, Mark, Phase, Pile, Player, Territory, Unit, Verb};
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View, in_public, is_open};

use crate::mutators::ring;
use risk_testing::toy::{LENIENT, declaration, is_digest_of_all};

const B: Player = Player(1);
const C: Player = Player(2);
const ARMY: Unit = Unit(0);
const OPEN: Phase = Phase(0);
const SECRET: Phase = Phase(1);

fn decl(owners_seen: Sight, units_seen: Sight) -> Declaration {
    let kept = |name: &str| CounterDecl {
        name: name.to_owned(),
        seen: Visibility::Owner,
    };
    let mark = |name: &str, seen, in_sight| MarkDecl {
        name: name.to_owned(),
        seen,
        in_sight,
        range: (-3, 3),
        title: name.to_owned(),
        strength: 0,
    };
    let mut decl = Declaration {
        verbs: vec![VerbInfo::new("go", &[("to", SlotKind::Territory)])],
        counters: vec![kept("gold")],
        marks: vec![
            mark("poison", Visibility::All, false),
            mark("scout", Visibility::All, true),
            mark("snare", Visibility::Owner, false),
            mark("omen", Visibility::Nobody, false),
        ],
        piles: vec![kept("hand")],
        owners_seen,
        units_seen,
        ..declaration(LENIENT)
    };
    decl.phases[SECRET.index()].secret = true;
    decl
}

/// Gives the first player t0 of a ring, from which it sees t199 and t1, the second t10, the third
/// t100.
fn game(owners_seen: Sight, units_seen: Sight) -> GameState {
    let mut game = GameState::new(
        ring(),
        Arc::new(decl(owners_seen, units_seen)),
        3,
        GameKey::of_numbers(1, 0),
    );
    for (at, who) in [(0, 0), (10, 1), (100, 2)] {
        game.set_owner(Territory(at), Some(Player(who)));
    }
    game
}

fn go(to: i32) -> Action {
    Action::new(Verb(0), &[to])
}

/// An event, and what the three players and the public see of it, in fog and without: `W` whole,
/// `p` in part, `-` nothing.
type Row = (Event, &'static str, &'static str);

fn answered(phase: Phase, to: i32) -> Event {
    Event::Answered {
        player: B,
        phase,
        action: go(to),
        number: 1,
        chosen: true,
    }
}

fn moved(from: u16, to: u16) -> Event {
    Event::Moved {
        from: Territory(from),
        to: Territory(to),
        unit: ARMY,
        count: 1,
    }
}

fn fought(from: u16, to: u16) -> Event {
    Event::Fought(FightRound {
        from: Territory(from),
        to: Territory(to),
        attackers: 1,
        standing: 2,
        defenders: 1,
        attacker_lost: 1,
        defender_lost: 0,
    })
}

fn captured(from: u16, to: u16, loser: Option<Player>) -> Event {
    Event::Captured(Capture {
        from: Territory(from),
        to: Territory(to),
        by: C,
        loser,
        unit: ARMY,
        killed: 1,
        moved: 1,
    })
}

fn said(who: Option<Player>) -> Event {
    Event::Said {
        player: who,
        text: "so".to_owned(),
    }
}

fn hand(who: Player) -> (Pile, Option<Player>) {
    (Pile(0), Some(who))
}

fn counted(of: Option<Player>) -> Event {
    Event::Counter {
        counter: Counter(0),
        of,
        by: 1,
        now: 1,
    }
}

/// Marks in the order of the declaration, at territories of no player and of the second.
fn marks() -> Vec<Row> {
    let marked = |mark: u8, at: u16| Event::Mark {
        at: Territory(at),
        mark: Mark(mark),
        by: -2,
        now: -2,
    };
    vec![
        (marked(0, 11), "WWWW", "WWWW"),
        (marked(0, 50), "WWWW", "WWWW"),
        (marked(1, 11), "-W--", "WWWW"),
        (marked(1, 50), "----", "WWWW"),
        (marked(2, 10), "-W--", "-W--"),
        (marked(2, 11), "----", "----"),
        (marked(3, 10), "----", "----"),
    ]
}

fn rows() -> Vec<Row> {
    [
        words_and_dice(),
        land_and_armies(),
        hands_and_faults(),
        marks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn words_and_dice() -> Vec<Row> {
    let (attack, defend) = Dice::of_throw(0, 6, 1, 1);
    vec![
        (answered(OPEN, 1), "WW--", "WWWW"),
        (answered(OPEN, 2), "-W--", "WWWW"),
        (answered(SECRET, 1), "-W--", "-W--"),
        (
            Event::Executed {
                player: B,
                action: go(50),
            },
            "-W--",
            "WWWW",
        ),
        (
            Event::Unstored {
                index: 0,
                player: B,
                action: go(199),
            },
            "-W--",
            "-W--",
        ),
        (Event::Rolled { attack, defend }, "----", "WWWW"),
        (
            Event::Tried {
                tries: 1,
                percent: 50,
                successes: 1,
            },
            "----",
            "WWWW",
        ),
        (said(Some(B)), "-W--", "WWWW"),
        (said(None), "WWWW", "WWWW"),
    ]
}

fn land_and_armies() -> Vec<Row> {
    vec![
        (
            Event::Owner {
                at: Territory(1),
                from: None,
                to: Some(C),
            },
            "W---",
            "WWWW",
        ),
        (
            Event::Units {
                at: Territory(11),
                unit: ARMY,
                by: 1,
                now: 1,
            },
            "-W--",
            "WWWW",
        ),
        (moved(1, 0), "W---", "WWWW"),
        (moved(1, 2), "----", "WWWW"),
        (moved(2, 1), "----", "WWWW"),
        (fought(199, 1), "W---", "WWWW"),
        (fought(198, 199), "----", "WWWW"),
        (captured(0, 1, None), "W-W-", "WWWW"),
        (captured(1, 2, Some(B)), "-WW-", "WWWW"),
        (captured(2, 1, None), "--W-", "WWWW"),
    ]
}

fn hands_and_faults() -> Vec<Row> {
    let cards = || Some(vec![Card(0)]);
    let exchange = Some(Box::new(Exchange {
        request: "q".to_owned(),
        answer: "a".to_owned(),
    }));
    vec![
        (counted(Some(B)), "-W--", "-W--"),
        (counted(None), "----", "----"),
        (
            Event::Filled {
                pile: hand(B),
                cards: cards(),
                count: 1,
            },
            "pWpp",
            "pWpp",
        ),
        (
            Event::Shuffled {
                pile: hand(B),
                cards: cards(),
            },
            "pWpp",
            "pWpp",
        ),
        (
            Event::Card {
                card: Some(Card(0)),
                from: hand(B),
                to: hand(C),
                under: false,
            },
            "pWWp",
            "pWWp",
        ),
        (
            Event::Stored {
                player: B,
                action: go(1),
            },
            "-W--",
            "-W--",
        ),
        (
            Event::Faulted {
                player: B,
                kind: FaultKind::Script,
                text: "no".to_owned(),
                strikes: 1,
                phase: None,
                number: 1,
                exchange,
            },
            "pWpp",
            "pWpp",
        ),
    ]
}

/// Reports whether the secret parts of an event are blank.
fn hidden(event: &Event) -> bool {
    match event {
        Event::Filled { cards, .. } | Event::Shuffled { cards, .. } => cards.is_none(),
        Event::Card { card, .. } => card.is_none(),
        Event::Faulted { text, exchange, .. } => text.is_empty() && exchange.is_none(),
        _ => false,
    }
}

#[test]
fn each_event_is_seen_by_those_who_may() {
    let fog = game(Sight::Near, Sight::Near);
    let open = game(Sight::All, Sight::All);
    for (event, in_fog, in_the_open) in rows() {
        for (game, wanted) in [(&fog, in_fog), (&open, in_the_open)] {
            let facts = Facts::new(game.clone());
            let players = (0..3).map(|seat| View::new(&facts, Player(seat)).redact_for(&event));
            let found: String = players
                .chain([in_public(game, &event)])
                .map(|seen| match seen {
                    None => '-',
                    Some(seen) if seen == event => 'W',
                    Some(seen) => {
                        if hidden(&seen) {
                            'p'
                        } else {
                            '?'
                        }
                    }
                })
                .collect();
            assert_eq!(found, wanted, "{event:?}");
        }
    }
    // The owner of the land is seen, the units are not.
    let half = Facts::new(game(Sight::All, Sight::Own));
    let view = View::new(&half, Player(0));
    assert!(
        view.redact_for(&Event::Owner {
            at: Territory(50),
            from: None,
            to: Some(C)
        })
        .is_some()
    );
    assert!(
        view.redact_for(&Event::Units {
            at: Territory(1),
            unit: ARMY,
            by: 1,
            now: 1
        })
        .is_none()
    );
    assert!(
        view.redact_for(&Event::Units {
            at: Territory(0),
            unit: ARMY,
            by: 1,
            now: 1
        })
        .is_some()
    );
}

#[test]
fn marks_are_seen_as_their_events_are() {
    for (event, in_fog, in_the_open) in marks() {
        let Event::Mark { at, mark, now, .. } = event else {
            unreachable!("only marks");
        };
        for (sight, wanted) in [(Sight::Near, in_fog), (Sight::All, in_the_open)] {
            let mut game = game(sight, sight);
            for (value, fits) in [(4, false), (-4, false), (now.into(), true)] {
                assert_eq!(game.set_mark(at, mark, value).is_ok(), fits, "{value}");
            }
            is_digest_of_all(&game);
            let facts = Facts::new(game);
            for (seat, seen) in wanted.chars().take(3).enumerate() {
                let view = View::new(&facts, Player::from_index(seat));
                let value = if seen == 'W' { now } else { 0 };
                let of = |facts: &Facts| facts.mark(at, mark);
                let place = at.index() * 4 + mark.index();
                assert_eq!(
                    view.mark(at, mark),
                    (seen == 'W').then_some(now),
                    "{event:?}"
                );
                assert_eq!([of(&view.seen()), view.position().marks[place]], [value; 2]);
            }
        }
    }
}

#[test]
fn a_board_is_seen_as_far_as_the_declaration_says() {
    for (owners, units, open) in [
        (Sight::All, Sight::All, true),
        (Sight::All, Sight::Near, false),
        (Sight::Near, Sight::All, false),
        (Sight::Own, Sight::Own, false),
    ] {
        assert_eq!(is_open(&decl(owners, units)), open);
        let mut game = game(owners, units);
        game.new_round().unwrap();
        game.new_round().unwrap();
        game.add_units(Territory(10), ARMY, 4).unwrap();
        let facts = Facts::new(game);
        let view = View::new(&facts, Player(0));
        assert_eq!(
            (
                view.round(),
                view.mine(Territory(0)),
                view.owner(Territory(0))
            ),
            (2, true, Some(Player(0)))
        );
        let all = owners == Sight::All;
        assert_eq!(
            (view.sees_owner(Territory(10)), view.owner(Territory(10))),
            (all, all.then_some(B))
        );
        assert_eq!(
            (view.territory_count(Player(0)), view.territory_count(B)),
            (Some(1), all.then_some(1))
        );
        assert_eq!(
            view.armies(Territory(10)),
            (units == Sight::All).then_some(4)
        );
    }
}
