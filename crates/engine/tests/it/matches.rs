//! Many games: results one by one, in bounded memory, and an end even if a thread fails.

use std::ops::ControlFlow;

use risk_engine::{Standings, Tally, Worker, play_each, play_many};
use risk_kernel::event::{Event, Status};
use risk_kernel::{Moment, Sink};
use risk_testing::games::setup;

#[test]
fn results_come_in_order_whatever_the_threads() {
    let setup = setup(
        "codelab",
        Some("grid:3x3"),
        &["random", "random"],
        3,
        &[("max_turns", "20")],
    );
    let all = play_many(&setup, 5, 300, 1, |_| ()).unwrap();
    for jobs in [1, 2, 5] {
        let mut each = Vec::new();
        let mut tally = Tally::new(&setup);
        let played = play_each(&setup, 5..305, jobs, |result| {
            tally.add(&result);
            each.push(result);
            ControlFlow::Continue(())
        });
        played.unwrap();
        assert_eq!(each, all, "{jobs} threads");
        assert_eq!(
            tally.finish(),
            Standings::from_results(&setup, &all),
            "{jobs} threads"
        );
    }
}

/// A list of all these results would not fit into memory.
#[test]
fn a_match_without_end_takes_no_more_room_than_a_short_one() {
    let setup = setup(
        "codelab",
        Some("grid:3x3"),
        &["random", "random"],
        3,
        &[("max_turns", "20")],
    );
    for jobs in [1, 3] {
        let mut numbers = Vec::new();
        let played = play_each(&setup, 7..1 << 60, jobs, |result| {
            numbers.push(result.number);
            if numbers.len() == 100 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        played.unwrap();
        assert_eq!(numbers, (7..107).collect::<Vec<_>>());
    }
}

/// The reader fails while the threads have more results than there is space for.
#[test]
fn a_reader_who_panics_ends_the_match() {
    let setup = setup(
        "codelab",
        Some("grid:3x3"),
        &["random", "random"],
        3,
        &[("max_turns", "20")],
    );
    let read = || {
        play_each(&setup, 0..1 << 40, 3, |result| {
            if result.number > 10 {
                panic!("enough")
            } else {
                ControlFlow::Continue(())
            }
        })
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)).is_err());
}

/// Records which players are eliminated, and in which round.
#[derive(Default)]
struct Eliminations {
    round: u32,
    outs: Vec<(usize, u32)>,
}

impl Sink for Eliminations {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        match *event {
            Event::TurnBegan { round, .. } => self.round = round,
            Event::Status {
                player,
                now: Status::Eliminated,
            } => {
                self.outs.push((player.index(), self.round));
            }
            _ => {}
        }
    }
}

/// A bot with a clock plays the same.
#[test]
fn results_say_who_was_out_when() {
    let setup = setup(
        "codelab",
        None,
        &["greedy", "outnumber", "random", "greedy"],
        3,
        &[],
    );
    let mut worker = Worker::new(&setup).unwrap();
    let mut timed = Worker::new(&setup).unwrap();
    timed.time(|player| player < 2);
    let mut out = 0;
    for number in 0..6 {
        let mut outs = Eliminations::default();
        let seating = setup.seating(number);
        let result = worker.result(number, &seating, &mut outs).unwrap();
        for seat in 0..4 {
            let told = outs.outs.iter().find(|(player, _)| *player == seat);
            assert_eq!(result.out_in_round[seat], told.map(|(_, round)| *round));
        }
        out += outs.outs.len();
        assert!(
            result
                .winners
                .iter()
                .all(|it| result.out_in_round[it.index()].is_none())
        );
        let again = timed
            .result(number, &seating, &mut Eliminations::default())
            .unwrap();
        assert_eq!(again, result);
    }
    assert!(out > 12, "{out}");
    let times: Vec<usize> = timed.times().map(|(player, _)| player).collect();
    assert_eq!(times, [0, 1]);
    assert!(
        timed
            .times()
            .all(|(_, time)| time.answers > 100 && time.all >= time.most)
    );
    assert!(timed.times().all(|(_, time)| time.most.as_nanos() > 0));
}
