//! How games end: by the last player standing, and by limits.

use risk_kernel::declare::Declaration;
use risk_kernel::event::Status;
use risk_kernel::id::{Player, PlayerSet, Territory, Unit};
use risk_kernel::{Limits, StopReason};

use super::{A, B, LENIENT, QUIET, SilentSink, Toy, all_at_once, check, declaration, reason};
use risk_testing::facts::has_words;

#[test]
fn an_eliminated_player_leaves_all_frames_and_their_entry_still_runs() {
    let mut toy = Toy::new(|game| {
        for seat in 0..3 {
            game.set_owner(Territory(seat.into()), Some(Player(seat)));
            game.add_units(Territory(seat.into()), Unit(0), 2)?;
        }
        game.push(A, game.playing(), None, [0; 3])?;
        game.push_for(B, Player(1), [0; 3])
    });
    toy.apply = |game, _, who, said| {
        if said == 7 {
            return game.capture(Territory(0), Territory(1), Unit(0), 1);
        }
        game.leave(who);
        Ok(())
    };
    let (log, finished) = toy.play(&[&[7, 1], &[5], &[1]]);
    check(
        &log,
        &[
            "enter a -1",
            "ask 0 of 9 at 0",
            "ask 1 of 9 at 0",
            "ask 2 of 9 at 0",
            "0 says 7",
            "1 fell to Some(0)",
            "2 says 1",
            "ask 0 of 9 at 0",
            "0 says 1",
            "enter b 1",
        ],
    );
    assert_eq!(finished.game.status(Player(1)), Status::Eliminated);
}

#[test]
fn the_last_one_standing_wins_at_once() {
    let mut toy = Toy::new(|game| {
        game.set_owner(Territory(0), Some(Player(0)));
        game.set_owner(Territory(1), Some(Player(1)));
        game.add_units(Territory(0), Unit(0), 5)?;
        game.push(A, game.playing(), None, [0; 3])
    });
    toy.apply = |game, _, _, _| game.capture(Territory(0), Territory(1), Unit(0), 2);
    let (log, finished) = toy.play(&[&[1], &[1]]);
    assert_eq!(
        log.iter().filter(|line| line.contains("says")).count(),
        1,
        "the second answer is not applied any more"
    );
    let outcome = finished.outcome.unwrap();
    assert_eq!(
        (outcome.reason.as_str(), outcome.winners),
        ("conquest", PlayerSet::one(Player(0)))
    );
    assert_eq!(
        outcome
            .ranking
            .iter()
            .map(|rank| (rank.player.0, rank.place))
            .collect::<Vec<_>>(),
        [(0, 1), (1, 2)]
    );
}

#[test]
fn limits_are_reached_and_say_so() {
    // Answers: the game ends by its limit.
    let limits = Limits {
        answers: 5,
        ..Limits::default()
    };
    let (_, finished) = Toy::new(all_at_once).play_with(
        vec![vec![], vec![]],
        declaration(LENIENT),
        limits,
        &mut SilentSink,
    );
    assert_eq!(
        (reason(&finished).as_str(), finished.game.answers()),
        ("answer-limit", 5)
    );

    // Turns: the declared limit.
    let mut toy = Toy::new(|game| game.next_turn(None));
    toy.apply = |game, _, who, _| {
        game.leave(who);
        game.next_turn(Some(who))
    };
    let (_, finished) = toy.play_with(
        vec![vec![], vec![]],
        Declaration {
            max_turns: 7,
            ..declaration(LENIENT)
        },
        Limits::default(),
        &mut SilentSink,
    );
    assert_eq!(
        (
            reason(&finished).as_str(),
            finished.game.turn(),
            finished.game.round()
        ),
        ("limit", 7, 4)
    );

    // Phases without a decision.
    let mut toy = Toy::new(|game| game.push(QUIET, PlayerSet::default(), None, [0; 3]));
    toy.enter = |game, _| game.push(QUIET, PlayerSet::default(), None, [0; 3]);
    let (_, finished) = toy.play(&[&[], &[]]);
    let Err(StopReason::Rules(fault)) = finished.outcome else {
        panic!("a phase that opens itself is a fault")
    };
    assert!(has_words(fault.text(), "10000 phases quiet"), "{fault}");

    // Open phases.
    let mut toy = Toy::new(|game| game.push_for(A, Player(0), [0; 3]));
    toy.apply = |game, _, who, _| game.push_for(A, who, [0; 3]);
    let (_, finished) = toy.play(&[&[], &[]]);
    let Err(StopReason::Rules(fault)) = finished.outcome else {
        panic!("phases without end are a fault")
    };
    assert!(has_words(fault.text(), "1000 phases"), "{fault}");

    // Quantities.
    let mut toy = Toy::new(|game| game.add_units(Territory(0), Unit(0), 1_000_000_000));
    toy.setup = |game| {
        game.add_units(Territory(0), Unit(0), 1_000_000_000)?;
        game.add_units(Territory(0), Unit(0), 1)
    };
    let (_, finished) = toy.play(&[&[], &[]]);
    let Err(StopReason::Rules(fault)) = finished.outcome else {
        panic!("armies are limited")
    };
    assert!(has_words(fault.text(), "1 x 1000000000"), "{fault}");
}
