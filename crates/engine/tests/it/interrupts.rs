//! Interrupts: games, searches and scripts end soon after the check says so, and never before.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rhai_guard::{Exceeded, meter};
use risk_engine::interrupt::{InterruptCheck, current_check, is_raised, with_check};
use risk_engine::{StopReason, Worker, play_each, with_stack};
use risk_kernel::NullSink;
use risk_testing::games::setup;

/// Returns a check that is raised from this call on, and the number of its calls.
fn raised_at(call: u64) -> (InterruptCheck, Arc<AtomicU64>) {
    let calls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&calls);
    let check = move || counted.fetch_add(1, Ordering::Relaxed) + 1 >= call;
    (Arc::new(check), calls)
}

#[test]
fn games_are_halted_at_the_next_decision() {
    for (ruleset, bots) in [
        ("hasbro", &["random", "outnumber", "general"][..]),
        ("warzone", &["random", "outnumber"]),
        ("starwars", &["random", "holder"]),
    ] {
        let setup = setup(ruleset, None, bots, 3, &[]);
        for call in [1, 2, 30] {
            let (check, calls) = raised_at(call);
            let mut worker = Worker::new(&setup).unwrap();
            let finished = with_check(Some(check), || worker.play(0, &mut NullSink));
            let halted = matches!(finished.outcome, Err(StopReason::Halted));
            assert!(halted, "{ruleset} {call}");
            assert!(finished.game.answers() < call, "{ruleset} {call}");
            assert!(calls.load(Ordering::Relaxed) <= call + 1);
            // The same worker plays on without the check.
            let played = worker.play(0, &mut NullSink);
            assert!(played.outcome.is_ok());
        }
    }
}

/// Without the check in the search itself, each of its 100,000 games would begin and be halted.
#[test]
fn searches_end() {
    for bot in ["oracle:100000", "search:deep"] {
        search_ends(bot);
    }
}

fn search_ends(bot: &str) {
    let setup = setup("hasbro", Some("grid:4x4"), &[bot; 3], 3, &[]);
    let (check, calls) = raised_at(3_000);
    let mut worker = Worker::new(&setup).unwrap();
    let finished = with_check(Some(check), || worker.play(0, &mut NullSink));
    assert!(matches!(finished.outcome, Err(StopReason::Halted)));
    assert!(
        finished.game.turn() <= 1,
        "the check was not raised in a search"
    );
    let late = calls.load(Ordering::Relaxed) - 3_000;
    assert!(late < 10, "{late} more checks");
}

#[test]
fn scripts_end() {
    let run = |most: u64| {
        meter::begin(most, i64::MAX, u64::MAX);
        (0..=most).find_map(|step| Some((step, meter::step()?)))
    };
    let (check, _) = raised_at(2);
    let interrupted = with_check(Some(check), || run(1_000_000));
    let (step, why) = interrupted.unwrap();
    assert_eq!(why, Exceeded::Interrupt);
    assert!(step < 10_000, "{step}");
    assert_eq!(run(20_000), Some((20_000, Exceeded::Operations)));
}

#[test]
fn threads_inherit_the_check() {
    let setup = setup("codelab", None, &["random", "holder"], 3, &[]);
    let (check, _) = raised_at(5_000);
    let mut games = 0;
    let played = with_check(Some(check), || {
        play_each(&setup, 0..100_000, 2, |_| {
            games += 1;
            ControlFlow::Continue(())
        })
    });
    assert!(played.is_err());
    assert!(games < 5_000, "{games}");
    let (check, _) = raised_at(1);
    assert!(with_check(Some(check), || with_stack(is_raised)));
    assert!(current_check().is_none());
}
