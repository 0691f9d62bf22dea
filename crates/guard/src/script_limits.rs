//! The limits of each call of a script.

use super::budget::Budget;
use super::fault::ScriptFault;
use super::tracer::Tracer;
use crate::counting_allocator::CountingAllocator;

/// The limits of each call of a script, and the tracer that observes the calls.
#[derive(Clone, Debug, Default)]
pub struct ScriptLimits {
    /// The maximum number of operations of a call.
    pub budget: Budget,
    /// The tracer that records calls and their costs; inactive by default.
    pub tracer: Tracer,
    /// Whether the memory of scripts must be counted. If it must be counted but is not, scripts
    /// can't run.
    pub counted: bool,
}

impl ScriptLimits {
    /// Returns the usual limits for untrusted scripts. These scripts run only in a program that
    /// counts its allocations with [`CountingAllocator`]. Without the count, operations, depth and
    /// sizes would be limited, but scripts could still use gigabytes of memory.
    ///
    /// ```
    /// use rhai_guard::{CountingAllocator, ScriptLimits};
    ///
    /// // This program declares no CountingAllocator.
    /// assert!(!CountingAllocator::is_declared());
    /// assert!(ScriptLimits::counted().check_memory().is_err());
    /// assert!(ScriptLimits::default().check_memory().is_ok());
    /// ```
    #[must_use]
    pub fn counted() -> Self {
        Self {
            counted: true,
            ..Self::default()
        }
    }

    /// Checks that the memory of scripts is counted if these limits require it.
    ///
    /// # Errors
    /// Returns an error if the limits require counting and the program does not count memory.
    pub fn check_memory(&self) -> Result<(), ScriptFault> {
        if !self.counted || CountingAllocator::is_declared() {
            return Ok(());
        }
        let text = "can't run scripts without the allocator that counts their memory";
        Err(ScriptFault::new("script::uncounted", text)
            .help("set `risk_engine::CountingAllocator` as the global allocator of your program"))
    }
}
