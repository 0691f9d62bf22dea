//! The remaining limits of the current call: operations, bytes in use, and bytes allocated in
//! total.
//!
//! Only one call of a script runs on a thread at a time, so the meter is thread-local. An operation
//! is one step of the script. Functions in Rust are charged for their work in addition to their
//! step.

use std::cell::Cell;

use rhai::{Dynamic, EvalAltResult, Position};

use super::budget::Exceeded;
use crate::memory;

/// The amount of work in Rust that costs one operation, measured in elements, bytes or territories
/// examined. A call with less work costs only its own step.
pub const WORK: u64 = 256;

/// The maximum number of cells that a call may make or copy. A cell is the size of a value, 16
/// bytes. The limit on operations alone does not bound them, because one operation may copy a list.
/// The number does not depend on the machine, unlike the bytes that an allocator counts.
pub(crate) const MOST_CELLS: u64 = 10_000_000;

/// The number of operations between two calls of the function passed to [`watch`].
const WATCHED: u64 = 4_096;

struct Meter {
    fuel: Cell<u64>,
    /// Reports whether the current call must end for a reason outside of the script.
    interrupted: Cell<fn() -> bool>,
    /// The number of bytes in use by the thread at which the call is stopped.
    roof: Cell<i64>,
    /// The number of bytes allocated by the thread at which the call is stopped.
    most_taken: Cell<u64>,
    /// The number of cells that the call may still make or copy.
    cells: Cell<u64>,
    /// The reason why the call was stopped, or `None`. A stopped call stays stopped, even if the
    /// script catches errors.
    stopped: Cell<Option<Exceeded>>,
    ended: Cell<u64>,
}

thread_local! {
    static METER: Meter = const {
        Meter {
            fuel: Cell::new(0),
            interrupted: Cell::new(|| false),
            roof: Cell::new(i64::MAX),
            most_taken: Cell::new(u64::MAX),
            cells: Cell::new(MOST_CELLS),
            stopped: Cell::new(None),
            ended: Cell::new(0),
        }
    };
}

/// Begins a call with this fuel and with limits on the bytes in use (`hold`) and on the bytes
/// allocated in total (`take`).
pub fn begin(fuel: u64, hold: i64, take: u64) {
    METER.with(|meter| {
        meter.fuel.set(fuel);
        meter.roof.set(memory::held().saturating_add(hold));
        meter.most_taken.set(memory::taken().saturating_add(take));
        meter.cells.set(MOST_CELLS);
        meter.stopped.set(None);
    });
}

/// Sets the function that ends calls of this thread early by returning true. It is called after
/// some thousands of operations.
pub fn watch(interrupted: fn() -> bool) {
    METER.with(|meter| meter.interrupted.set(interrupted));
}

/// Returns the remaining fuel.
pub fn left() -> u64 {
    METER.with(|meter| meter.fuel.get())
}

/// Ends a call that used this number of operations.
pub fn end(spent: u64) {
    METER.with(|meter| meter.ended.set(meter.ended.get().wrapping_add(spent)));
}

/// Runs a closure that calls other scripts during a call, for example the hooks of a ruleset. Each
/// of these calls has its own limits, and its operations are charged to the current call.
pub fn within<T>(run: impl FnOnce() -> T) -> T {
    let before = all_ended();
    let done = beside(run);
    METER.with(|meter| {
        let spent = meter.ended.get().wrapping_sub(before);
        meter.fuel.set(meter.fuel.get().saturating_sub(spent));
    });
    done
}

/// Runs a closure like [`within`] but charges no call for it. The caller measures the operations
/// with [`all_ended`].
pub fn beside<T>(run: impl FnOnce() -> T) -> T {
    let outer = METER.with(|meter| {
        (
            meter.fuel.get(),
            meter.roof.get(),
            meter.most_taken.get(),
            meter.stopped.get(),
            meter.cells.get(),
        )
    });
    let done = run();
    METER.with(|meter| {
        meter.fuel.set(outer.0);
        meter.roof.set(outer.1);
        meter.most_taken.set(outer.2);
        meter.stopped.set(outer.3);
        meter.cells.set(outer.4);
    });
    done
}

/// Runs a closure like [`within`] but charges no call for it, because its work is done once for all
/// scripts of a thread.
pub fn apart<T>(run: impl FnOnce() -> T) -> T {
    let before = all_ended();
    let done = beside(run);
    METER.with(|meter| meter.ended.set(before));
    done
}

/// Returns the total number of operations of all completed calls on this thread. To measure a
/// period, subtract two results.
pub fn all_ended() -> u64 {
    METER.with(|meter| meter.ended.get())
}

/// Counts one operation. Returns the reason if the call must stop, or `None` if it may continue.
#[inline]
pub fn step() -> Option<Exceeded> {
    METER.with(|meter| {
        let left = meter.fuel.get();
        if left == 0 || meter.is_over_memory() {
            return Some(meter.stop());
        }
        meter.fuel.set(left - 1);
        if left % WATCHED == 0 && meter.interrupted.get()() {
            meter.stopped.set(Some(Exceeded::Interrupt));
            return Some(meter.stop());
        }
        None
    })
}

/// Counts operations before they run. Returns false if the call must stop.
#[inline]
pub(crate) fn spend(operations: u64) -> bool {
    METER.with(|meter| {
        let left = meter.fuel.get();
        if left < operations {
            meter.fuel.set(0);
            return false;
        }
        let rest = left - operations;
        meter.fuel.set(rest);
        // The host is asked each time that a multiple is passed.
        (left ^ rest) < WATCHED || !meter.interrupts()
    })
}

/// Counts cells that are made or copied: the elements of arrays, the entries of maps and parts of
/// strings. If there are too many, the next operation stops the call.
#[inline]
pub(crate) fn make(cells: u64) {
    METER.with(|meter| match meter.cells.get().checked_sub(cells) {
        Some(left) if !meter.is_over_memory() => meter.cells.set(left),
        Some(_) => {
            let _ = meter.stop();
            meter.fuel.set(0);
        }
        None => meter.stop_making(),
    });
}

/// Charges work and counts operations if there is enough fuel for both. Returns false if there is
/// not, or if the call must stop.
#[inline]
pub(crate) fn pay(work: u64, operations: u64) -> bool {
    if left() <= work / WORK + operations {
        return false;
    }
    charge(work);
    spend(operations)
}

/// Gives back operations that were counted but did not run.
pub(crate) fn give_back(operations: u64) {
    METER.with(|meter| {
        if meter.stopped.get().is_none() {
            meter.fuel.set(meter.fuel.get() + operations);
        }
    });
}

/// Stops the call at its next operation if it exceeds its limits on memory.
#[inline]
pub(crate) fn watch_memory() {
    METER.with(|meter| {
        if meter.is_over_memory() {
            let _ = meter.stop();
            meter.fuel.set(0);
        }
    });
}

/// Stops the call. Returns the reason.
pub(crate) fn stop() -> Exceeded {
    METER.with(Meter::stop)
}

impl Meter {
    #[cold]
    fn stop_making(&self) {
        let why = self.stopped.get().unwrap_or(Exceeded::Values);
        self.stopped.set(Some(why));
        self.roof.set(i64::MIN);
        self.fuel.set(0);
    }

    fn interrupts(&self) -> bool {
        let interrupted = self.interrupted.get()();
        if interrupted {
            self.stopped.set(Some(Exceeded::Interrupt));
        }
        interrupted
    }

    #[inline]
    fn is_over_memory(&self) -> bool {
        memory::held() > self.roof.get() || memory::taken() > self.most_taken.get()
    }

    #[cold]
    fn stop(&self) -> Exceeded {
        let why = self.stopped.get().unwrap_or(if self.fuel.get() == 0 {
            Exceeded::Operations
        } else if memory::held() > self.roof.get() {
            Exceeded::Memory
        } else {
            Exceeded::Copies
        });
        self.stopped.set(Some(why));
        self.roof.set(i64::MIN);
        why
    }
}

/// Charges work before or after it is done. If the fuel is used up, the next step stops the call.
#[inline]
pub fn charge(work: u64) {
    if work >= WORK {
        METER.with(|meter| meter.fuel.set(meter.fuel.get().saturating_sub(work / WORK)));
    }
}

/// Charges work before it is done.
///
/// # Errors
/// Ends the call if there is not enough fuel for the work.
#[inline]
pub fn afford(work: u64) -> Result<(), Box<EvalAltResult>> {
    charge(work);
    METER.with(|meter| {
        if work >= WORK && meter.fuel.get() == 0 {
            Err(ended(meter.stop()))
        } else {
            Ok(())
        }
    })
}

/// Checks whether the call has fuel left and is within its memory limits.
///
/// # Errors
/// Ends the call if the fuel is used up or a memory limit is exceeded.
pub fn check() -> Result<(), Box<EvalAltResult>> {
    METER.with(|meter| {
        if meter.fuel.get() == 0 || meter.is_over_memory() {
            Err(ended(meter.stop()))
        } else {
            Ok(())
        }
    })
}

/// Checks whether the call is within its memory limits. Functions that allocate much memory step by
/// step call this function.
///
/// # Errors
/// Ends the call if a memory limit is exceeded.
#[inline]
pub fn check_memory() -> Result<(), Box<EvalAltResult>> {
    METER.with(|meter| {
        if meter.is_over_memory() {
            Err(ended(meter.stop()))
        } else {
            Ok(())
        }
    })
}

/// Ends the call because a value would become too large.
#[cold]
pub fn too_large() -> Box<EvalAltResult> {
    METER.with(|meter| {
        meter
            .stopped
            .set(meter.stopped.get().or(Some(Exceeded::Size)));
        meter.roof.set(i64::MIN);
        meter.fuel.set(0);
    });
    ended(Exceeded::Size)
}

fn ended(why: Exceeded) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(
        Dynamic::from(why),
        Position::NONE,
    ))
}
