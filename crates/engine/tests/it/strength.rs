//! The bots that rulesets name beat those that people begin with, and end their games.

use risk_engine::Worker;
use risk_kernel::NullSink;
use risk_kernel::id::Player;

use risk_testing::games::setup;

/// Returns how many games the first bot wins, and checks that no bot makes a fault.
fn wins(ruleset: &str, map: Option<&str>, bots: &[&str], games: u64) -> u64 {
    let setup = setup(ruleset, map, bots, 5, &[]);
    let mut worker = Worker::new(&setup).unwrap();
    let mut wins = 0;
    for number in 0..games {
        let seating = setup.seating(number);
        let finished = worker.play(number, &mut NullSink);
        let winners = finished.outcome.unwrap().winners;
        wins += winners
            .iter()
            .filter(|who| seating[who.index()] == 0)
            .count() as u64;
        for seat in 0..seating.len() {
            let strikes = finished.game.strikes(Player::from_index(seat));
            assert_eq!(strikes, 0, "{ruleset}: {bots:?}, game {number}");
        }
    }
    wins
}

#[test]
fn a_marshal_beats_whoever_was_there_before() {
    for (ruleset, other) in [
        ("warzone", "warlord"),
        ("warzone", "outnumber"),
        ("warlight1", "outnumber"),
        ("warlight2", "warlord"),
        ("warzone", "aggressive"),
        ("warzone", "benevolent"),
        ("warzone", "neutral"),
    ] {
        let won = wins(ruleset, None, &["marshal", other], 4);
        assert!(won >= 3, "{ruleset} with {other}: won {won} of 4");
    }
}

#[test]
fn a_general_counts_in_simplified_games() {
    let won = wins("simplified", None, &["general", "planner"], 20);
    assert!(won >= 16, "won {won} of 20");
}

#[test]
fn an_admiral_wins_from_either_side() {
    // The seats are swapped after the first game.
    assert_eq!(
        wins("starwars", None, &["admiral", "starwars-attack"], 2),
        2
    );
}

#[test]
fn three_of_the_same_end_their_game_in_fog() {
    for fog in ["none", "dense"] {
        let setup = setup(
            "warzone",
            Some("random:30:2"),
            &["marshal"; 3],
            5,
            &[("fog", fog)],
        );
        let mut worker = Worker::new(&setup).unwrap();
        let finished = worker.play(0, &mut NullSink);
        assert_eq!(finished.outcome.unwrap().reason, "conquest", "fog {fog}");
    }
}
