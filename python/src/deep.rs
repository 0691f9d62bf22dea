//! Room for scripts that call each other deep: Python's threads have small stacks.

/// As much as the library gives its own threads.
const STACK: usize = 64 << 20;

/// Runs something that may call a stranger's script.
pub(crate) fn deep<T>(is_known: bool, work: impl FnOnce() -> T) -> T {
    if is_known {
        work()
    } else {
        stacker::grow(STACK, work)
    }
}
