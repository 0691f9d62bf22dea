//! Inputs and outputs of parts of the kernel: random numbers, limits, options, sets.

mod counting;
mod naming;

use std::sync::Arc;

use risk_kernel::action::{Action, Bounds, Domain, Offer, Options};
use risk_kernel::digest::CellKind;
use risk_kernel::id::{Phase, Player, PlayerSet, Verb};
use risk_kernel::rng::{GameKey, Purpose, SecretStream};
use risk_kernel::state::GameState;

use risk_testing::toy::{LENIENT, board, declaration};

const A: Phase = Phase(0);
const B: Phase = Phase(1);
const QUIET: Phase = Phase(2);

#[test]
fn random_numbers_are_exactly_uniform() {
    // Bounds for which up to half of all words are in the biased sliver and drawn again.
    for bound in [1, 2, 3, 6, 1 << 63, (1 << 63) + 1, 3 << 62, u64::MAX] {
        let mut stream = SecretStream::new(GameKey::of_numbers(9, 4), Purpose::Setup);
        let mut words = stream.clone();
        for _ in 0..200 {
            let sliver = (1_u128 << 64) % u128::from(bound);
            let wanted = loop {
                let wide = u128::from(words.word()) * u128::from(bound);
                if wide % (1 << 64) >= sliver {
                    break (wide >> 64) as u64;
                }
            };
            assert_eq!(
                (stream.below(bound), stream.drawn()),
                (wanted, words.drawn()),
                "below {bound}"
            );
        }
    }
}

fn say(verb: u8, args: &[i32]) -> Action {
    Action::new(Verb(verb), args)
}

#[test]
fn limits_admit_what_lies_within() {
    let span = |low, high| Bounds::Span { low, high };
    let rows = [
        (Bounds::Unknown, say(0, &[1]), false),
        (Bounds::NONE, say(0, &[1]), false),
        (Bounds::NONE, say(0, &[]), false),
        (span(0, 0), say(0, &[]), true),
        (span(1, 3), say(0, &[9, 0]), false),
        (span(1, 3), say(0, &[9, 1]), true),
        (span(1, 3), say(0, &[9, 3]), true),
        (span(1, 3), say(0, &[9, 4]), false),
    ];
    for (limit, said, admitted) in rows {
        assert_eq!(
            limit.admit(said).map(|legal| legal.action()),
            admitted.then_some(said),
            "{limit:?} {said:?}"
        );
    }
}

#[test]
fn options_tell_the_limit_of_the_last_parameter() {
    let mut options = Options::new();
    let listed = options.among([8, 5, 6]);
    let span = |low, high| Domain::Span { low, high };
    options.offer(Verb(0), &[Domain::Is(1), span(2, 4)]);
    options.offer(Verb(0), &[Domain::Is(2), span(5, 9)]);
    options.offer(Verb(1), &[listed]);
    options.offer(Verb(2), &[]);
    options.offer(Verb(3), &[span(1, 2), Domain::Is(7)]);
    let limit = |low, high| Bounds::Span { low, high };
    let rows: [(u8, &[i32], Bounds); 11] = [
        (0, &[1], limit(2, 4)),
        (0, &[2], limit(5, 9)),
        (0, &[3], Bounds::NONE),
        (0, &[], Bounds::NONE),
        (0, &[1, 2], Bounds::NONE),
        (1, &[], limit(5, 8)),
        (1, &[5], Bounds::NONE),
        (2, &[], limit(0, 0)),
        (3, &[2], limit(7, 7)),
        (3, &[3], Bounds::NONE),
        (4, &[], Bounds::NONE),
    ];
    for (verb, given, wanted) in rows {
        assert_eq!(
            options.bounds_of(Verb(verb), given),
            wanted,
            "{verb} {given:?}"
        );
    }
}

#[test]
fn options_are_kept_by_verb_and_weighed() {
    let mut options = Options::new();
    let listed = options.among([4, 5, 6]);
    options.offer(Verb(0), &[listed]);
    options.offer(Verb(1), &[Domain::Span { low: 1, high: 2 }]);
    let step = |verb: u8| Offer::new(Verb(verb), &[Domain::Is(i32::from(verb))]);
    options.plan(&[step(0), step(1)]);
    options.plan(&[step(1), step(1), step(1)]);
    // Two offers, five steps in two plans, three values.
    assert_eq!(
        (options.weight(), options.len(), options.plans()),
        (2 + 5 + 2 + 3, 5, 2)
    );
    options.keep(|verb| verb == Verb(1));
    assert_eq!(
        (options.len(), options.plans(), options.nth(1)),
        (2, 1, say(1, &[2]))
    );
    options.plan_options();
    assert_eq!(
        (options.plans(), options.nth_plan(1), options.nth_plan(2)),
        (3, vec![say(1, &[1])], vec![say(1, &[2])])
    );
    // 2^63 actions are too many, 2^63 − 2^32 are not.
    let big = |high: i32| {
        let full = Domain::Span {
            low: i32::MIN,
            high: i32::MAX,
        };
        let count = || {
            Options::new().offer(
                Verb(0),
                &[
                    full,
                    Domain::Span {
                        low: i32::MIN,
                        high,
                    },
                ],
            )
        };
        std::panic::catch_unwind(count).is_ok()
    };
    assert!(big(-2) && !big(-1));
}

#[test]
fn stored_orders_are_counted_from_one_in_the_digest() {
    let mut game = GameState::new(
        board(),
        Arc::new(declaration(LENIENT)),
        3,
        GameKey::of_numbers(1, 0),
    );
    game.store(Player(2), say(0, &[5, -6])).unwrap();
    let cells = game
        .cells()
        .into_iter()
        .filter(|(cell, _)| cell.kind == CellKind::Book);
    let found: Vec<_> = cells.map(|(cell, value)| (cell.a, cell.b, value)).collect();
    // Seat and verb from 1, the number of parameters, and the parameters, as in docs/records.md.
    assert_eq!(
        found,
        [(0, 0, 3), (0, 1, 1), (0, 2, 2), (0, 3, 5), (0, 4, -6)]
    );
}

#[test]
fn sets_of_players_hold_each_once() {
    let both = PlayerSet::one(Player(0)).with(Player(31)).with(Player(0));
    assert_eq!((both, both.len()), (PlayerSet(0x8000_0001), 2));
    assert_eq!(both.iter().collect::<Vec<_>>(), [Player(0), Player(31)]);
    assert_eq!(
        both.without(Player(0)).without(Player(0)),
        PlayerSet::one(Player(31))
    );
}
