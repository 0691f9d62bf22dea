//! Stack space for deeply nested calls in scripts. Python's threads have small stacks.

/// The stack size of the library's own threads, in bytes.
const STACK: usize = 64 << 20;

/// Runs work that may call scripts. The work gets a large stack unless all scripts are known.
pub(crate) fn with_large_stack<T>(is_known: bool, work: impl FnOnce() -> T) -> T {
    if is_known {
        work()
    } else {
        stacker::grow(STACK, work)
    }
}
