//! The limits of each call into a script.

use super::budget::Budget;
use super::fault::ScriptFault;
use super::tracer::Tracer;
use crate::memory::CountingAllocator;

/// The limits of each call into a script, and its observer.
#[derive(Clone, Debug, Default)]
pub struct ScriptLimits {
    /// The most operations of a call.
    pub budget: Budget,
    /// The tracer that notes the calls and their costs; by default none.
    pub tracer: Tracer,
    /// Whether the memory of scripts must be counted. If nothing counts it, they do not run then.
    pub counted: bool,
}

impl ScriptLimits {
    /// Returns the usual limits for unknown scripts: they run only in a program that counts its
    /// allocations with [`CountingAllocator`]. Without it, scripts are limited in operations, depth
    /// and sizes, and can still take gigabytes.
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

    /// Checks that the memory of scripts is counted, if it must be.
    ///
    /// # Errors
    /// Returns an error if it must be counted and nothing counts it.
    pub fn check_memory(&self) -> Result<(), ScriptFault> {
        if !self.counted || CountingAllocator::is_declared() {
            return Ok(());
        }
        let text = "can't run scripts without the allocator that counts their memory";
        Err(ScriptFault::new("script::uncounted", text)
            .help("set `risk_engine::CountingAllocator` as the global allocator of your program"))
    }
}
