//! Long work that Ctrl-C can stop. It runs on a separate thread, while Python's thread checks for
//! signals.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;
use risk_engine::matches::STACK;

use crate::errors::wrong;

/// The interval between checks for signals.
const EVERY: Duration = Duration::from_millis(20);

/// Runs long work on a thread with a large stack, without holding Python's lock. The work must
/// check the flag and end early if the flag is set.
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
                        // The receiver may have been dropped.
                        let _ = done.send(());
                        result
                    });
            let Ok(worker) = worker else {
                return Err(wrong("can't start another thread"));
            };
            let mut signal = Ok(());
            // A panic in the work closes the channel as well.
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
