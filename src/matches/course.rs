//! How far a match is, for all its threads, and results in their order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::game_result::GameResult;

/// How far games are played ahead of the first whose result is still out: so many results
/// wait at most.
pub(super) const AHEAD: u64 = 16_384;

/// Results that wait for those of earlier games.
pub(super) struct InOrder {
    pub(super) next: u64,
    pub(super) waiting: BTreeMap<u64, GameResult>,
}

impl InOrder {
    pub(super) fn hand(
        &mut self,
        result: GameResult,
        each: &mut impl FnMut(GameResult) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.waiting.insert(result.number, result);
        while let Some(result) = self.waiting.remove(&self.next) {
            self.next += 1;
            each(result)?;
        }
        ControlFlow::Continue(())
    }
}

/// How far a match is, for all its threads.
pub(super) struct Course {
    pub(super) next: AtomicU64,
    pub(super) stop: AtomicU64,
    /// Below this number all results have been handed over.
    handed: Mutex<u64>,
    room: Condvar,
}

impl Course {
    pub(super) fn new(first: u64, games: u64) -> Self {
        let stop = first.saturating_add(games);
        Self {
            next: first.into(),
            stop: stop.into(),
            handed: Mutex::new(first),
            room: Condvar::new(),
        }
    }

    /// No game from this number on is begun.
    pub(super) fn stop_at(&self, number: u64) {
        self.stop.fetch_min(number, Ordering::SeqCst);
        // Whoever is about to wait has looked at `stop` under the lock.
        drop(self.lock());
        self.room.notify_all();
    }

    pub(super) fn stops(&self, number: u64) -> bool {
        number >= self.stop.load(Ordering::SeqCst)
    }

    pub(super) fn handed(&self, number: u64) {
        *self.lock() = number;
        self.room.notify_all();
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, u64> {
        self.handed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn has_room(&self, number: u64) -> bool {
        number < self.lock().saturating_add(AHEAD) || self.stops(number)
    }

    pub(super) fn wait(&self, number: u64) {
        let full = |handed: &mut u64| number >= handed.saturating_add(AHEAD) && !self.stops(number);
        drop(self.room.wait_while(self.lock(), full));
    }
}

/// Stops a match whose thread panics.
pub(super) struct EndOnPanic<'a>(pub(super) &'a Course);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop_at(0);
        }
    }
}
