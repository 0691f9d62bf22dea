//! The memory that this thread holds, so that a script can be stopped before it takes all of it.
//!
//! Rhai's own limits on sizes are not checked everywhere (`map[key] = value` escapes them), and a
//! failed allocation ends the process. Counting allocations is the only reliable measure, and costs
//! about a nanosecond for each.

// A global allocator needs unsafe code; this one passes everything on to the system's.
#![allow(unsafe_code, reason = "only an allocator sees every allocation")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// Returns the bytes that this thread has taken and not given back. Memory that changes threads
/// counts where it was taken and where it was given back, so only differences over a stretch of
/// work are meaningful.
#[inline]
#[must_use]
pub fn held() -> i64 {
    HELD.try_with(Cell::get).unwrap_or(0)
}

/// Returns the bytes that this thread has ever taken, including those it gave back. It can't have
/// copied more.
#[inline]
#[must_use]
pub fn taken() -> u64 {
    TAKEN.try_with(Cell::get).unwrap_or(0)
}

/// Returns the most bytes that this thread has held since the last call of this function.
#[must_use]
pub fn take_peak() -> i64 {
    PEAK.try_with(|peak| peak.replace(held())).unwrap_or(0)
}

/// Runs something whose memory does not count, such as values made for all games during the call of
/// one script. Memory that it takes and keeps must not be given back during a script's call.
pub fn uncounted<T>(run: impl FnOnce() -> T) -> T {
    let before = (held(), taken());
    let done = run();
    let _ = HELD.try_with(|held| held.set(before.0));
    let _ = TAKEN.try_with(|taken| taken.set(before.1));
    done
}

#[inline]
fn count(taken: usize, given: usize) {
    // At the end of a thread there is nothing left to count for.
    let now = HELD.try_with(|held| {
        held.set(held.get() + taken as i64 - given as i64);
        held.get()
    });
    let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.unwrap_or(0))));
    let _ = TAKEN.try_with(|sum| sum.set(sum.get().wrapping_add(taken as u64)));
}

/// The system's allocator, which counts what each thread holds.
///
/// A program that runs scripts of others declares it, so that they can't take all memory:
///
/// ```text
/// #[global_allocator]
/// static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator;
/// ```
///
/// Without it the memory of scripts is not counted, and [`ScriptLimits::counted`] lets none run.
///
/// [`ScriptLimits::counted`]: crate::ScriptLimits::counted
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

impl CountingAllocator {
    /// Reports whether this program counts its allocations with this allocator.
    #[must_use]
    pub fn is_declared() -> bool {
        let before = taken();
        drop(std::hint::black_box(Box::new(0_u64)));
        taken() != before
    }
}

// SAFETY: every call is passed on to the system's allocator unchanged; the count is a plain
// thread-local number that neither allocates nor has a destructor.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller's promise is handed on.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller's promise is handed on.
        unsafe { System.realloc(place, layout, size) }
    }
}
