//! Luck and chances of recorded games.

use risk_engine::record::{self, Playback, Record, Recorder};
use risk_engine::{Setup, Worker};
use risk_kernel::NullSink;
use risk_kernel::action::Action;
use risk_kernel::event::Event;
use risk_kernel::id::{Phase, Player, Verb};
use risk_kernel::rng::GameKey;
use risk_lab::analysis::chances::{self, MOST_MOMENTS, Moments};
use risk_lab::analysis::decisions;
use risk_lab::analysis::rollouts::Rollouts;
use risk_testing::games::{feed, setup};

fn answered(phase: Phase, number: u64) -> Event {
    Event::Answered {
        player: Player::from_index(0),
        phase,
        action: Action::new(Verb::from_index(0), &[]),
        number,
        chosen: true,
    }
}

fn began(turn: u32, round: u32) -> Event {
    Event::TurnBegan {
        player: None,
        turn,
        round,
    }
}

fn recorded(setup: &Setup) -> (Worker<'_>, Record) {
    let mut worker = Worker::new(setup).unwrap();
    let header = record::header(&worker, 0);
    let mut recorder = Recorder::new(Vec::new(), &header);
    let finished = worker.play(0, &mut recorder);
    let lines = recorder.finish(finished.outcome.as_ref().ok(), &finished.game);
    let text = String::from_utf8(lines.unwrap()).unwrap();
    (worker, record::read(&text).unwrap())
}

/// Each state matches the replay, and playing on from it by the record ends the game as recorded.
#[test]
fn a_game_is_played_on_from_where_it_was_halted() {
    for (ruleset, option) in [
        ("hasbro", ("max_turns", "60")),
        ("warzone", ("max_turns", "12")),
    ] {
        let setup = setup(
            ruleset,
            None,
            &["outnumber", "random", "random"],
            4,
            &[option],
        );
        let (mut worker, record) = recorded(&setup);
        let mut moments = Moments::default();
        let mut playback = Playback::new(&record, None);
        let end = worker.play_with(0, &mut playback.seats, &mut moments).game;
        let moments = moments.chosen();
        assert!(moments.len() > 3 && moments[0].answers == 0, "{moments:?}");
        let states = {
            let answers: Vec<u64> = moments.iter().map(|it| it.answers).collect();
            chances::positions(&mut worker, &record, &answers).unwrap()
        };
        assert_eq!(states.len(), moments.len());
        for (state, moment) in states.into_iter().zip(moments) {
            assert_eq!(
                (state.answers(), state.round()),
                (moment.answers, moment.round)
            );
            let mut playback = Playback::new(&record, Some(moment.answers));
            let there = worker.play_with(0, &mut playback.seats, &mut NullSink).game;
            assert_eq!(state.digest(), there.digest(), "{moment:?}");
            playback.stop_after(u64::MAX);
            let on = worker.play_on(
                state,
                GameKey::of_numbers(4, 0),
                &mut playback.seats,
                &mut NullSink,
            );
            assert!(on.outcome.is_ok() && playback.mismatch().is_none());
            assert_eq!(on.game.digest(), end.digest(), "{moment:?}");
        }
    }
}

#[test]
fn moments_are_evenly_spaced() {
    let setup = setup("codelab", Some("duel"), &["random", "random"], 1, &[]);
    let game = Worker::new(&setup).unwrap().play(0, &mut NullSink).game;
    let mut moments = Moments::default();
    let events = (1..=500).flat_map(|round| {
        let answer = answered(Phase::from_index(0), u64::from(round));
        [began(round, round), answer]
    });
    feed(&mut moments, &game, &events.collect::<Vec<_>>());
    let chosen = moments.chosen();
    assert_eq!(chosen.len(), MOST_MOMENTS);
    let rounds: Vec<u32> = chosen.iter().map(|moment| moment.round).collect();
    assert_eq!((rounds[0], rounds[MOST_MOMENTS - 1]), (1, 500));
    assert!(
        rounds
            .windows(2)
            .all(|pair| (12..=13).contains(&(pair[1] - pair[0]))),
        "{rounds:?}"
    );
}

/// Each rollout has dice of its own, the same on any number of threads.
#[test]
fn chances_do_not_depend_on_threads() {
    let setup = setup("codelab", Some("duel"), &["outnumber", "random"], 2, &[]);
    let (mut worker, record) = recorded(&setup);
    let moments = [0, record.answers() - 1];
    let states = chances::positions(&mut worker, &record, &moments).unwrap();
    let rollouts = Rollouts {
        bot: "outnumber",
        games: 60,
        seed: &setup.seed,
    };
    let chances = |jobs| chances::chances(&setup, &states, rollouts, jobs, |_| {}).unwrap();
    let found = chances(1);
    assert_eq!(found, chances(3));
    for there in &found {
        let sum: f64 = there.shares.iter().sum();
        assert!((sum + there.nobody - 1.0).abs() < 1e-9, "{there:?}");
    }
    // Both win some games from the start; near the end one of them wins most.
    assert!(
        found[0].shares.iter().all(|&share| share > 0.1),
        "{found:?}"
    );
    assert!(
        found[1].shares.iter().any(|&share| share > 0.9),
        "{found:?}"
    );
}

#[test]
fn costly_decisions_are_the_same_on_any_number_of_threads() {
    let setup = setup("codelab", Some("duel"), &["outnumber", "random"], 2, &[]);
    let (mut worker, record) = recorded(&setup);
    let rollouts = Rollouts {
        bot: "outnumber",
        games: 8,
        seed: &setup.seed,
    };
    let found = decisions::otherwise(&mut worker, &record, rollouts, 30).unwrap();
    assert!(!found.is_empty() && found.len() <= 30);
    assert!(found.iter().all(|it| it.taken != it.instead));
    assert!(found.iter().any(|it| it.player.index() == 1), "{found:?}");
    let judged = decisions::costliest(&setup, &found, rollouts, 1).unwrap();
    assert_eq!(
        judged,
        decisions::costliest(&setup, &found, rollouts, 2).unwrap()
    );
    assert_eq!(judged.len(), decisions::TOLD.min(found.len()));
    assert!(judged.iter().all(|it| it.games == 8 * decisions::AGAIN));
    assert!(
        judged
            .windows(2)
            .all(|pair| pair[0].cost() >= pair[1].cost())
    );
    assert_eq!(decisions::games(30, 8), 2 * 8 * 30 + 2 * 32 * 3);
}
