//! Long work that Ctrl-C can stop: on a separate thread, while Python's thread checks for signals,
//! or on Python's own thread, which then checks for signals between decisions and in searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use risk_engine::interrupt::with_check;
use risk_engine::matches::STACK;

use crate::errors::wrong;

/// The interval between checks for signals.
pub(crate) const EVERY: Duration = Duration::from_millis(20);

/// Runs long work on a thread with a large stack, without holding Python's lock. A signal halts the
/// games of the work. Then the flag is set, and the work must end.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    py.detach(|| {
        let (done, ended) = channel();
        std::thread::scope(|scope| {
            let stop = &stop;
            let flag = Arc::clone(stop);
            let check = Arc::new(move || flag.load(Ordering::Relaxed));
            let worker =
                std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        let result = with_check(Some(check), || work(stop));
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

/// The signals of Python's thread while it works.
struct SignalWatch {
    raised: AtomicBool,
    /// The time of the last check, and the exception that a signal has raised.
    state: Mutex<(Instant, Option<PyErr>)>,
}

impl SignalWatch {
    fn is_raised(&self) -> bool {
        if self.raised.load(Ordering::Relaxed) {
            return true;
        }
        // A signal's handler may play games itself, so the lock is not held while it runs.
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.0.elapsed() < EVERY {
                return false;
            }
            state.0 = Instant::now();
        }
        let Err(error) = Python::attach(|py| py.check_signals()) else {
            return false;
        };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 = Some(error);
        self.raised.store(true, Ordering::Relaxed);
        true
    }
}

/// Runs long work on this thread, without holding Python's lock. A signal halts the games of the
/// work; its exception is returned instead of the result.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let watch = Arc::new(SignalWatch {
        raised: AtomicBool::new(false),
        state: Mutex::new((Instant::now(), None)),
    });
    let own = Arc::clone(&watch);
    let result = py.detach(|| with_check(Some(Arc::new(move || own.is_raised())), work));
    let mut state = watch.state.lock().unwrap_or_else(PoisonError::into_inner);
    state.1.take().map_or(result, Err)
}
