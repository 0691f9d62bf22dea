//! Plays many games: seating, worker threads, and results in the order of the games.

mod first_faults;
mod game_result;
mod in_order;
mod opening;
mod rule_setup;
mod setup;
mod spec;
pub(crate) mod standings;
mod worker;

pub use first_faults::{FirstFault, FirstFaults};
pub use game_result::GameResult;
pub use in_order::{Producer, in_order};
pub use opening::Opening;
pub use rule_setup::RuleSetup;
pub use setup::shell_quoted;
pub use setup::{Seats, Setup};
pub use spec::{MatchSpec, strikes};
pub use worker::Worker;

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use crate::hosting::Aside;
use crate::interrupt;
use crate::script::ScriptFault;
use risk_kernel::NullSink;
use risk_kernel::fault::RuleFault;
use risk_text::diag::LoadError;

/// The stack size of threads that run scripts, in bytes. It is large because script calls may be
/// deeply nested.
pub const SCRIPT_STACK: usize = 64 << 20;

/// The reason why a match stopped.
#[derive(Debug, thiserror::Error)]
pub enum MatchFault {
    /// A script does not compile.
    #[error("{0}")]
    Load(#[source] LoadError),
    /// A bot has halted a game and plays no more: its name, and the reason.
    #[error("{0} left the match: {1}")]
    Gone(String, String),
    /// The ruleset failed: the number of the game, and the fault.
    #[error("game {0}: {1}")]
    Rules(u64, #[source] RuleFault),
    /// This program failed, or the system has no more threads. The text describes the failure.
    #[error("{0}")]
    Broken(String),
}

/// Plays `games` games on `jobs` threads, starting with game number `first`. The results do not
/// depend on the number of threads.
///
/// # Errors
/// Returns the same errors as [`play_each`].
pub fn play_many(
    setup: &Setup,
    first: u64,
    games: u64,
    jobs: usize,
    mut progress: impl FnMut(u64),
) -> Result<Vec<GameResult>, MatchFault> {
    let mut results = Vec::new();
    play_each(setup, first..first.saturating_add(games), jobs, |result| {
        results.push(result);
        progress(results.len() as u64);
        ControlFlow::Continue(())
    })?;
    Ok(results)
}

/// Plays the games with these numbers on `jobs` threads. Passes each result to `each` in the order
/// of the games, until `each` breaks. Memory use does not grow with the number of games.
///
/// # Errors
/// Returns an error if a script does not compile, or if a thread can't be created or panics. If the
/// ruleset fails, returns the fault of the first game that failed.
pub fn play_each(
    setup: &Setup,
    games: Range<u64>,
    jobs: usize,
    mut each: impl FnMut(GameResult) -> ControlFlow<()>,
) -> Result<(), MatchFault> {
    in_order(
        games,
        AHEAD,
        jobs,
        || Worker::new(setup).map_err(MatchFault::Load),
        |_, result| each(result),
    )
}

/// The output of remote bots apart from their answers in a game, by player.
pub type Asides = Vec<(usize, Aside)>;

/// Notes about the bots in one game: their output and their faults.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct GameNotes {
    /// The output of remote bots, if it is kept.
    pub asides: Asides,
    /// The first fault of each player in this game. Faults that the same player committed in an
    /// earlier game with the same text are left out, and so are all but the first few texts.
    pub faults: Vec<FirstFault>,
}

/// The number of different faults of each player that a match keeps.
const MOST_FAULTS: usize = 3;

/// Plays games like [`play_each`], and also passes on notes about the bots. This includes the notes
/// of a game that ends the match with an error. `asides` determines whether the notes contain the
/// output of remote bots.
///
/// # Errors
/// Returns the same errors as [`play_each`].
pub fn play_each_noted(
    setup: &Setup,
    games: Range<u64>,
    jobs: usize,
    asides: bool,
    mut each: impl FnMut(u64, Option<GameResult>, GameNotes) -> ControlFlow<()>,
) -> Result<(), MatchFault> {
    let ahead = if asides { HEARD_AHEAD } else { AHEAD };
    let new = || {
        let mut worker = Worker::new(setup).map_err(MatchFault::Load)?;
        worker.keeps_asides = asides;
        let known = KnownFaults::default();
        Ok(NotingWorker { worker, known })
    };
    let mut fault = None;
    let mut known = KnownFaults::default();
    in_order(games, ahead, jobs, new, |number, (result, mut notes)| {
        known.keep_new(&setup.seating(number), &mut notes.faults);
        match result {
            Ok(result) => each(number, Some(result), notes),
            Err(found) => {
                fault = Some(found);
                // The match is over, with or without a break.
                let _ = each(number, None, notes);
                ControlFlow::Break(())
            }
        }
    })?;
    fault.map_or(Ok(()), Err)
}

/// The first few texts of each player's faults in the games so far.
#[derive(Default)]
struct KnownFaults(BTreeMap<usize, Vec<String>>);

impl KnownFaults {
    /// Removes faults with known texts, and faults beyond the first few.
    fn keep_new(&mut self, seating: &[usize], faults: &mut Vec<FirstFault>) {
        faults.retain(|fault| {
            let known = self.0.entry(seating[fault.seat]).or_default();
            let is_new = known.len() < MOST_FAULTS && !known.contains(&fault.text);
            if is_new {
                known.push(fault.text.clone());
            }
            is_new
        });
    }
}

/// A worker that also returns notes about its bots. It plays its games in ascending order, so the
/// faults that are new in the match are also new among its own games.
struct NotingWorker<'a> {
    worker: Worker<'a>,
    known: KnownFaults,
}

impl Producer for NotingWorker<'_> {
    type Product = (Result<GameResult, MatchFault>, GameNotes);

    fn produce(&mut self, number: u64) -> Result<(Self::Product, u64), MatchFault> {
        let worker = &mut self.worker;
        let seating = worker.setup().seating(number);
        let mut found = FirstFaults::default();
        let result = worker.result(number, &seating, &mut found);
        let cost = result.as_ref().map_or(0, |result| result.decisions);
        self.known.keep_new(&seating, &mut found.faults);
        let notes = GameNotes {
            asides: worker.take_asides(),
            faults: found.faults,
        };
        Ok(((result, notes), cost))
    }
}

/// The limit that replaces [`AHEAD`] if results may come with long asides.
const HEARD_AHEAD: u64 = 64;

/// The maximum number of results that wait for the result of an earlier game.
const AHEAD: u64 = 16_384;

impl Producer for Worker<'_> {
    type Product = GameResult;

    fn produce(&mut self, number: u64) -> Result<(GameResult, u64), MatchFault> {
        let seating = self.setup().seating(number);
        let result = self.result(number, &seating, &mut NullSink)?;
        let cost = result.decisions;
        Ok((result, cost))
    }
}

/// Runs a closure that calls scripts on a thread with a large stack.
pub fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let check = interrupt::current_check();
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new()
            .stack_size(SCRIPT_STACK)
            .spawn_scoped(scope, || interrupt::with_check(check, run));
        match spawned.expect("the system can start a thread").join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Returns the script's own report from a ruleset's fault, if there is one.
#[must_use]
pub fn script_fault(fault: &RuleFault) -> Option<&ScriptFault> {
    std::error::Error::source(fault)?.downcast_ref()
}
