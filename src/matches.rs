//! Many games: who sits where, worker threads, results in the order of the games.

mod course;
mod game_result;
mod rule_setup;
mod setup;
mod spec;
pub mod standings;
mod worker;

use course::{Course, EndOnPanic, InOrder};
pub use game_result::GameResult;
pub use rule_setup::RuleSetup;
pub use setup::{Seats, Setup};
pub use spec::MatchSpec;
pub use worker::Worker;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::mpsc;

use crate::kernel::fault::RuleFault;
use crate::kernel::{NullSink, Stop};
use crate::load::diag::Failure;
use crate::script::ScriptFault;

/// Scripts may call each other deep; the threads they run on have room for it.
pub const STACK: usize = 64 << 20;

/// Why a match stopped.
#[derive(Debug)]
pub enum MatchFault {
    /// Something could not be compiled.
    Load(Failure),
    /// The ruleset failed in this game.
    Rules(u64, RuleFault),
    /// This program failed, or the system has no more threads: what happened.
    Broken(String),
}

impl fmt::Display for MatchFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(failure) => failure.fmt(f),
            Self::Rules(number, fault) => write!(f, "game {number}: {fault}"),
            Self::Broken(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for MatchFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Load(failure) => Some(failure),
            Self::Rules(_, fault) => Some(fault),
            Self::Broken(_) => None,
        }
    }
}

/// Plays so many games, from the number `first` on, on several threads. The results are the same
/// whatever their number.
///
/// # Errors
/// When a script does not compile, the ruleset fails, or a thread can't be had: see [`play_each`].
pub fn play_many(
    setup: &Setup,
    first: u64,
    games: u64,
    jobs: usize,
    mut progress: impl FnMut(u64),
) -> Result<Vec<GameResult>, MatchFault> {
    let mut results = Vec::new();
    play_each(setup, (first, games), jobs, |result| {
        results.push(result);
        progress(results.len() as u64);
        ControlFlow::Continue(())
    })?;
    Ok(results)
}

/// Plays so many games, from a number on, on several threads, and hands over their results one by
/// one in the order of the games, until one of them is answered with a break. What it holds does
/// not grow with the games.
///
/// # Errors
/// When a script does not compile, or the ruleset fails: in the first game in which it does. When a
/// thread can't be had, or panics.
pub fn play_each(
    setup: &Setup,
    (first, games): (u64, u64),
    jobs: usize,
    mut each: impl FnMut(GameResult) -> ControlFlow<()>,
) -> Result<(), MatchFault> {
    let course = Course::new(first, games);
    let mut fault: Option<MatchFault> = None;
    std::thread::scope(|scope| {
        // Whatever happens here, no thread waits for ever.
        let _end = EndOnPanic(&course);
        let (sender, receiver) = mpsc::sync_channel::<Batch>(64);
        let mut threads = Vec::new();
        let gate = course.lock();
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let course = &course;
            let builder = std::thread::Builder::new().stack_size(STACK);
            match builder.spawn_scoped(scope, move || work(setup, course, &sender)) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    let text = format!(
                        "the system gives {} of {jobs} threads: {error}",
                        threads.len()
                    );
                    fault = Some(MatchFault::Broken(text));
                    // Those that are there wait at the gate.
                    course.stop.store(0, Ordering::SeqCst);
                    break;
                }
            }
        }
        drop((gate, sender));
        let mut order = InOrder {
            next: first,
            waiting: BTreeMap::new(),
        };
        let mut over = false;
        for result in receiver.iter().flatten() {
            match result {
                Ok(result) => {
                    if !over && order.hand(result, &mut each).is_break() {
                        over = true;
                        course.stop_at(0);
                    }
                    course.handed(order.next);
                }
                Err(new) => fault = Some(earlier(fault.take(), new)),
            }
        }
        for thread in threads {
            if let Err(panic) = thread.join() {
                fault = Some(earlier(fault.take(), MatchFault::Broken(told(&*panic))));
            }
        }
    });
    fault.map_or(Ok(()), Err)
}

/// What a panic says.
fn told(panic: &dyn std::any::Any) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!(
        "a thread that plays games failed: {}",
        text.unwrap_or("it does not say why")
    )
}

/// The fault of the earlier game.
fn earlier(old: Option<MatchFault>, new: MatchFault) -> MatchFault {
    match (old, new) {
        (Some(MatchFault::Rules(a, old)), MatchFault::Rules(b, new)) => {
            if a < b {
                MatchFault::Rules(a, old)
            } else {
                MatchFault::Rules(b, new)
            }
        }
        (Some(MatchFault::Broken(old)), _) | (_, MatchFault::Broken(old)) => {
            MatchFault::Broken(old)
        }
        (Some(MatchFault::Load(old)), _) | (_, MatchFault::Load(old)) => MatchFault::Load(old),
        (None, new) => new,
    }
}

/// Results are handed over several at a time: waking somebody for each short game would cost
/// more than it.
type Batch = Vec<Result<GameResult, MatchFault>>;
/// Answers after which a batch is full.
const BATCH: u64 = 20_000;

fn work(setup: &Setup, course: &Course, sender: &mpsc::SyncSender<Batch>) {
    let _end = EndOnPanic(course);
    // Nobody takes memory before all are there: what is left may be too little.
    drop(course.lock());
    if course.stops(0) {
        return;
    }
    // A receiver that is gone has heard enough.
    let mut worker = match Worker::new(setup) {
        Ok(worker) => worker,
        Err(failure) => return drop(sender.send(vec![Err(MatchFault::Load(failure))])),
    };
    let mut batch = Batch::new();
    let mut answers = 0;
    loop {
        let number = course.next.fetch_add(1, Ordering::Relaxed);
        if course.stops(number) {
            return drop(sender.send(batch));
        }
        if !course.has_room(number) {
            // The result that the others wait for may be in here.
            if sender.send(std::mem::take(&mut batch)).is_err() {
                return;
            }
            course.wait(number);
            if course.stops(number) {
                return;
            }
        }
        let finished = worker.play(number, &mut NullSink);
        let result = match finished.outcome {
            Ok(outcome) => Ok(GameResult::new(number, &finished.game, &outcome)),
            Err(Stop::Rules(fault)) => {
                course.stop_at(number);
                Err(MatchFault::Rules(number, fault))
            }
            Err(Stop::Halted) => unreachable!("no bot of a match halts it"),
        };
        answers += finished.game.answers();
        batch.push(result);
        if answers >= BATCH {
            answers = 0;
            if sender.send(std::mem::take(&mut batch)).is_err() {
                return;
            }
        }
    }
}

/// Runs something that calls scripts on a thread with a large stack.
pub fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, run);
        match spawned.expect("the system gives a thread").join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The script's own report inside a ruleset's fault, where there is one.
#[must_use]
pub fn script_fault(fault: &RuleFault) -> Option<&ScriptFault> {
    std::error::Error::source(fault)?.downcast_ref()
}
