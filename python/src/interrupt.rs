//! Long work that Ctrl-C can stop: on a separate thread, while Python's thread checks for signals
//! and calls Python bots, or on Python's own thread, which then checks for signals between decisions
//! and in searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use risk_engine::SCRIPT_STACK;
use risk_engine::interrupt::with_check;

use crate::errors::{guarded, wrong};

/// The interval between checks for signals.
pub(crate) const EVERY: Duration = Duration::from_millis(20);

/// What a worker sends to Python's thread.
enum Message {
    /// Work for Python's thread. Dropping it refuses the work.
    Call(Box<dyn FnOnce(Python<'_>) + Send>),
    /// A worker has ended or failed.
    Ended,
}

/// Python's thread, as its workers see it while it waits for their long work.
pub(crate) struct PythonThread(Sender<Message>);

/// The messages to Python's thread.
pub(crate) struct Messages(Receiver<Message>);

impl PythonThread {
    pub(crate) fn new() -> (Self, Messages) {
        let (sender, receiver) = channel();
        (Self(sender), Messages(receiver))
    }

    /// Returns a value that reports the end of a worker when it is dropped.
    pub(crate) fn ends(&self) -> ReportsEnd {
        ReportsEnd(self.0.clone())
    }

    /// Calls `work` on Python's thread, where the handlers of signals run, and waits for the
    /// result. Returns `None` if a signal has stopped the long work.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(Python<'_>) -> T + Send + 'static,
    ) -> Option<T> {
        let (done, result) = channel();
        let call = Box::new(move |py: Python<'_>| {
            // The worker waits for the result.
            let _ = done.send(work(py));
        });
        self.0.send(Message::Call(call)).ok()?;
        result.recv().ok()
    }
}

impl Messages {
    /// Checks for signals and makes the calls that workers request, until all of them have ended.
    /// A signal sets the flag, which must end the work, and its exception is returned.
    pub(crate) fn serve(&self, workers: usize, stop: &AtomicBool) -> PyResult<()> {
        let mut signal = Ok(());
        let mut left = workers;
        while left > 0 {
            let message = self.0.recv_timeout(EVERY);
            if signal.is_ok() {
                signal = Python::attach(|py| py.check_signals());
                stop.store(signal.is_err(), Ordering::Relaxed);
            }
            match message {
                Ok(Message::Call(call)) if signal.is_ok() => Python::attach(call),
                Ok(Message::Call(_)) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Message::Ended) => left -= 1,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        signal
    }
}

/// Reports the end of a worker's part, even after a panic.
pub(crate) struct ReportsEnd(Sender<Message>);

impl Drop for ReportsEnd {
    fn drop(&mut self) {
        // The receiver lives as long as the work.
        let _ = self.0.send(Message::Ended);
    }
}

/// Runs long work on a thread with a large stack, without holding Python's lock. Python's thread
/// checks for signals in the meantime, and makes the calls that the work requests. A signal halts
/// the games of the work. Then the flag is set, and the work must end.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    (thread, messages): (&PythonThread, Messages),
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let end = thread.ends();
    py.detach(move || {
        std::thread::scope(|scope| {
            let stop = &stop;
            let flag = Arc::clone(stop);
            let check = Arc::new(move || flag.load(Ordering::Relaxed));
            let worker = std::thread::Builder::new()
                .stack_size(SCRIPT_STACK)
                .spawn_scoped(scope, move || {
                    let _end = end;
                    with_check(Some(check), || work(stop))
                });
            let Ok(worker) = worker else {
                return Err(wrong("can't start another thread"));
            };
            let signal = messages.serve(1, stop);
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
/// work; its exception is returned instead of the result. A panic becomes an exception.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let watch = Arc::new(SignalWatch {
        raised: AtomicBool::new(false),
        state: Mutex::new((Instant::now(), None)),
    });
    let own = Arc::clone(&watch);
    let result =
        py.detach(|| with_check(Some(Arc::new(move || own.is_raised())), || guarded(work)));
    let mut state = watch.state.lock().unwrap_or_else(PoisonError::into_inner);
    state.1.take().map_or(result, Err)
}
