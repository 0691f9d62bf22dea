//! What each call into a script may use.

use super::budget::Budget;
use super::fault::ScriptFault;
use super::tracer::Tracer;
use crate::memory::CountingAllocator;

/// How much each call into a script may use, and who watches.
#[derive(Clone, Debug, Default)]
pub struct ScriptLimits {
    /// The most operations of a call.
    pub budget: Budget,
    /// What notes the calls and their costs; by default nothing does.
    pub tracer: Tracer,
    /// Must the memory that scripts hold be counted? Where nothing counts it, they do not run then.
    pub counted: bool,
}

impl ScriptLimits {
    /// The usual limits for scripts that you do not know: they run only in a program that counts
    /// its allocations with [`CountingAllocator`]. Without it scripts are limited in operations,
    /// depth and sizes, and yet can take gigabytes.
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

    /// Is the memory of scripts counted, where it must be?
    ///
    /// # Errors
    /// When it must be counted, and nothing counts it.
    pub fn check_memory(&self) -> Result<(), ScriptFault> {
        if !self.counted || CountingAllocator::is_declared() {
            return Ok(());
        }
        let text = "scripts can't run: nothing counts the memory that they hold";
        Err(ScriptFault::new("script::uncounted", text)
            .help("declare risk_engine::CountingAllocator as the global allocator of your program"))
    }
}
