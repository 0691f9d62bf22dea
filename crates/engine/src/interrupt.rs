//! Interrupts of games, of searches and of the scripts in them: see [`risk_kernel::interrupt`].

use std::time::Duration;

use rhai_guard::meter;
use risk_kernel::interrupt;
pub use risk_kernel::interrupt::{InterruptCheck, current_check, is_raised};

/// The longest time to wait for a bot elsewhere between two checks.
pub const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// Does work like [`interrupt::with_check`]. The check also ends calls of scripts.
pub fn with_check<R>(check: Option<InterruptCheck>, work: impl FnOnce() -> R) -> R {
    meter::watch(interrupt::is_raised);
    interrupt::with_check(check, work)
}
