//! Connections under way: how many there are, of whom, and which of them wait for a request. Where
//! there is no room for one more, the one that has waited longest makes room.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::share::{Share, Shares, household};

/// Connections, so many in all and so many of one address.
#[derive(Debug)]
pub(super) struct Connections {
    room: Arc<Semaphore>,
    callers: Arc<Shares>,
    all: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// How often a connection was opened or fell idle.
    count: u64,
    by_number: BTreeMap<u64, Entry>,
}

#[derive(Debug)]
struct Entry {
    from: IpAddr,
    /// Since when it waits for a whole request, by the count of then; not while one is answered.
    idle_since: Option<u64>,
    close: Arc<Notify>,
    _place: (OwnedSemaphorePermit, Share),
}

/// One connection, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    connections: Arc<Connections>,
    number: u64,
    close: Arc<Notify>,
}

/// A connection, as what answers its requests is handed it.
#[derive(Clone, Debug)]
pub(super) struct Caller(Arc<Place>);

/// A whole request that is being answered.
pub(super) struct Answering(Option<Caller>);

impl Connections {
    /// None yet, of so many at most, and so many of one address.
    pub(super) fn new(most: usize, most_of_one: usize) -> Arc<Self> {
        Arc::new(Self {
            room: Arc::new(Semaphore::new(most)),
            callers: Shares::new(most, most_of_one),
            all: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for a connection, before anybody is there.
    pub(super) async fn room(&self) -> OwnedSemaphorePermit {
        if self.room.available_permits() == 0 {
            self.drop_idle(None);
        }
        let room = Arc::clone(&self.room).acquire_owned().await;
        room.expect("the semaphore is never closed")
    }

    /// A place for somebody; nothing where the address has as many as it may, and all of them are
    /// being answered.
    pub(super) fn open(
        self: &Arc<Self>,
        from: IpAddr,
        room: OwnedSemaphorePermit,
    ) -> Option<Caller> {
        let share = self.callers.take(from).ok().or_else(|| {
            self.drop_idle(Some(household(from)));
            self.callers.take(from).ok()
        })?;
        let close = Arc::<Notify>::default();
        let mut open = self.lock();
        open.count += 1;
        let number = open.count;
        let entry = Entry {
            from: household(from),
            idle_since: Some(number),
            close: Arc::clone(&close),
            _place: (room, share),
        };
        open.by_number.insert(number, entry);
        drop(open);
        Some(Caller(Arc::new(Place {
            connections: Arc::clone(self),
            number,
            close,
        })))
    }

    /// Closes the connection that has waited longest for a whole request, of this address or of
    /// all.
    fn drop_idle(&self, of: Option<IpAddr>) {
        let mut open = self.lock();
        let entries = open.by_number.iter();
        let idle = entries
            .filter(|(_, entry)| of.is_none_or(|of| of == entry.from))
            .filter_map(|(&number, entry)| Some((entry.idle_since?, number)));
        let Some((_, number)) = idle.min() else {
            return;
        };
        let entry = open.by_number.remove(&number);
        drop(open);
        if let Some(entry) = entry {
            entry.close.notify_one();
        }
    }
}

impl Caller {
    /// Until it is to be closed, to make room for others.
    pub(super) async fn closed(&self) {
        self.0.close.notified().await;
    }

    /// A whole request is there: the connection is not closed to make room for others.
    pub(super) fn answers(&self) -> Answering {
        self.set(false);
        Answering(Some(self.clone()))
    }

    fn set(&self, idle: bool) {
        let mut open = self.0.connections.lock();
        open.count += 1;
        let count = open.count;
        if let Some(entry) = open.by_number.get_mut(&self.0.number) {
            entry.idle_since = idle.then_some(count);
        }
    }
}

impl Answering {
    /// The answer goes on as long as the connection.
    pub(super) fn for_good(mut self) {
        self.0 = None;
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        if let Some(caller) = &self.0 {
            caller.set(true);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.lock().by_number.remove(&self.number);
    }
}
