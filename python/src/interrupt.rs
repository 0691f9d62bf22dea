//! Long work that Ctrl-C ends: done on a thread of its own, while Python's looks for signals.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;
use risk_engine::matches::STACK;

use crate::errors::wrong;

/// How often signals are looked for.
const EVERY: Duration = Duration::from_millis(20);

/// Does something that may take long, without Python's lock, on a thread with room for scripts. It
/// looks at the flag from time to time, and ends early when it is set.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    py.detach(|| {
        let (done, ended) = channel();
        std::thread::scope(|scope| {
            let stop = &stop;
            let worker =
                std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        let result = work(stop);
                        // Whoever waits may have given up.
                        let _ = done.send(());
                        result
                    });
            let Ok(worker) = worker else {
                return Err(wrong("the system gives no more threads"));
            };
            let mut signal = Ok(());
            // The other end is gone as well where the work has panicked.
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if signal.is_ok() {
                    signal = Python::attach(|py| py.check_signals());
                    stop.store(signal.is_err(), Ordering::Relaxed);
                }
            }
            let result = worker
                .join()
                .map_err(|_| wrong("a thread that plays games failed"));
            signal.and(result)
        })
    })
}
