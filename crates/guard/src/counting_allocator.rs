//! The allocator with which a program counts the memory of its scripts.

// A global allocator needs unsafe code. This allocator forwards every call to the system's
// allocator.
#![allow(unsafe_code, reason = "only an allocator sees every allocation")]

use std::alloc::{GlobalAlloc, Layout, System};

use crate::memory::{count, taken};

/// The system's allocator with a count of each thread's memory.
///
/// Declare it in a program that runs untrusted scripts, so that they can't exhaust the memory:
///
/// ```text
/// #[global_allocator]
/// static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator;
/// ```
///
/// Without this allocator, the memory of scripts is not counted, and no script runs with
/// [`ScriptLimits::counted`].
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

// SAFETY: every call is forwarded to the system's allocator unchanged. The count is a plain
// thread-local number that neither allocates nor has a destructor.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller upholds the same contract.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the same contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller upholds the same contract.
        unsafe { System.realloc(place, layout, size) }
    }
}
