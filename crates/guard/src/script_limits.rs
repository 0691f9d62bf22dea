//! What each call into a script may use.

use super::budget::Budget;
use super::fault::ScriptFault;
use super::tracer::Tracer;
use crate::memory;

/// How much each call into a script may use, and who watches.
#[derive(Clone, Debug, Default)]
pub struct ScriptLimits {
    /// The most operations of a call.
    pub budget: Budget,
    /// What notes the calls and their costs; by default nothing does.
    pub tracer: Tracer,
    /// Do scripts run even where nothing counts the memory that they
    /// hold? See [`ScriptLimits::unguarded`].
    pub unguarded: bool,
}

impl ScriptLimits {
    /// The usual limits, in a program that does not count its allocations with
    /// [`CountingAllocator`](memory::CountingAllocator): scripts are limited in operations, depth
    /// and sizes, and yet can take gigabytes. For scripts that you know.
    ///
    /// ```
    /// use rhai_guard::ScriptLimits;
    ///
    /// // This program declares no CountingAllocator.
    /// assert!(ScriptLimits::default().check_memory().is_err());
    /// assert!(ScriptLimits::unguarded().check_memory().is_ok());
    /// ```
    #[must_use]
    pub fn unguarded() -> Self {
        Self {
            unguarded: true,
            ..Self::default()
        }
    }

    /// Is the memory of scripts counted, or not to be?
    ///
    /// # Errors
    /// When it is to be counted, and nothing counts it.
    pub fn check_memory(&self) -> Result<(), ScriptFault> {
        if self.unguarded || memory::is_counted() {
            return Ok(());
        }
        let text = "scripts can't run: nothing counts the memory that they hold";
        Err(ScriptFault::new("script::unguarded", text).help(
            "declare risk_engine::CountingAllocator as the global allocator of your program, or use \
             ScriptLimits::unguarded()",
        ))
    }
}
