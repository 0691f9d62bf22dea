//! The remaining limits of the call under way: operations, bytes held, bytes taken.
//!
//! One call into a script runs at a time on a thread, so the meter belongs to the thread. An
//! operation is a step of the script; functions in Rust are charged in addition by the work that
//! they do.

use std::cell::Cell;

use rhai::{Dynamic, EvalAltResult, Position};

use super::budget::Exceeded;
use crate::memory;

/// The work of a function in Rust that makes one operation, in elements, bytes or territories
/// looked at. A call that does less costs nothing beyond its own step.
pub const WORK: u64 = 256;

struct Meter {
    fuel: Cell<u64>,
    /// The bytes held by the thread at which the call is stopped.
    roof: Cell<i64>,
    /// The bytes taken by the thread at which the call is stopped.
    most_taken: Cell<u64>,
    /// The reason for a stop. The call stays stopped, no matter what the script catches.
    stopped: Cell<Option<Exceeded>>,
    ended: Cell<u64>,
}

thread_local! {
    static METER: Meter = const {
        Meter {
            fuel: Cell::new(0),
            roof: Cell::new(i64::MAX),
            most_taken: Cell::new(u64::MAX),
            stopped: Cell::new(None),
            ended: Cell::new(0),
        }
    };
}

/// Begins a call with this fuel, and with limits on the bytes that it may hold and take.
pub fn begin(fuel: u64, hold: i64, take: u64) {
    METER.with(|meter| {
        meter.fuel.set(fuel);
        meter.roof.set(memory::held().saturating_add(hold));
        meter.most_taken.set(memory::taken().saturating_add(take));
        meter.stopped.set(None);
    });
}

/// Returns the fuel that is left.
pub fn left() -> u64 {
    METER.with(|meter| meter.fuel.get())
}

/// Ends a call that took this number of operations.
pub fn end(spent: u64) {
    METER.with(|meter| meter.ended.set(meter.ended.get().wrapping_add(spent)));
}

/// Runs something that calls other scripts during a call, such as the hooks of a ruleset. Each of
/// those calls has its own limits, and their operations are charged to this call.
pub fn within<T>(run: impl FnOnce() -> T) -> T {
    let (outer, before) = METER.with(|meter| {
        let outer = (
            meter.fuel.get(),
            meter.roof.get(),
            meter.most_taken.get(),
            meter.stopped.get(),
        );
        (outer, meter.ended.get())
    });
    let done = run();
    METER.with(|meter| {
        let spent = meter.ended.get().wrapping_sub(before);
        meter.fuel.set(outer.0.saturating_sub(spent));
        meter.roof.set(outer.1);
        meter.most_taken.set(outer.2);
        meter.stopped.set(outer.3);
    });
    done
}

/// Runs something like [`within`], but charges no call for it: it is done once for all scripts of a
/// thread.
pub fn apart<T>(run: impl FnOnce() -> T) -> T {
    within(|| {
        let before = all_ended();
        let done = run();
        METER.with(|meter| meter.ended.set(before));
        done
    })
}

/// Returns the operations of all calls that ended on this thread. The difference of two values is
/// the number of operations between them.
pub fn all_ended() -> u64 {
    METER.with(|meter| meter.ended.get())
}

/// Counts one operation. Returns the reason why the call must stop, if it must.
#[inline]
pub fn step() -> Option<Exceeded> {
    METER.with(|meter| {
        let left = meter.fuel.get();
        if left == 0 || meter.is_over_memory() {
            return Some(meter.stop());
        }
        meter.fuel.set(left - 1);
        None
    })
}

impl Meter {
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

/// Charges work that is done or about to be. The next step stops the call if the fuel is used up.
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

/// Checks whether the call may go on, by its fuel and by its memory.
///
/// # Errors
/// Ends the call if it may not.
pub fn check() -> Result<(), Box<EvalAltResult>> {
    METER.with(|meter| {
        if meter.fuel.get() == 0 || meter.is_over_memory() {
            Err(ended(meter.stop()))
        } else {
            Ok(())
        }
    })
}

/// Checks whether the call may go on with the memory that it holds and took, for a function that
/// takes much step by step.
///
/// # Errors
/// Ends the call if it holds or took more than it may.
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

/// Ends the call because a value would grow too large.
#[cold]
pub fn too_large() -> Box<EvalAltResult> {
    METER.with(|meter| {
        meter
            .stopped
            .set(meter.stopped.get().or(Some(Exceeded::Size)));
        meter.roof.set(i64::MIN);
    });
    ended(Exceeded::Size)
}

fn ended(why: Exceeded) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(
        Dynamic::from(why),
        Position::NONE,
    ))
}
