//! Processes numbered pieces of work on several threads, with results in the order of the numbers.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

use super::{MatchFault, SCRIPT_STACK};
use crate::interrupt::{self, InterruptCheck};

/// The work of one thread. Each thread creates its own producer.
pub trait Producer {
    /// The result of a piece.
    type Product: Send;

    /// Processes one piece, and returns its result and its cost. A thread hands over its results
    /// when their total cost reaches 20,000, because waking the receiver for each short piece would
    /// cost more than the piece itself.
    ///
    /// # Errors
    /// Returns an error to end all work. If several pieces fail, the error of the first piece is
    /// reported.
    fn produce(&mut self, number: u64) -> Result<(Self::Product, u64), MatchFault>;
}

const BATCH: u64 = 20_000;

type Batch<T> = Vec<Result<(u64, T), MatchFault>>;

/// Processes all pieces on `jobs` threads, or on the caller's where there are no threads, as in
/// WebAssembly. Passes each result to `each` in the order of the numbers, until `each` breaks.
/// Memory use does not grow with the number of pieces. Work may be `ahead` of the first piece
/// without a result, which also limits the number of results that wait.
///
/// # Errors
/// Returns the error of the first piece that fails, or an error if a thread can't be created or
/// panics.
pub fn in_order<P: Producer>(
    pieces: Range<u64>,
    ahead: u64,
    jobs: usize,
    new: impl Fn() -> Result<P, MatchFault> + Sync,
    each: impl FnMut(u64, P::Product) -> ControlFlow<()>,
) -> Result<(), MatchFault> {
    if cfg!(target_family = "wasm") {
        one_by_one(pieces, new()?, each)
    } else {
        on_threads(pieces, ahead, jobs, new, each)
    }
}

fn on_threads<P: Producer>(
    pieces: Range<u64>,
    ahead: u64,
    jobs: usize,
    new: impl Fn() -> Result<P, MatchFault> + Sync,
    mut each: impl FnMut(u64, P::Product) -> ControlFlow<()>,
) -> Result<(), MatchFault> {
    let course = WorkProgress::new(&pieces, ahead);
    let mut fault: Option<MatchFault> = None;
    std::thread::scope(|scope| {
        // Keep threads from waiting forever if this thread panics.
        let _end = PanicGuard(&course);
        let (sender, receiver) = mpsc::sync_channel::<Batch<P::Product>>(64);
        let mut threads = Vec::new();
        let gate = course.lock();
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let course = &course;
            let new = &new;
            let builder = std::thread::Builder::new().stack_size(SCRIPT_STACK);
            match builder.spawn_scoped(scope, move || work(course, new, &sender)) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    let count = threads.len();
                    let text = format!("only {count} of {jobs} threads could be started: {error}");
                    fault = Some(MatchFault::Broken(text));
                    // Existing threads wait for `gate`.
                    course.stop.store(0, Ordering::SeqCst);
                    break;
                }
            }
        }
        drop((gate, sender));
        let mut order = ReorderBuffer {
            next: pieces.start,
            waiting: BTreeMap::new(),
        };
        let mut over = false;
        for result in receiver.iter().flatten() {
            match result {
                Ok((number, result)) => {
                    if !over && order.hand(number, result, &mut each).is_break() {
                        over = true;
                        course.stop_at(0);
                    }
                    course.handed(order.next);
                }
                Err(new) => fault = Some(earlier(fault.take(), new)),
            }
        }
        for thread in threads {
            if let Err(panic) = thread.join() {
                let broken = MatchFault::Broken(panic_message(&*panic));
                fault = Some(earlier(fault.take(), broken));
            }
        }
    });
    fault.map_or(Ok(()), Err)
}

/// Processes all pieces without a thread, where there are none.
fn one_by_one<P: Producer>(
    pieces: Range<u64>,
    mut producer: P,
    mut each: impl FnMut(u64, P::Product) -> ControlFlow<()>,
) -> Result<(), MatchFault> {
    for number in pieces {
        let (product, _) = producer.produce(number)?;
        if each(number, product).is_break() {
            break;
        }
    }
    Ok(())
}

fn work<P: Producer>(
    course: &WorkProgress,
    new: &impl Fn() -> Result<P, MatchFault>,
    sender: &mpsc::SyncSender<Batch<P::Product>>,
) {
    interrupt::with_check(course.check.clone(), || produce_all(course, new, sender));
}

fn produce_all<P: Producer>(
    course: &WorkProgress,
    new: &impl Fn() -> Result<P, MatchFault>,
    sender: &mpsc::SyncSender<Batch<P::Product>>,
) {
    let _end = PanicGuard(course);
    // Use no memory before all threads exist; the remaining threads might not get enough.
    drop(course.lock());
    if course.stops(0) {
        return;
    }
    // If the receiver is gone, the fault is not needed.
    let mut producer = match new() {
        Ok(producer) => producer,
        Err(fault) => return drop(sender.send(vec![Err(fault)])),
    };
    let mut batch = Batch::new();
    let mut cost = 0;
    loop {
        let number = course.next.fetch_add(1, Ordering::Relaxed);
        if course.stops(number) {
            return drop(sender.send(batch));
        }
        if !course.has_room(number) {
            // The other threads may be waiting for a result in the batch.
            if sender.send(std::mem::take(&mut batch)).is_err() {
                return;
            }
            course.wait(number);
            if course.stops(number) {
                return;
            }
        }
        match producer.produce(number) {
            Ok((result, more)) => {
                cost += more;
                batch.push(Ok((number, result)));
            }
            Err(fault) => {
                course.stop_at(number);
                batch.push(Err(fault));
            }
        }
        if cost >= BATCH {
            cost = 0;
            if sender.send(std::mem::take(&mut batch)).is_err() {
                return;
            }
        }
    }
}

fn panic_message(panic: &dyn std::any::Any) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a worker thread panicked: {}", text.unwrap_or("no message"))
}

/// Chooses the fault to report. The order of precedence is: a broken program, a load error, a bot
/// that is gone, a ruleset's fault. Of two ruleset faults, the fault of the earlier game is
/// reported.
fn earlier(old: Option<MatchFault>, new: MatchFault) -> MatchFault {
    match (old, new) {
        (Some(MatchFault::Rules(a, old)), MatchFault::Rules(b, new)) => {
            if a < b {
                MatchFault::Rules(a, old)
            } else {
                MatchFault::Rules(b, new)
            }
        }
        (Some(MatchFault::Broken(old)), _) | (_, MatchFault::Broken(old)) => {
            MatchFault::Broken(old)
        }
        (Some(MatchFault::Load(old)), _) | (_, MatchFault::Load(old)) => MatchFault::Load(old),
        (Some(gone @ MatchFault::Gone(..)), _) => gone,
        (_, new) => new,
    }
}

struct ReorderBuffer<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> ReorderBuffer<T> {
    fn hand(
        &mut self,
        number: u64,
        result: T,
        each: &mut impl FnMut(u64, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.waiting.insert(number, result);
        while let Some(result) = self.waiting.remove(&self.next) {
            let number = self.next;
            self.next += 1;
            each(number, result)?;
        }
        ControlFlow::Continue(())
    }
}

struct WorkProgress {
    next: AtomicU64,
    stop: AtomicU64,
    ahead: u64,
    /// All results below this number have been handed over.
    handed: Mutex<u64>,
    room: Condvar,
    /// The check of the thread that started the work.
    check: Option<InterruptCheck>,
}

impl WorkProgress {
    fn new(pieces: &Range<u64>, ahead: u64) -> Self {
        Self {
            next: pieces.start.into(),
            stop: pieces.end.into(),
            ahead,
            handed: Mutex::new(pieces.start),
            room: Condvar::new(),
            check: interrupt::current_check(),
        }
    }

    /// Prevents this piece and all later pieces from starting.
    fn stop_at(&self, number: u64) {
        self.stop.fetch_min(number, Ordering::SeqCst);
        // A thread that is about to wait has read `stop` while holding the lock.
        drop(self.lock());
        self.room.notify_all();
    }

    fn stops(&self, number: u64) -> bool {
        number >= self.stop.load(Ordering::SeqCst)
    }

    fn handed(&self, number: u64) {
        *self.lock() = number;
        self.room.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.handed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_room(&self, number: u64) -> bool {
        number < self.lock().saturating_add(self.ahead) || self.stops(number)
    }

    fn wait(&self, number: u64) {
        let full =
            |handed: &mut u64| number >= handed.saturating_add(self.ahead) && !self.stops(number);
        drop(self.room.wait_while(self.lock(), full));
    }
}

struct PanicGuard<'a>(&'a WorkProgress);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop_at(0);
        }
    }
}
