//! The allocator with which a program counts the memory of its scripts.

// A global allocator needs unsafe code. This allocator forwards every call to the one below it.
#![allow(unsafe_code, reason = "only an allocator sees every allocation")]

use std::alloc::{GlobalAlloc, Layout, System};

use crate::memory::{count, taken};

/// An allocator with a count of each thread's memory.
///
/// Declare it in a program that runs untrusted scripts, so that they can't exhaust the memory:
///
/// ```text
/// #[global_allocator]
/// static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();
/// ```
///
/// It counts the system's allocations, or those of another allocator, if the program declares it
/// as `CountingAllocator::over(…)`. Scripts allocate much, so a fast one saves time.
///
/// Without this allocator, the memory of scripts is not counted, and no script runs with
/// [`ScriptLimits::counted`].
///
/// [`ScriptLimits::counted`]: crate::ScriptLimits::counted
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator<A = System>(A);

impl CountingAllocator {
    /// Counts the allocations of the system.
    #[must_use]
    pub const fn new() -> Self {
        Self(System)
    }

    /// Reports whether this program counts its allocations with this allocator.
    #[must_use]
    pub fn is_declared() -> bool {
        let before = taken();
        drop(std::hint::black_box(Box::new(0_u64)));
        taken() != before
    }
}

impl<A> CountingAllocator<A> {
    /// Counts the allocations of another allocator.
    pub const fn over(below: A) -> Self {
        Self(below)
    }
}

// SAFETY: every call is forwarded unchanged to an allocator. The count is a plain thread-local
// number that neither allocates nor has a destructor.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the same contract.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller upholds the same contract.
        unsafe { self.0.dealloc(place, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the same contract.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller upholds the same contract.
        unsafe { self.0.realloc(place, layout, size) }
    }
}
