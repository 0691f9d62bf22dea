//! Counts the memory that this thread uses, so that a script can be stopped before it exhausts the
//! memory.
//!
//! Rhai does not check its size limits everywhere (`map[key] = value` escapes them), and a failed
//! allocation ends the process. Counting allocations is the only reliable measure. It costs about
//! a nanosecond per allocation.

use std::cell::Cell;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
    /// The counts before the innermost closure whose memory is not counted.
    static BEFORE: Cell<Option<(i64, u64)>> = const { Cell::new(None) };
}

/// Returns the number of bytes that this thread has allocated minus the bytes that it has freed.
/// Memory may be freed by another thread, so only differences between two calls are meaningful.
#[inline]
#[must_use]
pub fn held() -> i64 {
    HELD.try_with(Cell::get).unwrap_or(0)
}

/// Returns the number of bytes that this thread has ever allocated, including freed memory. This
/// number is an upper limit for the bytes that the thread has copied.
#[inline]
#[must_use]
pub fn taken() -> u64 {
    TAKEN.try_with(Cell::get).unwrap_or(0)
}

/// Returns the maximum number of bytes that this thread has used since the last call of this
/// function.
#[must_use]
pub fn take_peak() -> i64 {
    PEAK.try_with(|peak| peak.replace(held())).unwrap_or(0)
}

/// Runs a closure whose memory is not counted, for example because it creates values for all games
/// during one script's call. Memory that the closure keeps must not be freed during a call of a
/// script.
pub fn uncounted<T>(run: impl FnOnce() -> T) -> T {
    let outer = BEFORE.replace(Some((held(), taken())));
    let done = run();
    if let Some(before) = BEFORE.replace(outer) {
        set(before.0, before.1);
    }
    done
}

/// Runs a closure within [`uncounted`] whose memory is counted, for example because it calls the
/// script again.
pub fn counted<T>(run: impl FnOnce() -> T) -> T {
    let Some(before) = BEFORE.take() else {
        return run();
    };
    let inner = (held(), taken());
    set(before.0, before.1);
    let done = run();
    BEFORE.set(Some((held(), taken())));
    set(inner.0, inner.1);
    done
}

fn set(held: i64, taken: u64) {
    let _ = HELD.try_with(|cell| cell.set(held));
    let _ = TAKEN.try_with(|cell| cell.set(taken));
}

/// Counts an allocation of `taken` bytes and a release of `given` bytes. It is not generic and not
/// `inline`, so that programs that are not optimised call the function of this crate, which is.
pub(crate) fn count(taken: usize, given: usize) {
    // At the end of a thread, nothing needs to be counted any more.
    let now = HELD.try_with(|held| {
        held.set(held.get() + taken as i64 - given as i64);
        held.get()
    });
    let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.unwrap_or(0))));
    let _ = TAKEN.try_with(|sum| sum.set(sum.get().wrapping_add(taken as u64)));
}
