//! Interrupts, which end the games and searches of a thread early, for example after Ctrl-C.
//!
//! A caller that wants to end long work passes a check to [`with_check`]. The turn loop calls
//! [`is_raised`] at each decision of a bot, and bots that search call it too. An interrupted game
//! is [halted](crate::StopReason::Halted), and the answer that a bot was choosing is lost. Without
//! an interrupt, checks change nothing in a game.

use std::cell::RefCell;
use std::sync::Arc;

/// Returns true if the work of the thread must end. After that, it must return true until the work
/// has ended. It is called often, so it must be fast.
pub type InterruptCheck = Arc<dyn Fn() -> bool + Send + Sync>;

thread_local! {
    static CHECK: RefCell<Option<InterruptCheck>> = const { RefCell::new(None) };
}

/// Restores the previous check of the thread, even after a panic.
struct PreviousCheck(Option<InterruptCheck>);

impl Drop for PreviousCheck {
    fn drop(&mut self) {
        CHECK.set(self.0.take());
    }
}

/// Does work on this thread that the check can end early. `None` means that nothing ends it.
///
/// Threads that the work starts have no check. Pass them the result of [`current_check`].
///
/// ```
/// use std::sync::Arc;
/// use risk_kernel::interrupt::{is_raised, with_check};
///
/// assert!(with_check(Some(Arc::new(|| true)), is_raised));
/// assert!(!is_raised());
/// ```
pub fn with_check<R>(check: Option<InterruptCheck>, work: impl FnOnce() -> R) -> R {
    let _previous = PreviousCheck(CHECK.replace(check));
    work()
}

/// Returns the check of this thread, for another thread that does a part of the work.
#[must_use]
pub fn current_check() -> Option<InterruptCheck> {
    CHECK.with_borrow(Clone::clone)
}

/// Reports whether the work of this thread must end.
#[must_use]
pub fn is_raised() -> bool {
    // The check may itself play games, so it is not called while it is borrowed.
    current_check().is_some_and(|check| check())
}
